import { deepestJson, type JsonValue } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import {
  addCredentialNames,
  type CredentialReference,
  isCredentialText,
  openText,
} from "../../../runtime/values/text.js";
import type { HttpBody } from "../contract.js";
import type { SealedBody } from "./payloads.js";

/**
 * A body as JSON text, written at once, unless it has credentials in it.
 *
 * @throws RefusedValue for a body deeper than JSON writers can take
 */
export function jsonBody(body: HttpBody): SealedBody {
  const names: string[] = [];
  const type = "application/json";
  if (!findCredentials(body, names, 0)) {
    const text = JSON.stringify(body);
    // It was written here.
    return {
      type,
      credentials: names,
      describe: () => JSON.parse(text) as JsonValue,
      open: () => text,
    };
  }
  const open = (reveal: (reference: CredentialReference) => string) =>
    JSON.stringify(filled(body, reveal));
  return {
    type,
    credentials: names,
    describe: (reveal) => JSON.parse(open(reveal)) as JsonValue,
    open,
  };
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
