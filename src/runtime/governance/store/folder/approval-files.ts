/**
 * The files of a store in a folder. Each request and each approval has a JSON file, named by the
 * digest of its id.
 */
import { hash } from "node:crypto";
import type { Approval, StoredRequest } from "../store.js";
import { StoreUnavailable } from "../store-unavailable.js";

/** What a file holds. */
export type FileKind = "request" | "approval";

/** Content of a file by its kind. */
export interface FileContent {
  readonly request: StoredRequest;
  readonly approval: Approval;
}

/** Version of the files. A later version may add another. */
const version = 1;

/** Maximum size of a file, in bytes. A request for approval has at most 64 KiB of JSON. */
export const maxFileBytes = 4 * 1024 * 1024;

const fileForm = /^[0-9a-f]{64}\.(?<kind>request|approval)\.json(?<temporary>\.tmp)?$/;

/** Returns the file's name. It hashes JSON, because UTF-8 has no form for halves of pairs. */
export function fileName(kind: FileKind, id: string): string {
  return `${hash("sha256", JSON.stringify(id), "hex")}.${kind}.json`;
}

/** Returns the kind of a file by its name; undefined if the store writes no such file. */
export function kindOfFile(name: string): FileKind | "temporary" | undefined {
  const { kind, temporary } = fileForm.exec(name)?.groups ?? {};
  if (temporary !== undefined) return "temporary";
  return kind === "request" || kind === "approval" ? kind : undefined;
}

/** Writes a request or an approval as the content of a file. */
export function fileText<Kind extends FileKind>(kind: Kind, content: FileContent[Kind]): string {
  return `${JSON.stringify({ version, [kind]: content }, undefined, 2)}\n`;
}

/**
 * Reads the content of a file.
 *
 * @param path path of the file, in messages
 * @param name name that the file must have for its content
 * @throws StoreUnavailable if skillc didn't write it, or a later version did
 */
export function fileContent<Kind extends FileKind>(
  kind: Kind,
  { name, path, text }: { readonly name: string; readonly path: string; readonly text: string },
): FileContent[Kind] {
  const file = parsed(text);
  if (file !== undefined && file["version"] !== version && typeof file["version"] === "number")
    throw new StoreUnavailable(
      `\`${path}\` was written by a later version of skillc: update skillc here`,
    );
  const content = file?.[kind];
  if (!isContent(kind, content) || fileName(kind, content.id) !== name)
    throw new StoreUnavailable(
      `\`${path}\` is damaged or not skillc's own: delete it, and make the call that needs the approval again`,
    );
  return content;
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): Fields | undefined {
  try {
    const file: unknown = JSON.parse(text);
    return isFields(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isContent<Kind extends FileKind>(kind: Kind, value: unknown): value is FileContent[Kind] {
  if (!isFields(value)) return false;
  const hasFacts =
    hasTexts(value, ["id", "tool", "manifest", "digest"], ["tenant", "subject"]) &&
    hasTimes(value, ["at", "expiresAt"]);
  return hasFacts && (kind === "request" ? isRequest(value) : isApproval(value));
}

function isRequest(value: Fields): boolean {
  const { decision, details, state } = value;
  const isDecided = state === "approved" || state === "denied";
  if (!isDecided && state !== "pending") return false;
  return (
    hasTexts(value, state === "approved" ? ["approval"] : []) &&
    (isDecided ? isDecision(decision) : decision === undefined) &&
    (details === undefined || isDetails(details))
  );
}

function isDecision(value: unknown): boolean {
  return isFields(value) && hasTexts(value, ["by"], ["channel", "note"]) && hasTimes(value, ["at"]);
}

function isDetails(value: unknown): boolean {
  const optional = ["origin", "trace", "step", "run"];
  if (!isFields(value) || !hasTexts(value, ["call", "risk", "effect", "by"], optional))
    return false;
  const { rollback } = value;
  return rollback === undefined || isWayBack(rollback);
}

function isWayBack(value: unknown): boolean {
  return isFields(value) && hasTexts(value, ["strategy"], ["tool", "reason"]);
}

function isApproval(value: Fields): boolean {
  return hasTexts(value, ["request", "by"], ["channel", "usedBy"]);
}

function hasTexts(
  value: Fields,
  names: readonly string[],
  optional: readonly string[] = [],
): boolean {
  return (
    names.every((name) => typeof value[name] === "string") &&
    optional.every((name) => value[name] === undefined || typeof value[name] === "string")
  );
}

function hasTimes(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => Number.isFinite(value[name]));
}
