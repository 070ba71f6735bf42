import { randomUUID } from "node:crypto";
import { ExactInteger } from "../../../runtime/validation/int64.js";
import { deepestJson, type JsonValue } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import { addCredentialNames, isCredentialText, openText } from "../../../runtime/values/text.js";
import type { HttpBody } from "../contract.js";
import type { Reveal, SealedBody } from "./payloads.js";

/**
 * Serializes a JSON body at once, unless it contains credentials.
 *
 * @throws RefusedValue for a body that nests too deeply
 */
export function jsonBody(body: HttpBody): SealedBody {
  const names: string[] = [];
  const type = "application/json";
  if (!needsFilling(body, names, 0)) {
    const text = JSON.stringify(body);
    // This function wrote the text, so it is valid JSON.
    return {
      type,
      credentials: names,
      describe: () => JSON.parse(text) as JsonValue,
      open: () => text,
    };
  }
  // This function wrote the text, so it is valid JSON.
  const shown = (reveal: Reveal) =>
    JSON.parse(JSON.stringify(filled(body, reveal, ({ digits }) => digits))) as JsonValue;
  return {
    type,
    credentials: names,
    describe: shown,
    open: (reveal) => withBareDigits(JSON.stringify(filled(body, reveal, marked))),
  };
}

/** Prefix of exact integers. It is random, so that no caller's text begins with it. */
const mark = `${randomUUID()}:`;
const markedDigits = new RegExp(`"${mark}(-?[0-9]+)"`, "g");

/**
 * Marks an integer that a JavaScript number can't hold, because `JSON.stringify` can't write it.
 * Its quotes are removed afterwards.
 */
function marked({ digits }: ExactInteger): string {
  return `${mark}${digits}`;
}

function withBareDigits(json: string): string {
  return json.replaceAll(markedDigits, "$1");
}

/** True if the body contains credentials, or integers that a JavaScript number can't hold. */
function needsFilling(body: HttpBody, names: string[], depth: number): boolean {
  if (typeof body !== "object" || body === null) return false;
  if (depth > deepestJson) {
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  }
  if (body instanceof ExactInteger) return true;
  if (isCredentialText(body)) {
    addCredentialNames(names, body.parts);
    return true;
  }
  let found = false;
  if (isList(body)) {
    for (const item of body) if (needsFilling(item, names, depth + 1)) found = true;
    return found;
  }
  // `isCredentialText` checks the class, so the rest of the union is an object of bodies.
  const fields = body as { readonly [name: string]: HttpBody };
  for (const name in fields) if (needsFilling(fields[name], names, depth + 1)) found = true;
  return found;
}

/** Copies the body with opened credentials, and with texts for such integers. */
function filled(
  body: HttpBody,
  reveal: Reveal,
  textOf: (integer: ExactInteger) => string,
): HttpBody {
  if (typeof body !== "object" || body === null) return body;
  if (body instanceof ExactInteger) return textOf(body);
  if (isCredentialText(body)) return openText(body.parts, reveal);
  if (isList(body)) return body.map((item) => filled(item, reveal, textOf));
  const fields = Object.entries(body).map(
    ([name, value]) => [name, filled(value, reveal, textOf)] as const,
  );
  // `fromEntries` defines own properties, so that `__proto__` stays a property.
  return Object.fromEntries(fields);
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(value: object): value is readonly HttpBody[] {
  return Array.isArray(value);
}
