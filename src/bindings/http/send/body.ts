import { RefusedValue } from "../../../runtime/sink.js";
import { deepestJson } from "../../../runtime/json/json.js";
import {
  addCredentialNames,
  type CredentialReference,
  isCredentialText,
  openText,
} from "../../../runtime/values/text.js";
import type { HttpBody } from "../contract.js";

/** JSON text; a body with credentials in it waits for them. */
export type SealedBody = string | undefined | { readonly unopened: HttpBody };

/**
 * Writes the body, unless it has credentials in it.
 *
 * @param names collects the names of those credentials
 * @throws RefusedValue for a body deeper than JSON writers can take
 */
export function sealBody(body: HttpBody, names: string[]): SealedBody {
  if (body === undefined) return undefined;
  return findCredentials(body, names, 0) ? { unopened: body } : JSON.stringify(body);
}

export function openBody(
  body: SealedBody,
  reveal: (reference: CredentialReference) => string,
): string | undefined {
  return typeof body === "object" ? JSON.stringify(filled(body.unopened, reveal)) : body;
}

function findCredentials(body: HttpBody, names: string[], depth: number): boolean {
  if (typeof body !== "object" || body === null) return false;
  if (depth > deepestJson) {
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  }
  if (isCredentialText(body)) {
    addCredentialNames(names, body.parts);
    return true;
  }
  let found = false;
  if (isList(body)) {
    for (const item of body) if (findCredentials(item, names, depth + 1)) found = true;
    return found;
  }
  // `isCredentialText` knows its own by class; what is left of the union is an object of bodies.
  const fields = body as { readonly [name: string]: HttpBody };
  for (const name in fields) if (findCredentials(fields[name], names, depth + 1)) found = true;
  return found;
}

/** A copy with the credentials put in. */
function filled(body: HttpBody, reveal: (reference: CredentialReference) => string): HttpBody {
  if (typeof body !== "object" || body === null) return body;
  if (isCredentialText(body)) {
    return openText(body.parts, reveal);
  }
  if (isList(body)) return body.map((item) => filled(item, reveal));
  const fields = Object.entries(body).map(
    ([name, value]) => [name, filled(value, reveal)] as const,
  );
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return Object.fromEntries(fields);
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(value: object): value is readonly HttpBody[] {
  return Array.isArray(value);
}
