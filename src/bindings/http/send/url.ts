import { RefusedValue } from "../../../runtime/sink.js";
import type { HttpRequest, QueryValue, UrlPart } from "../contract.js";
import { type BaseUrl, baseOfLiteral } from "./base-url.js";
import {
  type CredentialReference,
  isCredential,
  isCredentialText,
} from "../../../runtime/values/text.js";

/** A URL whose credentials are still closed. */
export interface SealedUrl {
  /** A literal origin, or the setting that holds origin and base path. */
  readonly base: BaseUrl | CredentialReference;
  /** What comes after the base, in order; credentials only in the query. */
  readonly rest: readonly (string | CredentialReference)[];
}

/** @throws RefusedValue for a query value that can't be encoded */
export function sealUrl({ url, query }: HttpRequest): SealedUrl {
  const [start, ...parts] = url;
  const base = baseOf(start);
  let path = isCredential(base) ? "" : base.path;
  for (const part of parts) path += pathText(part);
  // A base of origin alone; a setting's own path is not known yet.
  if (!isCredential(base) && !path.startsWith("/")) path = `/${path}`;
  const rest = query === undefined ? [path] : withQuery(path, query);
  return { base: isCredential(base) ? base : { origin: base.origin, path: "" }, rest };
}

function baseOf(start: UrlPart | undefined): BaseUrl | CredentialReference {
  if (isCredential(start)) return start;
  const base = typeof start === "string" ? baseOfLiteral(start) : undefined;
  // The compiler lets no other URL through.
  if (base === undefined) throw new Error("a URL must start with an origin");
  return base;
}

function pathText(part: UrlPart): string {
  if (typeof part === "string") return part;
  if (part.kind === "segment") return part.encoded;
  throw new Error("a credential can only start a URL");
}

/** Names and values as RFC 3986 query text: `%20`, never `+`. Absent and null values are left out; arrays repeat the name. */
function withQuery(
  path: string,
  query: readonly (readonly [name: string, value: QueryValue])[],
): readonly (string | CredentialReference)[] {
  const rest: (string | CredentialReference)[] = [];
  let at = path;
  let joint = path.includes("?") ? "&" : "?";
  for (const [name, value] of query) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue;
      at += `${joint}${encodeQuery(name, name)}=`;
      joint = "&";
      if (!isCredentialText(item)) {
        at += encodeQuery(item, name);
        continue;
      }
      for (const part of item.parts) {
        if (typeof part === "string") at += encodeQuery(part, name);
        else {
          rest.push(at, part);
          at = "";
        }
      }
    }
  }
  rest.push(at);
  return rest;
}

function encodeQuery(value: string | number | boolean, name: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new RefusedValue(
      "",
      "query-value",
      `the query's \`${name}\` must be well-formed Unicode`,
      (part) => typeof part === "string" && String(value).includes(part) && !isWellFormed(part),
    );
  }
}

function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
