/** Checks states that a file contained. */
import { isAbsolute, normalize } from "node:path";
import type { JsonValue } from "../../json/json.js";
import type { EntryState } from "./entry-state.js";
import { rootOf } from "./tree-change.js";

type JsonRecord = { readonly [key: string]: JsonValue | undefined };

/** Returns the members of a JSON object; none for other values. */
export function membersOf(value: JsonValue | undefined): JsonRecord {
  // A JSON value that is neither null nor a list is a record if it is an object.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : {};
}

/** Parses the JSON of a file that somebody may have changed; null if it is none. */
export function parsedOrNull(text: string): JsonValue {
  try {
    // JSON.parse returns a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** Returns the state of an entry that a file contained; undefined for other values. */
export function storedState(value: JsonValue | undefined): EntryState | undefined {
  return isState(value) ? value : undefined;
}

/** Checks every member that a state has. */
function isState(value: unknown): value is EntryState {
  // The value was parsed from JSON.
  const { kind, ...rest } = membersOf(value as JsonValue | undefined);
  switch (kind) {
    case "absent":
      return true;
    case "other":
      return typeof rest["why"] === "string";
    case "folder":
      return hasAttributes(rest);
    case "link":
      return hasAttributes(rest) && typeof rest["target"] === "string";
    case "file":
      return hasAttributes(rest) && isCount(rest["bytes"]) && isDigest(rest["sha256"]);
    default:
      return false;
  }
}

function hasAttributes({ gid, mode, modified, uid }: JsonRecord): boolean {
  const isTime = typeof modified === "string" && /^-?\d{1,20}$/.test(modified);
  return isCount(mode) && Number(mode) <= 0o7777 && isCount(uid) && isCount(gid) && isTime;
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Checks if a JSON value is a SHA-256 in hexadecimal. */
function isDigest(value: JsonValue | undefined): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Returns a list of absolute paths that a file contained; undefined for other values. */
export function storedPaths(value: JsonValue | undefined): ReadonlySet<string> | undefined {
  if (!Array.isArray(value) || !value.every(isPlainPath)) return undefined;
  return new Set((value as readonly JsonValue[]).map(String));
}

/** Checks if a JSON value is a path that is one of the roots, or below one. */
export function isPathIn(value: JsonValue | undefined, roots: ReadonlySet<string>): boolean {
  return isPlainPath(value) && rootOf(String(value), roots) !== undefined;
}

function isPlainPath(value: JsonValue | undefined): boolean {
  return (
    typeof value === "string" &&
    isAbsolute(value) &&
    normalize(value) === value &&
    !value.includes("\0")
  );
}
