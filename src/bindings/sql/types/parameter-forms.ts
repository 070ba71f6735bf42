import type { JsonObject } from "../../../core/json.js";
import type { BuiltInType } from "./builtin-types.js";

/** Every integer that a JSON number holds exactly. */
const exactInteger: JsonObject = {
  type: "integer",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

const like = (pattern: string): JsonObject => ({ type: "string", pattern });
const formatted = (format: string): JsonObject => ({ type: "string", format });

const digits = like("^-?[0-9]+$");
const decimal = like("^-?[0-9]+(?:\\.[0-9]+)?$");
const time = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?";
const day = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
/** Parts of a duration before its `T`, and from there on. */
const [days, seconds] = ["(?:-?[0-9]+[YMWD])+", "T(?:-?[0-9]+(?:\\.[0-9]+)?[HMS])+"];
// NULL is null, and JSON's own null is no other.
const json: JsonObject = { type: ["object", "array", "string", "number", "boolean"] };

const forms: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  ["int8", [digits, exactInteger]],
  ["numeric", [decimal, { type: "number" }, digits]],
  ["timestamptz", [formatted("date-time"), formatted("date")]],
  ["timestamp", [like(`^${day}T${time}$`), formatted("date")]],
  ["date", [formatted("date")]],
  ["time", [like(`^${time}$`)]],
  ["timetz", [formatted("time")]],
  ["interval", [like(`^P(?:${days}(?:${seconds})?|${seconds})$`)]],
  ["varbit", [like("^[01]*$")]],
  ["json", [json]],
  ["jsonb", [json]],
]);

/**
 * JSON Schemas of what a parameter may be whose author names no type, the usual one first; that of a column where nothing else is said. What is no ordinary value,
 * `NaN` and the infinities, only an author asks for.
 */
export function formsOfScalar({ names: [name = ""], schema }: BuiltInType): readonly JsonObject[] {
  return forms.get(name) ?? [schema];
}
