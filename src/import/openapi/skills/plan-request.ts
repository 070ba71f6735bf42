/** What a call of an operation takes, and where it goes in the request. */
import { isJsonObject, type JsonObject, type JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Body, Content, Encoding, Operation, Parameter } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import { entriesIn, isSet, itemsIn, textIn, under } from "../read/parts.js";
import type { Components } from "./components.js";
import { prose } from "../../skills/texts.js";

/** One parameter of a tool. */
export interface ToolParameter {
  /** Its name in the tool; `wire` is what the API calls it. */
  readonly name: string;
  readonly wire: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Whether a value is an object, or may be one: what is written of it depends on its style. */
  readonly shape: Shape;
}

export type Shape = "scalar" | "list" | "object";

export interface PlacedParameter extends ToolParameter {
  readonly source: Parameter;
}

export type PlannedBody =
  | {
      readonly kind: "properties";
      readonly type: string;
      readonly fields: readonly ToolParameter[];
    }
  | { readonly kind: "whole"; readonly type: string; readonly value: ToolParameter }
  | { readonly kind: "form"; readonly fields: readonly ToolParameter[]; readonly nested: boolean }
  | { readonly kind: "multipart"; readonly fields: readonly MultipartField[] }
  | { readonly kind: "raw"; readonly type: string; readonly value: ToolParameter };

export interface MultipartField extends ToolParameter {
  readonly as: "file" | "json" | "text";
  readonly contentType?: string;
}

export interface PlannedRequest {
  readonly placed: readonly PlacedParameter[];
  readonly body?: PlannedBody;
  /** Names of the components that the parameters refer to. */
  readonly uses: ReadonlySet<string>;
  readonly broken?: Note;
}

/** What plans are made with. */
export interface PlanContext {
  readonly components: Components;
  /** Where components are, from the tool's file: `./schemas/`. */
  readonly folder: string;
  readonly note: (note: Note) => void;
}

export function planRequest(operation: Operation, context: PlanContext): PlannedRequest {
  const names = new Set<string>();
  const uses = new Set<string>();
  let broken: Note | undefined;
  const take = (part: Part | undefined): JsonSchema => {
    if (part === undefined) return {};
    const converted = context.components.convert(part, context.folder, context.note);
    for (const each of converted.uses) uses.add(each);
    broken ??= converted.broken;
    return converted.schema;
  };
  const sendable = inOrder(operation, context).filter((source) => {
    const reason = whyUnsendable(source);
    if (reason === undefined) return true;
    const message = `the parameter ${quote(source.name)} can't be sent: ${reason}`;
    const code = source.isRequired ? "import/operation-left-out" : "import/part-left-out";
    if (source.isRequired) broken ??= { code, at: source.at, message };
    else context.note({ code, at: source.at, message });
    return false;
  });
  const placed = sendable.map((source): PlacedParameter => {
    const schema = usableDefault(described(take(source.schema), source), source, context);
    return {
      name: freeName(source.name, source.in, names),
      wire: source.name,
      schema: source.mediaType === undefined ? schema : asText(source, context),
      isRequired: source.isRequired,
      shape: source.mediaType === undefined ? shapeOf(source.schema, context) : "scalar",
      source,
    };
  });
  const body = operation.body && planBody(operation.body, operation, { context, names, take });
  return { placed, uses, ...(body && { body }), ...(broken && { broken }) };
}

/** No segment of a path is empty, or leads elsewhere. */
function usableDefault(schema: JsonSchema, source: Parameter, { note }: PlanContext): JsonSchema {
  if (source.in !== "path" || typeof schema === "boolean") return schema;
  const { default: value, ...others } = schema;
  if (typeof value !== "string" || !/^\.{0,2}$/.test(value)) return schema;
  const message = `the default of ${quote(source.name)} can't stand in a path, and is left out`;
  note({ code: "import/part-left-out", at: source.at, message });
  return others;
}

/** Why HTTP or a binding has no room for a name there. */
export function whyUnsendable({
  in: where,
  name,
}: Pick<Parameter, "in" | "name">): string | undefined {
  if (where === "path") return undefined;
  if (where === "query")
    return /[{}]|\p{Cs}/u.test(name) ? "its name holds a brace, or no character" : undefined;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `it is no name of a ${where}`;
  const isConnection =
    /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect)$/i;
  return where === "header" && isConnection.test(name) ? "it belongs to the connection" : undefined;
}

const order = ["path", "query", "header", "cookie"];

/** Those that the path names and nobody declares are declared as text. */
function inOrder(operation: Operation, { note }: PlanContext): readonly Parameter[] {
  const { at, parameters, path } = operation;
  const named = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const fitting = parameters.filter((each) => {
    if (each.in !== "path" || named.includes(each.name)) return true;
    note({
      code: "import/part-left-out",
      at: each.at,
      message: `the path has no \`{${each.name}}\`, so that the parameter stands nowhere`,
    });
    return false;
  });
  const missing = [...new Set(named)].filter(
    (name) => !fitting.some((each) => each.in === "path" && each.name === name),
  );
  const made = missing.map((name): Parameter => {
    note({
      code: "import/part-left-out",
      at,
      message: `no parameter ${quote(name)} is declared for the path, so that any text is taken`,
    });
    return {
      name,
      in: "path",
      isRequired: true,
      isDeprecated: false,
      style: "simple",
      explode: false,
      allowReserved: false,
      schema: { value: { type: "string" }, at },
      at,
    };
  });
  const rank = ({ in: where }: Parameter): number => order.indexOf(where);
  return [...fitting, ...made].toSorted((a, b) => rank(a) - rank(b));
}

/** Names that mean something else where a binding refers to a parameter, or that no object has. */
const taken: ReadonlySet<string> = new Set(["caller", "__proto__"]);

/**
 * The name of a parameter, or the nearest to it that a reference and a model can hold. Of two that
 * are called alike the path's comes first, then those of query, headers, cookies and body; the
 * others say where they stand.
 */
export function freeName(wire: string, where: string, names: Set<string>): string {
  const plain = wire
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .slice(0, longestName);
  const trimmed = /[^A-Za-z0-9_-]/.test(wire) ? plain.replace(/^_+|_+$/g, "") : plain;
  const isFree = (name: string): boolean => name !== "" && !taken.has(name) && !names.has(name);
  const own = `${where}_${trimmed.replace(/^_+|_+$/g, "") || "value"}`;
  let name = isFree(trimmed) ? trimmed : own;
  for (let number = 2; !isFree(name); number += 1) name = `${own}_${number}`;
  names.add(name);
  return name;
}

/** Model APIs take names of at most 64 characters. */
const longestName = 50;

/** What is said of a parameter beside its schema. */
function described(
  schema: JsonSchema,
  { description, example, isDeprecated }: Parameter,
): JsonSchema {
  const own = schema === true || schema === false ? {} : schema;
  const words = description === undefined ? "" : prose(description);
  return {
    ...own,
    ...(words !== "" && { description: words }),
    ...(isDeprecated && { deprecated: true }),
    ...(example !== undefined && own["examples"] === undefined && { examples: [example.value] }),
  };
}

/** A parameter that is written in a media type of its own: its text is the caller's to write. */
function asText(source: Parameter, { note }: PlanContext): JsonObject {
  note({
    code: "import/part-left-out",
    at: source.at,
    message: `${quote(source.name)} is taken as text that the caller writes as ${quote(source.mediaType ?? "")}`,
  });
  const words = source.description === undefined ? "" : prose(source.description);
  return {
    type: "string",
    contentMediaType: prose(source.mediaType ?? ""),
    ...(words !== "" && { description: words }),
  };
}

/** What values of a schema are, as far as its own words and those of its `$ref` tell. */
export function shapeOf(part: Part | undefined, { components }: PlanContext): Shape {
  const found = part && components.resolve(part);
  const type = under(found, "type")?.value;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("array")) return "list";
  const isObject = ["properties", "additionalProperties"].some((key) => under(found, key));
  return types.includes("object") || (type === undefined && isObject) ? "object" : "scalar";
}

interface BodyContext {
  readonly context: PlanContext;
  readonly names: Set<string>;
  readonly take: (part: Part | undefined) => JsonSchema;
}

const isJson = (type: string): boolean => /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type);

/** The media types that a body is sent as, the best first. */
const preferred: readonly (readonly [(type: string) => boolean, Plan])[] = [
  [isJson, planJson],
  [(type) => type === "application/x-www-form-urlencoded", planForm],
  [(type) => type === "multipart/form-data", planMultipart],
  [(type) => /^text\/|\bxml$/.test(type), planText],
  [(type) => type === "*/*" || type === "application/*", planJson],
  [() => true, planFile],
];

type Plan = (content: Content, body: Body, bodyContext: BodyContext) => PlannedBody;

function planBody(
  body: Body,
  { method }: Operation,
  bodyContext: BodyContext,
): PlannedBody | undefined {
  const { note } = bodyContext.context;
  if (method === "GET") {
    const message = "a GET has no body, and none is sent";
    note({ code: "import/part-left-out", at: body.at, message });
    return undefined;
  }
  for (const [fits, plan] of preferred) {
    const content = body.contents.find((each) => fits(each.type));
    if (content === undefined) continue;
    const others = body.contents.filter((each) => each !== content);
    if (others.length > 0)
      note({
        code: "import/part-left-out",
        at: body.at,
        message: `the body is sent as \`${content.type}\`, and not as ${others.map(({ type }) => quote(type)).join(", ")}`,
      });
    return plan(content, body, bodyContext);
  }
  return undefined;
}

function planJson(
  content: Content,
  body: Body,
  { context, names, take }: BodyContext,
): PlannedBody {
  const type = content.type.includes("*") ? "application/json" : content.type;
  const object = content.schema && plainObject(content.schema, body, context);
  if (object !== undefined)
    return { kind: "properties", type, fields: fieldsOf(object, names, take, context) };
  return { kind: "whole", type, value: wholeBody(content, body, "body", { context, names, take }) };
}

function wholeBody(
  { schema }: Content,
  body: Body,
  name: string,
  { context, names, take }: BodyContext,
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
    shape: shapeOf(schema, context),
  };
}

/** Keywords of an object whose properties can be parameters of the tool. */
const plainKeywords =
  /^(?:type|properties|required|title|description|example|examples|additionalProperties|deprecated|xml|externalDocs|\$schema|\$id|\$comment|x-.*)$/;

/** The schema of a body that is an object of these properties and nothing else. */
function plainObject(schema: Part, body: Body, { components }: PlanContext): Part | undefined {
  const found = components.resolve(schema);
  const properties = entriesIn(under(found, "properties"));
  if (found === undefined || !isJsonObject(found.value) || properties.length === 0)
    return undefined;
  const isPlain = Object.keys(found.value).every((key) => plainKeywords.test(key));
  const isOpen = ![undefined, false].includes(
    under(found, "additionalProperties")?.value as undefined,
  );
  const isObject = [undefined, "object"].includes(textIn(found, "type"));
  if (!isPlain || isOpen || !isObject) return undefined;
  const needed = requiredIn(found);
  return body.isRequired || needed.size === 0 ? found : undefined;
}

function requiredIn(object: Part): ReadonlySet<string> {
  return new Set(
    itemsIn(under(object, "required")).flatMap(({ value }) =>
      typeof value === "string" ? [value] : [],
    ),
  );
}

/** The properties that a request may hold: what is `readOnly` is the API's to fill in. */
function fieldsOf(
  object: Part,
  names: Set<string>,
  take: BodyContext["take"],
  context: PlanContext,
): readonly ToolParameter[] {
  const needed = requiredIn(object);
  return entriesIn(under(object, "properties"))
    .filter(([, part]) => !isSet(part, "readOnly"))
    .map(([wire, part]) => ({
      name: freeName(wire, "body", names),
      wire,
      schema: take(part),
      isRequired: needed.has(wire),
      shape: shapeOf(part, context),
    }));
}

function planForm(content: Content, body: Body, bodyContext: BodyContext): PlannedBody {
  const { context } = bodyContext;
  const object = formObject(content, context);
  if (object === undefined) return planUnnamed(content, body, bodyContext);
  const fields = fieldsOf(object, bodyContext.names, bodyContext.take, context);
  const nested = [...content.encoding.values()].some(({ style }) => style === "deepObject");
  return { kind: "form", fields, nested };
}

/** A form whose fields nobody names: its text is the caller's to write. */
function planUnnamed(content: Content, body: Body, bodyContext: BodyContext): PlannedBody {
  const { note } = bodyContext.context;
  const message = "the fields of the form are not named, so that its text is the caller's to write";
  note({ code: "import/part-left-out", at: content.at, message });
  return planText(content, body, bodyContext);
}

function formObject(content: Content, context: PlanContext): Part | undefined {
  const found = content.schema && context.components.resolve(content.schema);
  if (found === undefined || entriesIn(under(found, "properties")).length === 0) return undefined;
  const unsaid = Object.keys(isJsonObject(found.value) ? found.value : {}).filter(
    (key) => !plainKeywords.test(key),
  );
  if (unsaid.length > 0)
    context.note({
      code: "import/part-left-out",
      at: found.at,
      message: `${unsaid.map(quote).join(", ")} of the form is not checked`,
    });
  return found;
}

function planMultipart(content: Content, body: Body, bodyContext: BodyContext): PlannedBody {
  const { context, names, take } = bodyContext;
  const object = formObject(content, context);
  if (object === undefined) return planUnnamed(content, body, bodyContext);
  const needed = requiredIn(object);
  const fields = entriesIn(under(object, "properties"))
    .filter(([wire, part]) => !isSet(part, "readOnly") && isPartName(wire, part, context))
    .map(([wire, part]): MultipartField => {
      const encoding = content.encoding.get(wire);
      const as = partKind(part, encoding, context);
      const contentType = encoding?.contentType;
      const isList = shapeOf(part, context) === "list";
      const file: JsonObject = isList
        ? { type: "array", items: fileSchema }
        : { ...fileSchema, ...descriptionOf(part) };
      return {
        name: freeName(wire, "body", names),
        wire,
        schema: as === "file" ? file : take(part),
        isRequired: needed.has(wire),
        shape: shapeOf(part, context),
        as,
        ...(contentType !== undefined && !/[*,]/.test(contentType) && { contentType }),
      };
    });
  return { kind: "multipart", fields };
}

/** Whether a binding takes the name of a part; what it doesn't is told. */
function isPartName(wire: string, { at }: Part, { note }: PlanContext): boolean {
  if (wire !== "" && !/["\p{Cc}\p{Cs}]|\{[^{}]*\}/u.test(wire)) return true;
  const message = `the part ${quote(wire)} can't be sent: its name is empty, or holds a quote, a line end or braces`;
  note({ code: "import/part-left-out", at, message });
  return false;
}

/** What a caller gives for a file: `{ path }` or `{ base64 }`. */
const fileSchema: JsonObject = { type: "object", "x-skillc-file": true };

function descriptionOf(part: Part): JsonObject {
  const words = textIn(part, "description");
  return words === undefined ? {} : { description: prose(words) };
}

function partKind(
  part: Part,
  encoding: Encoding | undefined,
  context: PlanContext,
): MultipartField["as"] {
  const found = context.components.resolve(part);
  const item = under(found, "items");
  const each = item === undefined ? found : context.components.resolve(item);
  const format = textIn(each, "format");
  const media = textIn(each, "contentMediaType");
  const isBytes = media !== undefined && !isJson(media) && !textIn(each, "contentEncoding");
  if (format === "binary" || textIn(each, "type") === "file" || isBytes) return "file";
  const shape = shapeOf(part, context);
  const isNested = shape === "list" && shapeOf(item, context) !== "scalar";
  return shape === "object" || isNested || isJson(encoding?.contentType ?? "") ? "json" : "text";
}

function planText(content: Content, body: Body, bodyContext: BodyContext): PlannedBody {
  const { context, names } = bodyContext;
  if (content.type.endsWith("xml"))
    context.note({
      code: "import/part-left-out",
      at: content.at,
      message: "the body is XML that the caller writes: nothing holds it to its schema",
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
      shape: "scalar",
    },
  };
}

function planFile(content: Content, body: Body, { names }: BodyContext): PlannedBody {
  const words = body.description === undefined ? "" : prose(body.description);
  return {
    kind: "raw",
    type: content.type.includes("*") ? "application/octet-stream" : content.type,
    value: {
      name: freeName("content", "body", names),
      wire: "content",
      schema: { ...fileSchema, ...(words !== "" && { description: words }) },
      isRequired: body.isRequired,
      shape: "object",
    },
  };
}
