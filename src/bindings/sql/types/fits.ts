import type { JsonValue } from "../../../core/json.js";
import { isSameType, typeOfValue } from "../../../schema/compare/normal-form.js";
import type { JsonType } from "../../../schema/look-up.js";
import { patternTest } from "../../../schema/pattern/matcher.js";
import { typeWords } from "../../type-words.js";
import type { Fit } from "./fit.js";
import type { StatedFacts } from "../../../schema/stated-facts.js";
import type { SqlElement, SqlType } from "./sql-type.js";
import { fitsNumber } from "./fits-number.js";
import { isTextFormat } from "./text-formats.js";
import { fitsText } from "./fits-text.js";

const yes: Fit = { fit: "yes" };

/**
 * Whether every value that a parameter may have can be a value of the type.
 *
 * @param maxLength of the column that the value goes to: `varchar(n)`, `char(n)`
 */
export function fits(facts: StatedFacts, type: SqlType, maxLength?: number): Fit {
  const types = facts.types.filter((each) => each !== "null");
  // Null fits, and there is no other value.
  if (types.length === 0) return yes;
  const found = fitsTypes(facts, types, type, maxLength);
  return found.fit === "no" && mayFit(facts, types, type, maxLength)
    ? { ...found, fit: "some" }
    : found;
}

/** Whether values of one of several types may fit where others don't. */
function mayFit(
  facts: StatedFacts,
  types: readonly JsonType[],
  type: SqlType,
  maxLength: number | undefined,
): boolean {
  if (types.length < 2) return false;
  return types.some((each) => {
    const values = facts.values?.filter((value) => isOfType(value, each));
    if (values?.length === 0) return false;
    const own = { ...facts, ...(values && { values }) };
    return fitsTypes(own, [each], type, maxLength).fit !== "no";
  });
}

function isOfType(value: JsonValue, type: JsonType): boolean {
  return isSameType(typeOfValue(value), type);
}

/** As if all values had one of the types, which a value that doesn't fit denies. */
function fitsTypes(
  facts: StatedFacts,
  types: readonly JsonType[],
  type: SqlType,
  maxLength: number | undefined,
): Fit {
  if (type.kind === "array") return fitsArray(facts, types, type.of, maxLength);
  if (type.kind === "enum") return fitsEnum(facts, types, type);
  const { typeScript } = type.traits;
  if (typeScript === "JsonValue") return yes;
  if (typeScript === "boolean") return onlyTypes(types, ["boolean"], type.name) ?? yes;
  const isNumber = typeScript === "number" || type.name === "int8" || type.name === "numeric";
  if (isNumber) return fitsNumber(facts, types, type.name);
  return onlyTypes(types, ["string"], type.name) ?? fitsText(facts, type.name, maxLength);
}

/** What is wrong when a value may have another type than those. */
function onlyTypes(
  types: readonly JsonType[],
  allowed: readonly JsonType[],
  name: string,
): Fit | undefined {
  const others = types.filter((each) => !allowed.includes(each));
  if (others.length === 0) return undefined;
  return {
    fit: "no",
    reason: `may be ${typeWords(others)}, and \`${name}\` takes ${typeWords(allowed)}`,
  };
}

function fitsArray(
  facts: StatedFacts,
  types: readonly JsonType[],
  element: SqlElement,
  maxLength: number | undefined,
): Fit {
  const wrong = onlyTypes(types, ["array"], `${element.name}[]`);
  if (wrong !== undefined) return wrong;
  const { items } = facts;
  if (items === undefined) {
    return isJson(element)
      ? yes
      : { fit: "unsure", reason: "says nothing of its items", help: "describe them under `items`" };
  }
  const isNested =
    items.types.length > 0 && items.types.every((each) => each === "array" || each === "null");
  const type: SqlType =
    isNested && !isJson(element) ? { kind: "array", name: element.name, of: element } : element;
  const found = fits(items, type, maxLength);
  return found.fit === "yes"
    ? found
    : { ...found, reason: `has items of which each ${found.reason}` };
}

function isJson(element: SqlElement): boolean {
  return element.kind === "scalar" && element.traits.typeScript === "JsonValue";
}

function fitsEnum(
  facts: StatedFacts,
  types: readonly JsonType[],
  { name, labels }: Extract<SqlType, { kind: "enum" }>,
): Fit {
  const wrong = onlyTypes(types, ["string"], name);
  if (wrong !== undefined) return wrong;
  const known = labels.map((label) => `\`${label}\``).join(", ");
  const values = facts.values?.filter((each) => each !== null);
  if (values === undefined && facts.format !== undefined && isTextFormat(facts.format))
    return {
      fit: "no",
      reason: `has the format \`${facts.format}\`, and \`${name}\` has ${known}`,
    };
  if (values === undefined && facts.pattern !== undefined) {
    const isGiven = patternTest(facts.pattern);
    if (!labels.some((label) => isGiven(label)))
      return { fit: "no", reason: `is like none of the labels of \`${name}\`: ${known}` };
  }
  if (values === undefined) {
    const help = `list the values: \`enum: [${labels.join(", ")}]\``;
    return { fit: "unsure", reason: `may be any text, and \`${name}\` has ${known}`, help };
  }
  const isLabel = (each: JsonValue) => typeof each === "string" && labels.includes(each);
  const strange = values.find((each) => !isLabel(each));
  if (strange === undefined) return yes;
  const fit = values.some(isLabel) ? "some" : "no";
  return { fit, reason: `may be \`${String(strange)}\`, and \`${name}\` has ${known}` };
}
