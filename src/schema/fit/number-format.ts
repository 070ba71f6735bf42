import type { JsonObject, JsonValue } from "../../core/json.js";

const least = -(2 ** 31);
const most = 2 ** 31 - 1;

/** A form of numbers, with what its format says of them in keywords of its own. */
export function withFormatKeywords(form: JsonObject): JsonObject {
  const { format, maximum, minimum, type } = form;
  if (type !== "integer" && type !== "number") return form;
  if (format === "int64") return { ...form, type: "integer" };
  if (format !== "int32") return form;
  return {
    ...form,
    type: "integer",
    minimum: Math.max(least, numberOr(minimum, least)),
    maximum: Math.min(most, numberOr(maximum, most)),
  };
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
