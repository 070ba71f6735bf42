/** Derives the form of an operation's body, and the tool parameters that it consists of. */
import { isJsonObject, type JsonObject, type JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { prose } from "../../skills/texts.js";
import type { Body, Content, Encoding, Operation } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import { entriesIn, isSet, itemsIn, textIn, under } from "../read/parts.js";
import { allOfParts, propertiesOf } from "./all-of.js";
import type { DraftContext } from "./draft-context.js";
import { withoutBrackets, withoutNames, withoutParts } from "./fixed-names.js";
import { isCalled, writtenFields } from "./form-fields.js";
import { freeName, type ToolParameter } from "./tool-parameter.js";
import { wireOf } from "./wire-shape.js";

export type BodyDraft =
  | {
      readonly kind: "properties";
      readonly type: string;
      readonly fields: readonly ToolParameter[];
    }
  | { readonly kind: "whole"; readonly type: string; readonly value: ToolParameter }
  | {
      readonly kind: "form";
      readonly fields: readonly ToolParameter[];
      /** True if a list repeats its name instead of using brackets. */
      readonly repeats: boolean;
    }
  /** A form that may have fields without a name in the schema. */
  | { readonly kind: "whole-form"; readonly value: ToolParameter; readonly repeats: boolean }
  | { readonly kind: "multipart"; readonly fields: readonly MultipartField[] }
  | { readonly kind: "raw"; readonly type: string; readonly value: ToolParameter };

export interface MultipartField extends ToolParameter {
  /** `fields` for an object whose properties are further parts. */
  readonly as: "file" | "json" | "text" | "fields";
  readonly contentType?: string;
}

export interface BodyContext {
  readonly context: DraftContext;
  /** Names of the tool's parameters so far. Those of the body are added. */
  readonly names: Set<string>;
  readonly take: (part: Part | undefined) => JsonSchema;
}

const isJson = (type: string): boolean => /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type);

/** Media types for sending a body, the best first. */
const preferred: readonly (readonly [(type: string) => boolean, BodyDrafter])[] = [
  [isJson, draftJson],
  [(type) => type === "application/x-www-form-urlencoded", draftForm],
  [(type) => type === "multipart/form-data", draftMultipart],
  [(type) => /^text\/|\bxml$/.test(type), draftText],
  [(type) => type === "*/*" || type === "application/*", draftJson],
  [() => true, draftFile],
];

type BodyDrafter = (content: Content, bodyContext: BodyContext, body: Body) => BodyDraft;

/** The body, or the reason why there is no tool if a required body can't be sent. */
export interface BodyOutcome {
  readonly body?: BodyDraft;
  readonly broken?: Note;
}

export function draftBody(
  body: Body,
  { method }: Operation,
  bodyContext: BodyContext,
): BodyOutcome {
  const { components, note } = bodyContext.context;
  if (body.contents.length > 0 && body.contents.every((each) => isNothing(each, components)))
    return {};
  if (method === "GET") {
    if (body.isRequired) return { broken: requiredOfGet(body) };
    const message = "a GET request has no body, so the tool sends none";
    note({ code: "import/part-left-out", at: body.at, message });
    return {};
  }
  const usable = body.contents.filter((each) => whyNoBody(each, components) === undefined);
  for (const [fits, draft] of preferred) {
    const content = usable.find((each) => fits(each.type));
    if (content === undefined) continue;
    const others = body.contents.filter((each) => each !== content);
    if (others.length > 0)
      note({
        code: "import/taken-otherwise",
        at: body.at,
        message: `the tool sends the body as \`${content.type}\`, not as ${others.map(({ type }) => quote(type)).join(", ")}`,
      });
    return { body: draft(content, bodyContext, body) };
  }
  return withoutBody(body, bodyContext.context);
}

function requiredOfGet({ at }: Body): Note {
  const message = "the operation requires a body, and a GET request has none";
  return { code: "import/operation-left-out", at, message };
}

/** Reason why a body can't be sent: its parts need names, which only `multipart/form-data` has. */
function whyNoBody(content: Content, components: DraftContext["components"]): string | undefined {
  const { schema, type } = content;
  if (!type.startsWith("multipart/")) return undefined;
  if (type !== "multipart/form-data") return `tools do not send ${quote(type)}`;
  const isNamed = propertiesOf(allOfParts(schema, components)).length > 0;
  if (isNamed || furtherParts(content, components).length > 0) return undefined;
  return `its schema names no parts for ${quote(type)}`;
}

/** Omits the body, because none of its media types can be sent. */
function withoutBody(body: Body, { components, note }: DraftContext): BodyOutcome {
  const [content] = body.contents;
  const why = content && whyNoBody(content, components);
  if (content === undefined || why === undefined) return {};
  const message = `a tool can't send the body: ${why}`;
  if (body.isRequired)
    return { broken: { code: "import/operation-left-out", at: content.at, message } };
  note({ code: "import/part-left-out", at: content.at, message });
  return {};
}

/** Checks for a form that can have no field, so there is nothing to send. */
function isNothing({ schema, type }: Content, components: DraftContext["components"]): boolean {
  const found = schema && components.resolve(schema);
  const isClosed = under(found, "additionalProperties")?.value === false;
  const hasBranches = ["allOf", "anyOf", "oneOf", "patternProperties"].some(
    (key) => under(found, key) !== undefined,
  );
  const isEmpty = entriesIn(under(found, "properties")).length === 0;
  return !isJson(type) && isClosed && isEmpty && !hasBranches;
}

function draftJson(content: Content, { context, names, take }: BodyContext, body: Body): BodyDraft {
  const type = content.type.includes("*") ? "application/json" : content.type;
  const object = content.schema && plainObject(content.schema, body, context);
  if (object !== undefined)
    return {
      kind: "properties",
      type,
      fields: fieldsOf(entriesIn(under(object, "properties")), requiredIn([object]), names, take),
    };
  return { kind: "whole", type, value: wholeBody(content, body, "body", { names, take }) };
}

function wholeBody(
  { schema }: Content,
  body: Body,
  name: string,
  { names, take }: Pick<BodyContext, "names" | "take">,
): ToolParameter {
  const converted = take(schema);
  const words = body.description === undefined ? "" : prose(body.description);
  return {
    name: freeName(name, "body", names),
    wire: name,
    schema:
      typeof converted === "boolean" || words === ""
        ? converted
        : { ...converted, description: words },
    isRequired: body.isRequired,
  };
}

/** Keywords of an object whose properties can be parameters of the tool. */
const plainKeywords =
  /^(?:type|properties|required|title|description|example|examples|additionalProperties|deprecated|xml|externalDocs|\$schema|\$id|\$comment|x-.*)$/;

/** Returns the schema of a body that is an object with exactly these properties. */
function plainObject(schema: Part, body: Body, { components }: DraftContext): Part | undefined {
  const found = components.resolve(schema);
  const properties = entriesIn(under(found, "properties"));
  if (found === undefined || !isJsonObject(found.value) || properties.length === 0)
    return undefined;
  const isPlain = Object.keys(found.value).every((key) => plainKeywords.test(key));
  const isOpen = ![undefined, false].includes(
    under(found, "additionalProperties")?.value as undefined,
  );
  const isObject = [undefined, "object"].includes(textIn(found, "type"));
  // Braces in a name would be a placeholder of the binding.
  const isNamed = properties.every(([name]) => !/\{[^{}]*\}/.test(name));
  if (!isPlain || isOpen || !isObject || !isNamed) return undefined;
  const needed = requiredIn([found]);
  return body.isRequired || needed.size === 0 ? found : undefined;
}

function requiredIn(objects: readonly Part[]): ReadonlySet<string> {
  return new Set(
    objects
      .flatMap((each) => itemsIn(under(each, "required")))
      .flatMap(({ value }) => (typeof value === "string" ? [value] : [])),
  );
}

/** Properties of a request, without `readOnly` ones, which the API sets. */
function fieldsOf(
  properties: readonly (readonly [name: string, Part])[],
  needed: ReadonlySet<string>,
  names: Set<string>,
  take: BodyContext["take"],
): readonly ToolParameter[] {
  return properties
    .filter(([, part]) => !isSet(part, "readOnly"))
    .map(([wire, part]) => ({
      name: freeName(wire, "body", names),
      wire,
      schema: take(part),
      isRequired: needed.has(wire),
    }));
}

function draftForm(content: Content, bodyContext: BodyContext, body: Body): BodyDraft {
  const open = draftOpenForm(content, bodyContext, body);
  if (open !== undefined) return open;
  const { context, names, take } = bodyContext;
  const { needed, properties } = formObject(content, context);
  if (properties.length === 0) return draftUnnamed(content, bodyContext, body);
  noteFurther(furtherFields(content, context.components), context);
  const sent = properties.filter(([wire, part]) => {
    if (isSet(part, "readOnly")) return false;
    if (!/\{[^{}]*\}/.test(wire)) return true;
    const message = `a tool can't send the field ${quote(wire)}, because its name contains braces`;
    context.note({ code: "import/part-left-out", at: content.at, message });
    return false;
  });
  const { repeats, written } = writtenFields(sent, content, context);
  const parts = new Map(written);
  const fields = fieldsOf(written, needed, names, take).map((field) => {
    const part = parts.get(field.wire);
    if (part === undefined || wireOf(part, context.components).shape !== "object") return field;
    const map = { ...field, path: field.wire, part, at: part.at };
    return { ...field, schema: withoutNames(map, [...parts.keys()], context) };
  });
  return { kind: "form", fields, repeats };
}

/**
 * Drafts a form that may have further fields, as one parameter. Undefined for other forms, and if
 * the caller has to write a field as text.
 */
function draftOpenForm(
  content: Content,
  bodyContext: BodyContext,
  body: Body,
): BodyDraft | undefined {
  const { context } = bodyContext;
  const parts = allOfParts(content.schema, context.components);
  const [first] = furtherFields(content, context.components);
  if (first === undefined) return undefined;
  const isObject = parts.every((each) => [undefined, "object"].includes(textIn(each, "type")));
  // Without a schema, a further field may be a list.
  const any: Part = first.value === true ? { ...first, value: { type: "array" } } : first;
  const named = propertiesOf(parts);
  const given = [...named, ["additionalProperties", any] as const];
  const notes: Note[] = [];
  const note = (each: Note): void => void notes.push(each);
  const { repeats, written } = writtenFields(given, content, { ...context, note });
  if (!isObject || written.some(([, part], index) => part !== given[index]?.[1])) return undefined;
  for (const each of notes) context.note(each);
  const value = wholeBody(content, body, "body", bodyContext);
  const names = named.map(([name]) => name);
  return {
    kind: "whole-form",
    value: { ...value, schema: withoutBrackets(value.schema, names) },
    repeats,
  };
}

/** Schemas of the fields that a form may have beside the named ones; empty if it has none. */
function furtherFields(
  { schema }: Content,
  components: DraftContext["components"],
): readonly Part[] {
  const all = allOfParts(schema, components).flatMap(
    (each) => under(each, "additionalProperties") ?? [],
  );
  if (all.some(({ value }) => value === false)) return [];
  return all.filter(({ value }) => value === true || isJsonObject(value));
}

function noteFurther(further: readonly Part[], { note }: DraftContext): void {
  const message = "the tool sends only the fields that the schema names, and no further ones";
  for (const { at } of further) note({ code: "import/part-left-out", at, message });
}

/** Drafts a form without named fields. The caller writes its text. */
function draftUnnamed(content: Content, bodyContext: BodyContext, body: Body): BodyDraft {
  const { note } = bodyContext.context;
  const message = "the schema names no fields of the form, so the caller writes the whole text";
  note({ code: "import/part-left-out", at: content.at, message });
  return draftText(content, bodyContext, body);
}

/** Fields of a form, its own and those from `allOf`. */
interface FormObject {
  readonly properties: readonly (readonly [name: string, Part])[];
  readonly needed: ReadonlySet<string>;
}

function formObject({ schema }: Content, { components, note }: DraftContext): FormObject {
  const parts = allOfParts(schema, components);
  const tell = (at: Part["at"], message: string): void =>
    note({ code: "import/part-left-out", at, message });
  const properties = new Map<string, Part>();
  for (const [name, part] of propertiesOf(parts)) {
    const first = properties.get(name);
    if (first === undefined) properties.set(name, part);
    else if (JSON.stringify(first.value) !== JSON.stringify(part.value))
      tell(part.at, `${quote(name)} has two schemas, and the tool uses the first`);
  }
  for (const { at, value } of properties.size === 0 ? [] : parts) {
    const unchecked = Object.keys(isJsonObject(value) ? value : {}).filter(
      (key) => key !== "allOf" && !plainKeywords.test(key),
    );
    if (unchecked.length > 0)
      tell(at, `the tool does not check ${unchecked.map(quote).join(", ")} of the form`);
  }
  return { properties: [...properties], needed: requiredIn(parts) };
}

function draftMultipart(content: Content, bodyContext: BodyContext, body: Body): BodyDraft {
  const { context, names, take } = bodyContext;
  const { needed, properties } = formObject(content, context);
  const fields = properties
    .filter(([wire, part]) => !isSet(part, "readOnly") && isPartName(wire, part, context))
    .map(([wire, part]): MultipartField => {
      const encoding = content.encoding.get(wire);
      const as = partKind(part, encoding, context.components);
      if (encoding?.headers !== undefined)
        context.note({
          code: "import/part-left-out",
          at: content.at,
          message: `the tool sends the part ${quote(wire)} without the header ${encoding.headers.map(quote).join(", ")}`,
        });
      const contentType = encoding?.contentType;
      const isList = isCalled("array", part, context.components);
      const file: JsonObject = isList
        ? { type: "array", items: fileSchema }
        : { ...fileSchema, ...descriptionOf(part) };
      return {
        name: freeName(wire, "body", names),
        wire,
        schema: as === "file" ? file : take(part),
        isRequired: needed.has(wire),
        as,
        ...(contentType !== undefined && !/[*,]/.test(contentType) && { contentType }),
      };
    });
  const further = draftFurtherParts(content, bodyContext, {
    named: properties.map(([wire]) => wire),
    needed,
    isRequired: body.isRequired && fields.length === 0,
  });
  return { kind: "multipart", fields: [...fields, ...further] };
}

/** Schemas of the further parts that a tool can send; empty for files. */
function furtherParts(content: Content, components: DraftContext["components"]): readonly Part[] {
  const further = furtherFields(content, components);
  return further.some((part) => partKind(part, undefined, components) === "file") ? [] : further;
}

/** Drafts the parameter for parts without a name in the schema; empty if there are none. */
function draftFurtherParts(
  content: Content,
  { context, names, take }: BodyContext,
  {
    isRequired,
    named,
    needed,
  }: {
    readonly isRequired: boolean;
    readonly named: readonly string[];
    readonly needed: ReadonlySet<string>;
  },
): readonly MultipartField[] {
  const further = furtherParts(content, context.components);
  if (further.length === 0) {
    noteFurther(furtherFields(content, context.components), context);
    return [];
  }
  const [first = {}, ...others] = further.map(take);
  const required = [...needed].filter((name) => !named.includes(name));
  const schema = {
    type: "object",
    description: "Further parts of the body, by name.",
    ...(required.length > 0 && { required }),
    additionalProperties: others.length === 0 ? first : { allOf: [first, ...others] },
  };
  return [
    {
      name: freeName("fields", "body", names),
      wire: "fields",
      schema: withoutParts(schema, named),
      isRequired: isRequired || required.length > 0,
      as: "fields",
    },
  ];
}

/** Checks if a binding can send a part with this name. Reports it if not. */
function isPartName(wire: string, { at }: Part, { note }: DraftContext): boolean {
  if (wire !== "" && !/["\p{Cc}\p{Cs}]|\{[^{}]*\}/u.test(wire)) return true;
  const message = `a tool can't send the part ${quote(wire)}, because its name is empty or contains a quote, a line break or braces`;
  note({ code: "import/part-left-out", at, message });
  return false;
}

/** Caller's value for a file: `{ path }` or `{ base64 }`. */
const fileSchema: JsonObject = { type: "object", "x-skillc-file": true };

function descriptionOf(part: Part): JsonObject {
  const words = textIn(part, "description");
  return words === undefined ? {} : { description: prose(words) };
}

function partKind(
  part: Part,
  encoding: Encoding | undefined,
  components: DraftContext["components"],
): "file" | "json" | "text" {
  const found = components.resolve(part);
  const item = under(found, "items");
  const each = item === undefined ? found : components.resolve(item);
  const format = textIn(each, "format");
  const media = textIn(each, "contentMediaType");
  const isBytes = media !== undefined && !isJson(media) && !textIn(each, "contentEncoding");
  if (format === "binary" || textIn(each, "type") === "file" || isBytes) return "file";
  const { shape } = wireOf(found, components);
  const isNested = shape === "list" && wireOf(item, components).shape !== "scalar";
  return shape === "object" || isNested || isJson(encoding?.contentType ?? "") ? "json" : "text";
}

function draftText(content: Content, bodyContext: BodyContext, body: Body): BodyDraft {
  const { context, names } = bodyContext;
  if (content.type.endsWith("xml"))
    context.note({
      code: "import/part-left-out",
      at: content.at,
      message:
        "the caller writes the XML of the body, and the tool does not check it against its schema",
    });
  const words = body.description === undefined ? "" : prose(body.description);
  return {
    kind: "raw",
    type: content.type,
    value: {
      name: freeName("content", "body", names),
      wire: "content",
      schema: { type: "string", ...(words !== "" && { description: words }) },
      isRequired: body.isRequired,
    },
  };
}

function draftFile(content: Content, { names }: BodyContext, body: Body): BodyDraft {
  const words = body.description === undefined ? "" : prose(body.description);
  return {
    kind: "raw",
    type: content.type.includes("*") ? "application/octet-stream" : content.type,
    value: {
      name: freeName("content", "body", names),
      wire: "content",
      schema: { ...fileSchema, ...(words !== "" && { description: words }) },
      isRequired: body.isRequired,
    },
  };
}
