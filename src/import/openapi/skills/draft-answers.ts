/**
 * Derives a tool's responses from an operation: types of its successes, names of its statuses,
 * types of its errors.
 */
import { STATUS_CODES } from "node:http";
import type { JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Content, Operation, Response } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import { under } from "../read/parts.js";
import { allOfParts, propertiesOf } from "./all-of.js";
import { eventData } from "./event-data.js";
import { createTakenSchemas, type DraftContext } from "./draft-context.js";

export type AnswerForm = "json" | "text" | "bytes" | "any" | "ndjson" | "sse";

export interface AnswersDraft {
  /** JSON body of the first success, or an item of its stream; absent if the document has none. */
  readonly response?: JsonSchema;
  /** Data of a success that is no JSON, or that has no body. */
  readonly returns?: JsonSchema;
  readonly form: AnswerForm;
  /** Value of the header `Accept`; absent if the form sends the right one by default. */
  readonly accept?: string;
  /** Schema of the errors without their own schema. */
  readonly error?: JsonSchema;
  /** Statuses by code or range, in ascending order. */
  readonly statuses: readonly StatusDraft[];
  /** Headers of the successes, as the document writes them. */
  readonly headers: readonly string[];
  /** Set if a `Link` header leads from one page to the next. */
  readonly pages?: PagesDraft;
  readonly uses: ReadonlySet<string>;
  readonly broken?: Note;
}

export interface PagesDraft {
  /** JSONPath of the list in a page; absent if the page itself is the list. */
  readonly items?: string;
}

export interface StatusDraft {
  /** Code or range: `404`, `4XX`. */
  readonly code: string;
  readonly name: string;
  /** Set if the body differs from other responses of the same kind. */
  readonly schema?: JsonSchema;
}

export function draftAnswers(operation: Operation, context: DraftContext): AnswersDraft {
  const schemas = createTakenSchemas(context);
  const take = (part: Part): JsonSchema => {
    const schema = schemas.take(part);
    const why = context.components.whyNoValue(schema, context.folder);
    if (why === undefined) return schema;
    const message = `no value fits this schema, so the tool accepts any value: ${why}`;
    context.note({ code: "import/part-left-out", at: part.at, message });
    return {};
  };
  const responses = operation.responses.map((each) =>
    withMediaTypes(withoutContent(each, context), context),
  );
  const sorted = responses
    .filter(({ status }) => /^[1-5](?:\d\d|XX)$/.test(status))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1));
  reportOdd(responses, context);
  const fallback = responses.find(({ status }) => status === "default");
  const successes = sorted.filter(({ status }) => status.startsWith("2"));
  // Without a 2xx response, `default` describes the success.
  const first = primary(successes) ?? (successes.length === 0 ? fallback : undefined);
  const chosen = first && contentOf(first, context);
  const isEmpty = successes.length > 0 && successes.every(({ status }) => /^20[45]$/.test(status));
  const form = chosen === undefined ? (isEmpty ? "json" : "any") : formOf(chosen.type);
  if (form === "any") reportUnknown(operation, first, context);
  const accept = first && chosen && acceptOf(first, chosen);
  const success = first && successOf(first, chosen, form, take, context);
  reportRedirects(operation, context);
  const others = sorted.filter((each) => each !== first && !/^[13](?!04)/.test(each.status));
  const errors = others.filter(({ status }) => /^[45]/.test(status));
  const shared = sharedError(errors, fallback === first ? undefined : fallback, take, context);
  const named = [...(first && first.status !== "200" ? [first] : []), ...others]
    .toSorted((a, b) => (a.status < b.status ? -1 : 1))
    .flatMap((each) => statusOf(each, { first, success, shared, form, take }, context));
  const statuses = withinRange(named, successes);
  const headers = answerHeaders(successes, context);
  const isPaged = headers.some((name) => name.toLowerCase() === "link");
  const pages =
    isPaged && first
      ? pagesOf(operation, first, form === "json" ? chosen : undefined, context)
      : undefined;
  const broken = schemas.broken();
  return {
    ...(success !== undefined &&
      (chosen && form !== "text" ? { response: success } : { returns: success })),
    form,
    ...(accept !== undefined && { accept }),
    ...(shared !== undefined && { error: shared }),
    statuses,
    headers,
    ...(pages && { pages }),
    uses: schemas.uses,
    ...(broken && { broken }),
  };
}

/** Reports a success without a described body. The body of a write is often empty. */
function reportUnknown(
  { at, method }: Operation,
  response: Response | undefined,
  { note }: DraftContext,
): void {
  note({
    code: method === "GET" ? "import/part-left-out" : "import/taken-otherwise",
    at: response?.at ?? at,
    message:
      "the document does not describe the body of a success, so the tool reads JSON, text or bytes by the content type",
    help: "describe the body in metadata.yaml: replace `response: any` of the tool's binding by `response: bytes` or `response: text`, or for JSON by `response_schema`",
  });
}

/** Removes the body of statuses that never have one, whatever the document describes. */
function withoutContent(response: Response, { note }: DraftContext): Response {
  const [first] = response.contents;
  if (first === undefined || !/^(?:20[45]|304)$/.test(response.status)) return response;
  const message = `a response with status ${response.status} has no body, so the import ignores ${quote(first.type)}`;
  note({ code: "import/part-left-out", at: first.at, message });
  return { ...response, contents: [] };
}

/** Removes contents whose type is no media type, such as `xls`: their form is unknown. */
function withMediaTypes(response: Response, { note }: DraftContext): Response {
  const odd = response.contents.filter(({ type }) => !mediaType.test(type));
  for (const { at, written } of odd)
    note({
      code: "import/part-left-out",
      at,
      message: `${quote(written)} is not a media type, so the import ignores this content`,
    });
  const contents = response.contents.filter((each) => !odd.includes(each));
  return odd.length === 0 ? response : { ...response, contents };
}

function reportOdd(responses: readonly Response[], { note }: DraftContext): void {
  for (const { at, status } of responses)
    if (status !== "default" && !/^[1-5](?:\d\d|XX)$/.test(status))
      note({
        code: "import/part-left-out",
        at,
        message: `${quote(status)} is not an HTTP status, so the import ignores this response`,
      });
}

/**
 * Reports redirects, which get no status of a tool because a call may follow them. Other codes of
 * their hundred get none either.
 */
function reportRedirects({ method, responses }: Operation, { note }: DraftContext): void {
  for (const { at, status } of responses) {
    if (!/^3(?:\d\d|XX)$/.test(status) || status === "304") continue;
    const isFollowed = method === "GET" ? /^30[12378]|XX$/ : /^30[378]|XX$/;
    note({
      code: "import/part-left-out",
      at,
      message: isFollowed.test(status)
        ? `the redirect ${status} gets no status name: skillc follows it within the API's own origin, and returns \`error\` for other origins`
        : `the redirect ${status} gets no status name: skillc does not follow it, and returns \`error\``,
    });
  }
}

/** Lists the headers of the successes, except for those that results can't contain. */
function answerHeaders(successes: readonly Response[], { note }: DraftContext): readonly string[] {
  return [...new Set(successes.flatMap((each) => each.headers))].filter((name) => {
    if (!/^set-cookie2?$/i.test(name)) return true;
    const message = `the header ${quote(name)} may be a credential, so the result does not contain it`;
    for (const { at, headers } of successes)
      if (headers.includes(name)) note({ code: "import/part-left-out", at, message });
    return false;
  });
}

/** Returns the main success: the first with a body, or the first. */
function primary(successes: readonly Response[]): Response | undefined {
  return successes.find(({ contents }) => contents.length > 0) ?? successes[0];
}

/** Form of a body that the document describes. */
type KnownForm = Exclude<AnswerForm, "any">;

/** Response form for each media type. */
const forms: readonly (readonly [RegExp, KnownForm])[] = [
  [/^(?:application|text)\/(?:[\w.-]+\+)?json$/, "json"],
  [/^(?:application\/(?:x-)?(?:ndjson|jsonl|json-lines)|application\/jsonlines)$/, "ndjson"],
  [/^text\/event-stream$/, "sse"],
  [/^text\/|[/+]xml$/, "text"],
  [/^(?:\*\/\*|application\/\*)$/, "json"],
];

function formOf(type: string): KnownForm {
  return forms.find(([pattern]) => pattern.test(type))?.[1] ?? "bytes";
}

/** Order of preference. Text and bytes rank equally, so the document's order decides. */
const ranks: Readonly<Record<KnownForm, number>> = {
  json: 0,
  ndjson: 1,
  sse: 2,
  text: 3,
  bytes: 3,
};

function contentOf(response: Response, context: DraftContext): Content | undefined {
  const { note } = context;
  const [best, ...others] = response.contents.toSorted(
    (a, b) => ranks[formOf(a.type)] - ranks[formOf(b.type)],
  );
  const different = others.filter((each) => best && formOf(each.type) !== formOf(best.type));
  if (best !== undefined && different.length > 0)
    note({
      code: "import/taken-otherwise",
      at: response.at,
      message: `the tool reads the response as \`${best.type}\`, not as ${different.map(({ type }) => quote(type)).join(", ")}`,
    });
  if (best !== undefined) reportOtherSchemas(best, others, context);
  if (best !== undefined && formOf(best.type) === "bytes" && best.itemSchema !== undefined)
    note({
      code: "import/part-left-out",
      at: best.at,
      message: `the tool returns ${quote(best.type)} as bytes, not as separate items`,
    });
  if (best !== undefined && /[/+]xml$/.test(best.type))
    note({
      code: "import/part-left-out",
      at: best.at,
      message: "the tool returns XML as text, and does not check it against its schema",
    });
  return best;
}

/** Reports media types that are read in the same way but have another schema. */
function reportOtherSchemas(
  best: Content,
  others: readonly Content[],
  { note }: DraftContext,
): void {
  const form = formOf(best.type);
  if (form === "text" || form === "bytes") return;
  for (const other of others) {
    const text = schemaText(other);
    if (formOf(other.type) !== form || text === undefined || text === schemaText(best)) continue;
    note({
      code: "import/taken-otherwise",
      at: other.at,
      message: `the tool checks the response against the schema of ${quote(best.type)}, not of ${quote(other.type)}`,
    });
  }
}

/** First media type in the default header `Accept` of each form. */
const usualTypes: Readonly<Partial<Record<KnownForm, string>>> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  sse: "text/event-stream",
};

/**
 * Header `Accept` for a response: the media types that the tool reads in the same way, as the
 * document writes them.
 */
function acceptOf({ contents }: Response, best: Content): string | undefined {
  const form = formOf(best.type);
  if (best.type === usualTypes[form] || best.type === "*/*") return undefined;
  const alike = contents.filter(
    (each) => formOf(each.type) === form && schemaText(each) === schemaText(best),
  );
  const types = [best, ...alike].map(({ written }) =>
    written.replace(/; *charset=[^;]*/gi, "").trim(),
  );
  const valid = [...new Set(types)].filter((each) => mediaType.test(each));
  return valid.length === 0 ? undefined : [...valid, "*/*;q=0.1"].join(", ");
}

/** A media type with parameters (RFC 9110, 8.3.1). */
const mediaType =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *; *[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[ !#-[\]-~]*"))*$/;

function schemaText({ itemSchema, schema }: Content): string | undefined {
  return JSON.stringify((itemSchema ?? schema)?.value);
}

type Take = (part: Part) => JsonSchema;

function successOf(
  { status }: Response,
  content: Content | undefined,
  form: AnswerForm,
  take: Take,
  context: DraftContext,
): JsonSchema | undefined {
  if (content === undefined) return /^20[45]$/.test(status) ? { type: "null" } : undefined;
  if (form === "text") return { type: "string" };
  if (form === "bytes") return undefined;
  if (form === "sse" && content.itemSchema !== undefined)
    return eventData(content.itemSchema, take, context);
  const part = content.itemSchema ?? content.schema;
  return part && take(part);
}

/** Items of a page: the response itself, or its only list. */
function pagesOf(
  { method }: Operation,
  { at }: Response,
  content: Content | undefined,
  { components, note }: DraftContext,
): PagesDraft | undefined {
  if (method !== "GET") {
    const message = `a \`Link\` header leads to the next page, but skillc reads pages only with GET, and this is a ${method}`;
    note({ code: "import/part-left-out", at, message });
    return undefined;
  }
  const schema = content?.schema && components.resolve(content.schema);
  if (schema !== undefined && isList(schema)) return {};
  const lists = propertiesOf(allOfParts(schema, components)).filter(([, part]) => {
    const found = components.resolve(part);
    return found !== undefined && isList(found);
  });
  const [only, ...others] = new Set(lists.map(([name]) => name));
  if (only !== undefined && others.length === 0) return { items: `$${memberPath(only)}` };
  note({
    code: "import/part-left-out",
    at,
    message: `a \`Link\` header leads to the next page, but the response has ${only === undefined ? "no list" : "several lists"}`,
    help: "name the list of items with `paginate` in the tool's binding in metadata.yaml",
  });
  return undefined;
}

function isList(schema: Part): boolean {
  const type = under(schema, "type")?.value;
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}

/** Returns a member's name as a step of JSONPath. */
function memberPath(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The default error of all statuses: `default`, or an error that all statuses share. */
function sharedError(
  errors: readonly Response[],
  fallback: Response | undefined,
  take: Take,
  context: DraftContext,
): JsonSchema | undefined {
  const own = fallback && jsonSchemaOf(fallback, take, context);
  if (own !== undefined) return own;
  const all = errors
    .map((each) => jsonSchemaOf(each, take, context))
    .filter((each) => each !== undefined);
  const texts = new Set(all.map((each) => JSON.stringify(each)));
  return texts.size === 1 ? all[0] : undefined;
}

function jsonSchemaOf(
  response: Response,
  take: Take,
  { note }: DraftContext,
): JsonSchema | undefined {
  const content = response.contents.find(({ type }) => formOf(type) === "json");
  const [other] = response.contents;
  if (content === undefined && other !== undefined)
    note({
      code: "import/part-left-out",
      at: other.at,
      message: `the tool does not check a ${quote(response.status)} response of the type ${quote(other.type)} against its schema`,
    });
  return content?.schema && take(content.schema);
}

interface Common {
  readonly first: Response | undefined;
  readonly success: JsonSchema | undefined;
  readonly shared: JsonSchema | undefined;
  readonly form: AnswerForm;
  readonly take: Take;
}

function statusOf(
  response: Response,
  common: Common,
  context: DraftContext,
): readonly StatusDraft[] {
  const { first, form, shared, success, take } = common;
  const { status: code } = response;
  const isFirst = response === first;
  const isSuccess = code.startsWith("2");
  // Codes of 2xx without a name are successes anyway.
  if (isFirst) return code === "202" ? [{ code, name: statusName(code) }] : [];
  if (isSuccess && form !== "json" && isReadAlike(response, common, context)) return [];
  const name = statusName(code);
  // These statuses never have a body, so they need no schema.
  if (/^20[45]$/.test(code)) return [{ code, name }];
  // With `response: any`, the tool reads this body by its content type too.
  if (isSuccess && form === "any") return [{ code, name }];
  // If nobody describes the body of an error, `true` keeps `error_schema` from applying to it.
  const unknown = isSuccess ? {} : shared === undefined ? undefined : true;
  const schema = jsonSchemaOf(response, take, context) ?? unknown;
  if (schema === undefined || isSame(schema, isSuccess ? success : shared))
    return isSuccess && code !== "202" ? [] : [{ code, name }];
  return [{ code, name, schema }];
}

/** Adds successes without a name, which would otherwise have the name of their range. */
function withinRange(
  named: readonly StatusDraft[],
  successes: readonly Response[],
): readonly StatusDraft[] {
  if (!named.some(({ code }) => code === "2XX")) return named;
  const others = successes.filter(({ status }) => !named.some(({ code }) => code === status));
  return [...others.map(({ status }) => ({ code: status, name: "success" })), ...named].toSorted(
    (a, b) => (a.code < b.code ? -1 : 1),
  );
}

/**
 * For a response that isn't JSON: checks if another success has the same form, or must be read in
 * that form.
 */
function isReadAlike(
  { contents, status }: Response,
  { first, form }: Common,
  { note }: DraftContext,
): boolean {
  const forms = new Set<AnswerForm>(contents.map(({ type }) => formOf(type)));
  const [content] = contents;
  if (content === undefined || forms.has(form)) return content !== undefined;
  if (forms.has("json")) return false;
  note({
    code: "import/part-left-out",
    at: content.at,
    message: `a ${quote(status)} response of the type ${quote(content.type)} gets no status name: the tool reads it like ${quote(first?.status ?? "")}`,
  });
  return true;
}

function isSame(one: JsonSchema, other: JsonSchema | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Names that skills commonly use, and names for codes without a word in HTTP. */
const names: Readonly<Record<string, string>> = {
  "2XX": "other_success",
  "4XX": "client_error",
  "5XX": "server_error",
  "418": "im_a_teapot",
  "422": "unprocessable",
  "429": "rate_limited",
  "500": "server_failed",
};

/** Returns the name of a status: `not_found` for `404`. */
function statusName(code: string): string {
  const words = names[code] ?? STATUS_CODES[code] ?? `status_${code.toLowerCase()}`;
  return words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}
