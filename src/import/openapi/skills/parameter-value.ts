/** Derives the schema of a parameter in the path, the query, a header or a cookie. */
import { isJsonObject, type JsonObject, type JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { prose } from "../../skills/texts.js";
import type { Parameter } from "../model.js";
import type { Part } from "../read/document.js";
import { exactIn, under } from "../read/parts.js";
import { allOfParts } from "./all-of.js";
import { digitsOrJson, withDefaultInWords } from "./default-in-words.js";
import type { DraftContext } from "./draft-context.js";
import { isSendable } from "./sendable.js";
import { type Shape, typesWithoutNull, wireOf } from "./wire-shape.js";

export type Take = (part: Part | undefined) => JsonSchema;

/** Schema of a parameter. Without a possible style, it is text that the caller writes. */
export function valueOf(
  source: Parameter,
  take: Take,
  context: DraftContext,
): { readonly schema: JsonSchema; readonly shape: Shape } {
  const { note } = context;
  const name = quote(source.name);
  if (source.mediaType !== undefined) {
    const why = `the caller writes ${name} as text, in the form of ${quote(source.mediaType)}`;
    return { schema: asText(source, why, context), shape: "scalar" };
  }
  const wire = wireOf(source.schema, context.components);
  if (wire.isDeep && source.style !== "deepObject") {
    const why = `the caller writes ${name} as text, because the style \`${source.style}\` can't write nested values`;
    return { schema: asText(source, why, context), shape: "scalar" };
  }
  const taken = take(source.schema);
  const isNarrowed = source.style !== "deepObject" && wire.lost !== undefined;
  if (isNarrowed)
    note({
      code: "import/part-left-out",
      at: source.at,
      message: `${name} accepts only text, numbers and booleans for ${wire.lost}: the style can't write a list or an object inside another one`,
    });
  const own = typeof taken === "boolean" ? {} : withDefault(taken, source, take, context);
  const all = Array.isArray(own["allOf"]) ? own["allOf"] : [];
  const schema = {
    ...own,
    ...(isNarrowed && { allOf: [...all, wire.narrowed] }),
    // A path can't contain null.
    ...(source.in === "path" &&
      wire.isNullable && { type: typesWithoutNull(source.schema, context.components) }),
    ...(source.in === "path" && patternOfId(source, context)),
  };
  return {
    schema: usableDefault(described(schema, source, context), source, context),
    shape: wire.shape,
  };
}

/** Adds the default of the referenced schema, or of a schema in its `allOf`. */
function withDefault(
  schema: JsonObject,
  source: Parameter,
  take: Take,
  { components }: DraftContext,
): JsonObject {
  if (!source.isRequired || schema["default"] !== undefined) return schema;
  const part = allOfParts(source.schema, components).find((each) => under(each, "default"));
  const found = part && take(part);
  const value = isJsonObject(found) ? found["default"] : undefined;
  return value === undefined ? schema : { ...schema, default: value };
}

/**
 * Formats that documents use for identifiers without a slash, without a matching type or standard
 * format.
 */
const idFormat =
  /^(?:uuid[-_ ]?(?:v?\d)?|guid|u?int(?:eger)?(?:8|16|32|64|128)?|u?long|big-?int(?:eger)?)$/i;

/**
 * Excludes slashes. A proxy may decode an encoded slash, and the identifier would then name a
 * resource below another.
 */
function patternOfId(source: Parameter, { components }: DraftContext): JsonObject | undefined {
  const schema = source.schema && components.resolve(source.schema);
  const say = (key: string) => under(schema, key)?.value;
  const format = say("format");
  if (say("type") !== "string" || typeof format !== "string" || !idFormat.test(format))
    return undefined;
  // Validators check these formats, and the document's own patterns say more.
  const isTold =
    format === "uuid" || ["pattern", "enum", "const"].some((key) => say(key) !== undefined);
  return isTold ? undefined : { pattern: "^[^/]+$" };
}

/** Drops a default that would make an empty segment or a dot segment of the path. */
function usableDefault(schema: JsonSchema, source: Parameter, { note }: DraftContext): JsonSchema {
  if (typeof schema === "boolean" || !source.isRequired) return schema;
  const { default: value, ...others } = schema;
  if (typeof value !== "string" || isSendable(source.in, value)) return schema;
  const message = `a ${source.in} can't contain the default of ${quote(source.name)}, so the import leaves the default out`;
  note({ code: "import/part-left-out", at: source.at, message });
  return others;
}

/** Description of a parameter, from outside its schema. */
function described(
  schema: JsonSchema,
  source: Parameter,
  { components }: DraftContext,
): JsonSchema {
  const { description, example, isDeprecated } = source;
  const own = schema === true || schema === false ? {} : schema;
  const words = description === undefined ? "" : prose(description);
  const isShown = example !== undefined && own["examples"] === undefined;
  return {
    ...own,
    ...(words !== "" && unsentDefault({ description: words }, own, source)),
    ...(isDeprecated && { deprecated: true }),
    ...(isShown && components.examplesOf(example, source.schema)),
  };
}

/** Adds a default that no number can hold, which the schema's own description contained. */
function unsentDefault(words: JsonObject, own: JsonObject, { schema }: Parameter): JsonObject {
  const value = under(schema, "default");
  const exact = value && own["default"] === undefined ? exactIn(value) : undefined;
  return exact === undefined ? words : withDefaultInWords(words, digitsOrJson(exact));
}

/** Schema of a parameter without a possible style. The caller writes its text. */
function asText(source: Parameter, why: string, { note }: DraftContext): JsonObject {
  note({ code: "import/part-left-out", at: source.at, message: why });
  const { mediaType } = source;
  const words = source.description === undefined ? "" : prose(source.description);
  return {
    type: "string",
    ...(mediaType !== undefined && { contentMediaType: prose(mediaType) }),
    ...(words !== "" && { description: words }),
  };
}
