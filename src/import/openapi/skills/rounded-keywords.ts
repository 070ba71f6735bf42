/**
 * Converts keywords whose integer doesn't fit a JavaScript number exactly. The import never writes
 * another integer instead. A schema whose integers are text gets the digits. Any other schema loses
 * the keyword.
 */
import type { JsonObject, JsonValue } from "../../../core/json.js";
import { int64Range } from "../../../schema/int64-text.js";
import type { Note } from "../note.js";
import type { Part, DocumentLocation } from "../read/document.js";
import { exactIn, itemsIn, objectIn, textIn, under } from "../read/parts.js";
import { digitsOrJson, withDefaultInWords } from "./default-in-words.js";

/** The document's schema that contains the keyword. */
interface Around {
  readonly part: Part;
  readonly context: Context;
}

interface Context {
  readonly int64?: string;
  readonly target: (reference: string, from: DocumentLocation) => Part | undefined;
}

interface Telling extends Around {
  readonly context: Context & { readonly note: (note: Note) => void };
}

const cannotHold = "an integer that a JavaScript number can't hold";

/**
 * Adds a keyword with an inexact integer to a converted schema.
 *
 * @param schema other keywords of the schema, converted
 */
export function withRounded(
  schema: JsonObject,
  name: string,
  keyword: Part,
  around: Telling,
): JsonObject {
  switch (name) {
    case "default":
      return withDefault(schema, keyword, around);
    case "const":
      return withChoices(schema, [keyword], { ...around, name });
    case "enum":
      return withChoices(schema, itemsIn(keyword), { ...around, name });
    case "examples":
      return { ...schema, ...examplesOf(itemsIn(keyword), around) };
  }
  const isMet = isMetAnyway(name, keyword, around);
  around.context.note({
    code: isMet ? "import/taken-otherwise" : "import/part-left-out",
    at: keyword.at,
    message: isMet
      ? `no call can exceed \`${name}\`, so the import leaves it out`
      : `\`${name}\` contains ${cannotHold}, so the import leaves it out`,
  });
  return schema;
}

/** Checks if every possible value is within the limit anyway. */
function isMetAnyway(name: string, limit: Part, around: Around): boolean {
  if (/^max(?:Length|Items|Contains|Properties)$/.test(name)) return true;
  const bound = exactIn(limit);
  const side = /^(exclusive)?(Max|Min)imum$/i.exec(name);
  if (typeof bound !== "string" || side === null) return false;
  const schema = objectIn(around.part);
  const most = side[2]?.toLowerCase() === "max";
  if (!isText(around))
    return isOfIntegers(schema["type"]) && (most ? BigInt(bound) > 0n : BigInt(bound) < 0n);
  const [least, greatest] = int64Range(schema) ?? [];
  const isExclusive =
    side[1] !== undefined || schema[most ? "exclusiveMaximum" : "exclusiveMinimum"] === true;
  const beyond = isExclusive ? 1n : 0n;
  return most
    ? greatest !== undefined && BigInt(bound) - beyond >= greatest
    : least !== undefined && BigInt(bound) + beyond <= least;
}

function isOfIntegers(type: JsonValue | undefined): boolean {
  return [type].flat().every((each) => each === "integer" || each === "null");
}

function withDefault(schema: JsonObject, { at, value }: Part, around: Telling): JsonObject {
  const exact = exactIn({ at, value });
  if (typeof exact === "string" && isText(around)) return { ...schema, default: exact };
  around.context.note({
    code: "import/part-left-out",
    at,
    message: `the default contains ${cannotHold}, so the import writes it into the description, and no call sends it`,
  });
  return withDefaultInWords(schema, digitsOrJson(exact ?? value));
}

/** Converts the values of `enum` or `const` that a call can have. */
function withChoices(
  schema: JsonObject,
  values: readonly Part[],
  { context, name, part }: Telling & { readonly name: string },
): JsonObject {
  const around = { part, context };
  const lost = values.find((each) => exactValues(each, around).length === 0);
  if (lost !== undefined)
    context.note({
      code: "import/part-left-out",
      at: lost.at,
      message: `a value of \`${name}\` contains ${cannotHold}, so the tool does not accept it`,
    });
  const kept = new Map(
    values.flatMap((each) => exactValues(each, around)).map((each) => [JSON.stringify(each), each]),
  );
  const [first = null] = kept.values();
  if (kept.size === 0) return { ...schema, not: {} };
  return name === "const" ? { ...schema, const: first } : { ...schema, enum: [...kept.values()] };
}

/** Returns the exact examples as `examples`; empty if there are none. */
export function examplesOf(examples: readonly Part[], around: Around): JsonObject {
  const kept = examples.flatMap((each) => exactValues(each, around));
  return kept.length === 0 ? {} : { examples: kept };
}

/** Returns the value, or the text of its digits. Empty if the schema can't have it exactly. */
function exactValues(part: Part, around: Around): readonly [] | readonly [JsonValue] {
  const exact = exactIn(part);
  if (exact === undefined) return [part.value];
  return typeof exact === "string" && isText(around) ? [exact] : [];
}

/** Checks if the schema's values are digits as text. */
function isText({ context, part }: Around, depth = 0): boolean {
  if (context.int64 !== "string" || depth > deepest) return false;
  if (int64Range(objectIn(part)) !== undefined) return true;
  const reference = textIn(part, "$ref");
  const target = reference === undefined ? undefined : context.target(reference, part.at);
  return [...(target ? [target] : []), ...itemsIn(under(part, "allOf"))].some((each) =>
    isText({ context, part: each }, depth + 1),
  );
}

const deepest = 8;
