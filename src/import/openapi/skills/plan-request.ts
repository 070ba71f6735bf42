/** What a call of an operation takes, and where it goes in the request. */
import { isJsonObject, type JsonObject, type JsonSchema, setOwn } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import {
  type Body,
  type Content,
  type Encoding,
  type Operation,
  type Parameter,
  sentPath,
} from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import { entriesIn, isSet, itemsIn, textIn, under } from "../read/parts.js";
import type { Components } from "./components.js";
import { prose } from "../../skills/texts.js";
import { type Shape, typesWithoutNull, wireOf } from "./wire-shape.js";

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
  const take: Take = (part) => {
    if (part === undefined) return {};
    const converted = context.components.convert(part, context.folder, context.note);
    for (const each of converted.uses) uses.add(each);
    broken ??= converted.broken;
    return converted.schema;
  };
  const written = new Set(namesInQuery(operation));
  const sendable = inOrder(operation, context).filter((source) => {
    const given = whyGiven(source, written);
    const reason = given ?? whyUnsendable(source) ?? whyNoText(source, context);
    if (reason === undefined) return true;
    const message = `the parameter ${quote(source.name)} can't be sent: ${reason}`;
    const isNeeded = source.isRequired && given === undefined;
    const code = isNeeded ? "import/operation-left-out" : "import/part-left-out";
    if (isNeeded) broken ??= { code, at: source.at, message };
    else context.note({ code, at: source.at, message });
    return false;
  });
  const placed = sendable.map((source): PlacedParameter => {
    const name = freeName(source.name, source.in, names);
    const { isRequired } = source;
    return { name, wire: source.name, isRequired, source, ...valueOf(source, take, context) };
  });
  const body = operation.body && planBody(operation.body, operation, { context, names, take });
  broken ??= impossibleIn([...placed, ...fieldsIn(body)], operation, context);
  return { placed, uses, ...(body && { body }), ...(broken && { broken }) };
}

/** The parameters of a tool that a body's parts are. */
export function fieldsIn(body: PlannedBody | undefined): readonly ToolParameter[] {
  if (body === undefined) return [];
  return "fields" in body ? body.fields : [body.value];
}

/** No call can be made where no value fits what it needs. */
function impossibleIn(
  parameters: readonly ToolParameter[],
  { at }: Operation,
  { components, folder }: PlanContext,
): Note | undefined {
  const needed = parameters.filter(({ isRequired }) => isRequired);
  if (needed.length === 0) return undefined;
  const properties: Record<string, JsonSchema> = {};
  for (const { schema, wire } of needed) setOwn(properties, wire, schema);
  const all = { type: "object", required: needed.map(({ wire }) => wire), properties };
  const why = components.whyNoValue(all, folder);
  const message = `no value fits what is required: ${why}`;
  return why === undefined ? undefined : { code: "import/operation-left-out", at, message };
}

type Take = (part: Part | undefined) => JsonSchema;

/** What callers give for a parameter outside of the body. */
function valueOf(
  source: Parameter,
  take: Take,
  context: PlanContext,
): Pick<ToolParameter, "schema" | "shape"> {
  const { note } = context;
  const name = quote(source.name);
  if (source.mediaType !== undefined) {
    const why = `${name} is taken as text that the caller writes as ${quote(source.mediaType)}`;
    return { schema: asText(source, why, context), shape: "scalar" };
  }
  const wire = wireOf(source.schema, context.components);
  if (wire.isDeep && source.style !== "deepObject") {
    const why = `${name} is taken as text that the caller writes: the style \`${source.style}\` has no way to write what is inside of it`;
    return { schema: asText(source, why, context), shape: "scalar" };
  }
  const taken = take(source.schema);
  const isNarrowed = source.style !== "deepObject" && wire.lost !== undefined;
  if (isNarrowed)
    note({ code: "import/part-left-out", at: source.at, message: `of ${name} ${wire.lost}` });
  const own = typeof taken === "boolean" ? {} : taken;
  const all = Array.isArray(own["allOf"]) ? own["allOf"] : [];
  const schema = {
    ...own,
    ...(isNarrowed && { allOf: [...all, wire.narrowed] }),
    // A path has no place for nothing.
    ...(source.in === "path" &&
      wire.isNullable && { type: typesWithoutNull(source.schema, context.components) }),
  };
  return {
    schema: usableDefault(described(schema, source), source, context),
    shape: wire.shape,
  };
}

/** No segment of a path is empty, or leads elsewhere. */
function usableDefault(schema: JsonSchema, source: Parameter, { note }: PlanContext): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { default: value, ...others } = schema;
  if (typeof value !== "string" || isSendable(source.in, value)) return schema;
  const message = `the default of ${quote(source.name)} can't stand in a ${source.in}, and is left out`;
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
  return where === "header" && connection.test(name) ? "it belongs to the connection" : undefined;
}

const connection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect)$/i;

/**
 * Why a request has the parameter without the caller: it is no loss, also where it is required.
 *
 * @param written what stands in the request so far; the parameter is added to it
 */
function whyGiven({ in: where, name }: Parameter, written: Set<string>): string | undefined {
  if (where === "header" && connection.test(name)) return "it belongs to the connection";
  // Case makes no difference in header names.
  const key = `${where} ${where === "header" ? name.toLowerCase() : name}`;
  if (!written.has(key)) return void written.add(key);
  return where === "header" ? "another header has its name" : "the path has it already";
}

function namesInQuery({ path }: Operation): readonly string[] {
  const [, query = ""] = sentPath(path).split("?");
  return [...new URLSearchParams(query).keys()].map((name) => `query ${name}`);
}

/** Why none of the values that are listed for it can stand there. */
function whyNoText(
  { in: where, schema }: Parameter,
  { components }: PlanContext,
): string | undefined {
  const found = schema && components.resolve(schema);
  const values = itemsIn(under(found, "enum")).map(({ value }) => value);
  const fits = values.some((value) => typeof value !== "string" || isSendable(where, value));
  return values.length === 0 || fits ? undefined : `none of its values can stand in a ${where}`;
}

/** Of headers, what HTTP takes; of segments, what leads nowhere else. */
function isSendable(where: Parameter["in"], text: string): boolean {
  if (where === "path") return !/^\.{0,2}$/.test(text);
  return where !== "header" || /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

const order = ["path", "query", "header", "cookie"];

/** Those that the path names and nobody declares are declared as text. */
function inOrder(operation: Operation, { note }: PlanContext): readonly Parameter[] {
  const { at, parameters } = operation;
  const named = [...sentPath(operation.path).matchAll(/\{([^{}]+)\}/g)].map(
    ([, name = ""]) => name,
  );
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

/** A parameter that no style writes: its text is the caller's to write. */
function asText(source: Parameter, why: string, { note }: PlanContext): JsonObject {
  note({ code: "import/part-left-out", at: source.at, message: why });
  const { mediaType } = source;
  const words = source.description === undefined ? "" : prose(source.description);
  return {
    type: "string",
    ...(mediaType !== undefined && { contentMediaType: prose(mediaType) }),
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
  readonly take: Take;
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
  // In a name of a binding, braces are a placeholder.
  const isNamed = properties.every(([name]) => !/\{[^{}]*\}/.test(name));
  if (!isPlain || isOpen || !isObject || !isNamed) return undefined;
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
  const all = fieldsOf(object, bodyContext.names, bodyContext.take, context);
  const fields = all.filter(({ wire }) => {
    if (!/\{[^{}]*\}/.test(wire)) return true;
    const message = `the field ${quote(wire)} can't be sent: its name holds braces`;
    context.note({ code: "import/part-left-out", at: content.at, message });
    return false;
  });
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
  const { shape } = wireOf(found, context.components);
  const isNested = shape === "list" && wireOf(item, context.components).shape !== "scalar";
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
