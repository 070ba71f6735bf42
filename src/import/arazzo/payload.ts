/** Reads the payload of a request body: a value, or a text that contains JSON, with replacements. */
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Part } from "../openapi/read/document.js";
import { itemsIn, textIn, under } from "../openapi/read/parts.js";
import { readPointer } from "./expressions.js";
import type { Told } from "./plan-parts.js";

/** Returns the payload as one value; undefined if there is none. */
export function readPayload(body: Part, told: Told): Part | undefined {
  const own = under(body, "payload");
  const payload = own && parsed(own);
  const replacements = itemsIn(under(body, "replacements"));
  if (payload === undefined || replacements.length === 0) return payload;
  let { value } = payload;
  for (const replacement of replacements) {
    const target = textIn(replacement, "target") ?? "";
    const next = under(replacement, "value");
    const [name, more] = readPointer(target) ?? [];
    if (next === undefined || name === undefined || more !== undefined || !isJsonObject(value))
      told(
        "import/part-left-out",
        replacement.at,
        `the plan does not replace ${quote(target)} of the payload: it passes whole fields`,
      );
    else value = replaced(value, String(name), next.value);
  }
  return { ...payload, value };
}

function replaced(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(object)) setOwn(result, key, each);
  setOwn(result, name, value);
  return result;
}

/** Parses the text of a JSON object or list, whose texts may hold expressions. */
function parsed(part: Part): Part {
  const { at, value } = part;
  if (typeof value !== "string" || !/^\s*[[{]\s*["{[\]}]/.test(value)) return part;
  try {
    // JSON.parse returns a JSON value. Its parts have no places of their own.
    return { at, value: JSON.parse(value) as JsonValue };
  } catch {
    return part;
  }
}
