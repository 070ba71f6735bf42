import { randomUUID } from "node:crypto";
import { ExactInteger } from "../../../runtime/validation/int64.js";
import { deepestJson, type JsonValue } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import { addCredentialNames, isCredentialText, openText } from "../../../runtime/values/text.js";
import type { HttpBody } from "../contract.js";
import type { Reveal, SealedBody } from "./payloads.js";

/**
 * A body as JSON text, written at once, unless it has credentials in it.
 *
 * @throws RefusedValue for a body deeper than JSON writers can take
 */
export function jsonBody(body: HttpBody): SealedBody {
  const names: string[] = [];
  const type = "application/json";
  if (!needsFilling(body, names, 0)) {
    const text = JSON.stringify(body);
    // It was written here.
    return {
      type,
      credentials: names,
      describe: () => JSON.parse(text) as JsonValue,
      open: () => text,
    };
  }
  // It was written here.
  const shown = (reveal: Reveal) =>
    JSON.parse(JSON.stringify(filled(body, reveal, ({ digits }) => digits))) as JsonValue;
  return {
    type,
    credentials: names,
    describe: shown,
    open: (reveal) => withBareDigits(JSON.stringify(filled(body, reveal, marked))),
  };
}

/** No text of a caller's begins with it. */
const mark = `${randomUUID()}:`;
const markedDigits = new RegExp(`"${mark}(-?[0-9]+)"`, "g");

/** `JSON.stringify` writes no integer that a number can't hold. */
function marked({ digits }: ExactInteger): string {
  return `${mark}${digits}`;
}

function withBareDigits(json: string): string {
  return json.replaceAll(markedDigits, "$1");
}

/** Whether credentials, or integers that no number holds, stand in it. */
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
  // `isCredentialText` knows its own by class; what is left of the union is an object of bodies.
  const fields = body as { readonly [name: string]: HttpBody };
  for (const name in fields) if (needsFilling(fields[name], names, depth + 1)) found = true;
  return found;
}

/** A copy with the credentials put in, and texts for such integers. */
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
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return Object.fromEntries(fields);
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(value: object): value is readonly HttpBody[] {
  return Array.isArray(value);
}
