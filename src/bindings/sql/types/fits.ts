/**
 * Whether the values of a parameter's schema can be values of a PostgreSQL type: numbers, texts,
 * lists and their formats.
 */
import type { JsonValue } from "../../../core/json.js";
import { areScalarsApart } from "../../../schema/compare/disjoint.js";
import { isSameType, typeOfValue } from "../../../schema/compare/normal-form.js";
import type { JsonType } from "../../../schema/look-up.js";
import { patternTest } from "../../../schema/pattern/matcher.js";
import type { StatedFacts } from "../../../schema/stated-facts.js";
import { typeWords } from "../../type-words.js";
import type { SqlElement, SqlType } from "./sql-type.js";

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

/**
 * Whether a parameter's values can be values of a PostgreSQL type.
 *
 * - `yes`: whatever the schema accepts, PostgreSQL takes, as far as a schema can say;
 * - `no`: nothing that the schema accepts can be one;
 * - `some`: some of it can, and some can't;
 * - `unsure`: the schema doesn't say enough; a value that is none makes the call fail.
 *
 * `reason` goes on from the parameter's name, `help` proposes a change. Null is left aside: it fits
 * every type.
 */
export type Fit = { readonly fit: "yes" } | Unfit;

export interface Unfit {
  readonly fit: "no" | "some" | "unsure";
  readonly reason: string;
  readonly help?: string;
}

const ranges: ReadonlyMap<string, readonly [minimum: bigint, maximum: bigint]> = new Map([
  ["int2", [-(2n ** 15n), 2n ** 15n - 1n]],
  ["int4", [-(2n ** 31n), 2n ** 31n - 1n]],
  ["int8", [-(2n ** 63n), 2n ** 63n - 1n]],
  ["oid", [0n, 2n ** 32n - 1n]],
]);

/** A number type, int8 and numeric included, which take strings of digits too. */
function fitsNumber(facts: StatedFacts, types: readonly JsonType[], name: string): Fit {
  const range = ranges.get(name);
  const takesDigits = name === "int8" || name === "numeric";
  const allowed: readonly JsonType[] = [
    "integer",
    ...(range === undefined ? (["number"] as const) : []),
    ...(takesDigits ? (["string"] as const) : []),
  ];
  const others = types.filter((each) => !allowed.includes(each));
  if (others.length > 0) {
    const reason = `may be ${typeWords(others)}, and \`${name}\` takes ${typeWords(allowed)}`;
    const help = others.includes("number") ? { help: "make it `type: integer`" } : {};
    const isWhole = others.includes("number") && mayBeWhole(facts, range);
    return { fit: isWhole ? "some" : "no", reason, ...help };
  }
  const { format } = facts;
  if (types.includes("string") && format !== undefined && isTextFormat(format))
    return { fit: "no", reason: `has the format \`${format}\`, which is no \`${name}\`` };
  if (types.includes("string") && facts.values === undefined && facts.pattern === undefined) {
    const help = 'say that it is digits: `pattern: "^-?[0-9]+$"`';
    return { fit: "unsure", reason: `may be any text, and \`${name}\` takes digits`, help };
  }
  return range === undefined ? { fit: "yes" } : withinRange(facts, types, name, range);
}

/** Whether some number is an integer in the range. */
function mayBeWhole(
  { maximum, minimum, values }: StatedFacts,
  range: readonly [minimum: bigint, maximum: bigint] | undefined,
): boolean {
  if (range === undefined) return false;
  const [least, most] = range.map(Number);
  const isIn = (each: JsonValue) =>
    typeof each === "number" && Number.isInteger(each) && each >= range[0] && each <= range[1];
  if (values !== undefined) return values.some(isIn);
  const limits = { type: "integer", minimum: least ?? 0, maximum: most ?? 0 };
  const own = {
    type: "number",
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  return !areScalarsApart(own, limits);
}

function withinRange(
  facts: StatedFacts,
  types: readonly JsonType[],
  name: string,
  [least, most]: readonly [bigint, bigint],
): Fit {
  const listed = facts.values?.filter((each) => typeof each === "number");
  const low = listed === undefined ? facts.minimum : Math.min(...listed);
  const high = listed === undefined ? facts.maximum : Math.max(...listed);
  const beyond = [low, high].find(
    (each) => each !== undefined && Number.isFinite(each) && (each < least || each > most),
  );
  const holds = `\`${name}\` holds ${least} to ${most}`;
  if (beyond !== undefined) {
    const isOut = (each: number) => each < least || each > most;
    const isNone =
      listed === undefined
        ? (low !== undefined && low > most) || (high !== undefined && high < least)
        : listed.every(isOut);
    return { fit: isNone ? "no" : "some", reason: `may be ${beyond}, and ${holds}` };
  }
  if (name === "int8") return types.includes("integer") ? exactly(low, high) : { fit: "yes" };
  if (!types.includes("integer") || listed !== undefined) return { fit: "yes" };
  if (low !== undefined && high !== undefined) return { fit: "yes" };
  const bounds = [
    ...(low === undefined ? [`minimum: ${least}`] : []),
    ...(high === undefined ? [`maximum: ${most}`] : []),
  ];
  const help = `bound it: \`${bounds.join(", ")}\``;
  return { fit: "unsure", reason: `may be any integer, and ${holds}`, help };
}

/**
 * Whether every integer between the bounds is one that a JSON number holds: an int8 may be further,
 * and is rounded before it is looked at.
 */
function exactly(low: number | undefined, high: number | undefined): Fit {
  const most = Number.MAX_SAFE_INTEGER;
  if (low !== undefined && high !== undefined && low >= -most && high <= most)
    return { fit: "yes" };
  return {
    fit: "unsure",
    reason: `may be an integer beyond ±${most}, which is not exact as a JSON number, and refused`,
    help: `take digits, as results give them: \`type: string, pattern: "^-?[0-9]+$"\`; or bound it: \`minimum: ${low !== undefined && low >= -most ? low : -most}, maximum: ${high !== undefined && high <= most ? high : most}\``,
  };
}

/**
 * Whether the numbers that a schema names itself, its bounds or its values, are within
 * `numeric(precision, scale)`. What it does not bound is not asked after.
 */
export function fitsDigits(
  { items, maximum, minimum, values }: StatedFacts,
  { precision, scale }: { readonly precision: number; readonly scale: number },
): Fit {
  if (items !== undefined) {
    const found = fitsDigits(items, { precision, scale });
    if (found.fit === "yes") return found;
    return { ...found, reason: `has items of which each ${found.reason}` };
  }
  const limit = 10 ** (precision - scale);
  const isBeyond = (each: unknown) => isNumeral(each) && Math.abs(Number(each)) >= limit;
  const beyond = (values ?? [minimum, maximum]).find(isBeyond);
  if (beyond === undefined) return { fit: "yes" };
  const isNone =
    values?.every((each) => each === null || isBeyond(each)) ??
    ((minimum !== undefined && minimum >= limit) || (maximum !== undefined && maximum <= -limit));
  const reason = `may be ${String(beyond)}, and the column is \`numeric(${precision}, ${scale})\``;
  return { fit: isNone ? "no" : "some", reason };
}

function isNumeral(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[-+]?\d/.test(value));
}

/** By type: the formats whose values it takes, and those of which it would silently lose a part. */
interface Wanted {
  readonly takes: readonly string[];
  readonly loses?: ReadonlyMap<string, string>;
}

const wanted: ReadonlyMap<string, Wanted> = new Map<string, Wanted>([
  ["uuid", { takes: ["uuid"] }],
  ["timestamptz", { takes: ["date-time", "date"] }],
  ["timestamp", { takes: ["date"], loses: new Map([["date-time", "its offset"]]) }],
  ["date", { takes: ["date"], loses: new Map([["date-time", "its time of day"]]) }],
  ["timetz", { takes: ["time"] }],
  ["time", { takes: [], loses: new Map([["time", "its offset"]]) }],
  ["interval", { takes: ["duration"] }],
  ["inet", { takes: ["ipv4", "ipv6"] }],
  ["cidr", { takes: ["ipv4", "ipv6"] }],
]);

const anyText: ReadonlySet<string> = new Set(["text", "varchar", "bpchar", "name", "citext"]);

/** A type that travels as a string, and a parameter that is one. */
function fitsText(facts: StatedFacts, name: string, maxLength: number | undefined): Fit {
  if (anyText.has(name)) return fitsLength(facts, name, maxLength);
  if (name === "bytea") return fitsBytes(facts);
  const { format, pattern, values } = facts;
  const { takes, loses } = wanted.get(name) ?? { takes: [] };
  if (format !== undefined && takes.includes(format)) return { fit: "yes" };
  const lost = format === undefined ? undefined : loses?.get(format);
  if (lost !== undefined)
    return { fit: "unsure", reason: `is a ${format}, of which \`${name}\` drops ${lost}` };
  if (format !== undefined && wanted.has(name)) {
    const also =
      takes.length === 0 ? "" : `; it takes ${takes.map((each) => `\`${each}\``).join(" or ")}`;
    return { fit: "no", reason: `has the format \`${format}\`, which is no \`${name}\`${also}` };
  }
  // The author says which texts there are; whether each is one, only PostgreSQL knows.
  if (pattern !== undefined || values !== undefined) return { fit: "yes" };
  const [first] = takes;
  const help =
    first === undefined ? "say what it looks like with a `pattern`" : `add \`format: ${first}\``;
  return { fit: "unsure", reason: `may be any text, and \`${name}\` takes only its own`, help };
}

function fitsLength(facts: StatedFacts, name: string, most: number | undefined): Fit {
  if (most === undefined) return { fit: "yes" };
  const column = `\`${name}(${most})\``;
  if (facts.values !== undefined) {
    const isLong = (each: unknown) => typeof each === "string" && [...each].length > most;
    const long = facts.values.find(isLong);
    if (long === undefined) return { fit: "yes" };
    return {
      fit: facts.values.every((each) => each === null || isLong(each)) ? "no" : "some",
      reason: `may be \`${String(long)}\`, which is longer than ${column} holds`,
    };
  }
  if (facts.minLength !== undefined && facts.minLength > most)
    return {
      fit: "no",
      reason: `has ${facts.minLength} characters at least, and the column is ${column}`,
    };
  if (facts.maxLength !== undefined && facts.maxLength <= most) return { fit: "yes" };
  const help = `add \`maxLength: ${most}\``;
  return facts.maxLength === undefined
    ? { fit: "unsure", reason: `may be longer than ${column} holds`, help }
    : {
        fit: "some",
        reason: `may have ${facts.maxLength} characters, and the column is ${column}`,
        help,
      };
}

function fitsBytes({ contentEncoding }: StatedFacts): Fit {
  if (contentEncoding === "base64") return { fit: "yes" };
  const help = "add `contentEncoding: base64`";
  return contentEncoding === undefined
    ? { fit: "unsure", reason: "may be any text, and a `bytea` is given as base64", help }
    : {
        fit: "no",
        reason: `is encoded as ${contentEncoding}, and a \`bytea\` is given as base64`,
        help,
      };
}

/** Formats of texts that can't be taken for each other. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    "date-time iso-date-time date time iso-time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference uri-template iri " +
    "iri-reference uuid json-pointer relative-json-pointer regex"
  ).split(" "),
);

/** Whether the format is one of texts that are neither numbers nor a few words. */
function isTextFormat(format: string): boolean {
  return KNOWN.has(format);
}
