import {
  at,
  type Code,
  code,
  imported,
  join,
  literal,
  nothing,
  objectKey,
} from "../../../core/code.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import { lookUp } from "../../../schema/look-up.js";
import type { EmitInput, View } from "../../../kit/binding-emission.js";
import { accessCode, accessType, type Reachable } from "../../../kit/values/access.js";
import { objectCode } from "../../../kit/values/emit-value.js";
import type { HttpConfig, PathModel, StatusModel } from "../model.js";
import { isSuccessCode, namesOfOwnData } from "../resolve/statuses.js";
import { httpPages } from "../pages.js";
import { type DescribedStatus, describedStatuses, roleOf } from "./bodies.js";
import { pollView } from "./poll.js";

type Input = EmitInput<HttpConfig>;

/** A body, and the path to the part of it that the result carries. */
interface Answer {
  /** Set if the body has a schema, which validates it. */
  readonly body?: ValidatedBody;
  readonly path?: PathModel;
}

interface ValidatedBody {
  readonly type: Code;
  readonly validator: Code;
  readonly from: Reachable;
}

/** Returns the answer of successes without their own schema or path. */
function usualAnswer(input: Input): Answer {
  const { dataPath } = input.config;
  const body = bodyOfRole(input, "response", input.config.response);
  return { ...(body && { body }), ...(dataPath && { path: dataPath }) };
}

function bodyOfRole(
  { schemas }: Input,
  role: string,
  schema: HttpConfig["response"],
): ValidatedBody | undefined {
  const known = schemas[role];
  return known && schema && { ...known, from: { schema, form: "stated" } };
}

/**
 * Returns the schema of the body if the whole body is the data, and no path reads a part of it. The
 * call then checks the data by this schema, as by `returns`: also the data of handlers and fakes.
 */
export function dataBody(input: Input): ValidatedBody | undefined {
  const { dataPath, form, pagination, poll, statuses } = input.config;
  const isPartOfBody =
    dataPath !== undefined ||
    poll !== undefined ||
    pagination?.at !== undefined ||
    pagination?.more !== undefined ||
    statuses.some(({ code, path, schema }) => isSuccessCode(code) && path && !schema);
  const isOther = input.tool.returns !== undefined || form?.as === "any" || form?.as === "bytes";
  return isPartOfBody || isOther ? undefined : usualAnswer(input).body;
}

/**
 * Returns the answer of a status. Without its own schema, a success has the body of all successes,
 * and a failure has an unknown body.
 */
function answerOf(input: Input, status: DescribedStatus): Answer {
  const { path, schema } = status;
  const body =
    schema === undefined
      ? isSuccessCode(status.code)
        ? usualAnswer(input).body
        : undefined
      : bodyOfRole(input, roleOf({ ...status, schema }, describedStatuses(input.config)), schema);
  return { ...(body && { body }), ...(path && { path }) };
}

/** Values for the template: meaning and bodies of answers, and how to find data and errors. */
export function answersView(input: Input): { readonly [name: string]: View } {
  const { answerHeaders = [], statuses } = input.config;
  const usual = usualAnswer(input);
  const bodies = describedStatuses(input.config).filter(isDescribed);
  return {
    hasStatuses: statuses.length > 0,
    statuses: objectCode(
      statuses.map(({ code: status, name, span }) =>
        at(span, code`${objectKey(status)}: ${literal(name)}`),
      ),
    ),
    hasBodies: bodies.length > 0,
    bodies: bodies.map((status) => ({
      status: objectKey(status.code),
      body: at(status.span, bodyCode(input, status)),
    })),
    hasAnswerHeaders: answerHeaders.length > 0,
    answerHeaders: objectCode(
      answerHeaders.map(({ header, name, span }) =>
        at(span, code`${objectKey(name)}: ${literal(header.toLowerCase())}`),
      ),
    ),
    ...paginationView(input, usual),
    ...contentView(input),
    ...pollView(input),
    hasResponse: usual.body !== undefined && dataBody(input) === undefined,
    responseType: usual.body?.type,
    response: usual.body?.validator,
    ...pathView("Data", usual.path, finderCode(input, usual)),
    ...dataPathView(usual),
    ...pathView("Error", input.config.errorPath, errorCode(input)),
  };
}

/** `{ as: "text" }`, or `sse({ as: "json" })` for a stream. */
function contentView(input: Input): { readonly [name: string]: View } {
  const { form } = input.config;
  if (form === undefined) return { hasContent: false };
  const types = form.types ? [code`types: ${literal(form.types)}`] : [];
  const most =
    form.maxItemBytes === undefined ? [] : [code`maxItemBytes: ${literal(form.maxItemBytes)}`];
  const view = (): Code => {
    if (form.as === "ndjson") return call(input.runtime("ndjson"), [...most, ...types]);
    if (form.as === "sse") {
      const end = form.end === undefined ? [] : [code`end: ${literal(form.end)}`];
      const data = hasJsonEvents(input) ? [code`data: "json"`] : [];
      return call(input.runtime("sse"), [...data, ...end, ...most, ...types]);
    }
    const as = form.as === "bytes" && form.save ? "file" : form.as;
    return objectCode([code`as: ${literal(as)}`, ...types]);
  };
  return { hasContent: true, content: at(form.span, view()) };
}

function call(name: Code, options: readonly Code[]): Code {
  return code`${name}(${options.length === 0 ? nothing : objectCode(options)})`;
}

/** True if the data of events is JSON: a path leads into it, or a schema allows more than text. */
function hasJsonEvents({ config: { dataPath, response }, tool: { returns } }: Input): boolean {
  if (dataPath !== undefined) return true;
  const schema = response ?? returns;
  if (schema === undefined) return false;
  const { types } = lookUp(schema, [], "stated");
  return !(types.length > 0 && types.every((type) => type === "string"));
}

function paginationView(input: Input, { body }: Answer): { readonly [name: string]: View } {
  const { config, tool } = input;
  const { pagination } = config;
  const pages = httpPages(config, tool.parameters);
  if (pagination === undefined || pages === undefined) return { hasPagination: false };
  const find = (path: PathModel) =>
    at(path.span, finderCode(input, { ...(body && { body }), path }) ?? code`(body) => body`);
  const { limit, parameter } = pagination;
  const view = objectCode([
    code`by: ${literal(pagination.by)}`,
    ...(parameter ? [at(parameter.span, code`parameter: ${literal(parameter.name)}`)] : []),
    ...(limit ? [at(limit.span, code`limit: ${literal(limit.name)}`)] : []),
    ...(pagination.at ? [code`at: ${find(pagination.at)}`] : []),
    ...(pagination.more ? [code`more: ${find(pagination.more)}`] : []),
    ...(pages.items.length > 0 ? [code`items: ${literal(pages.items)}`] : []),
    code`asked: ${literal(pages.next)}`,
  ]);
  return { hasPagination: true, pagination: at(pagination.span, view) };
}

function isDescribed({ name, path, schema }: StatusModel): boolean {
  return name !== "success" && (schema !== undefined || path !== undefined);
}

/** `bodyOf({ schema: validateBody404, find: (body) => body.message })` */
function bodyCode(input: Input, status: DescribedStatus): Code {
  const answer = answerOf(input, status);
  const { body } = answer;
  const finder = finderCode(input, answer);
  const steps = isSuccessCode(status.code) ? untoldSteps(answer) : undefined;
  const isOwn = status.schema !== undefined;
  const type = isOwn || body === undefined ? nothing : code`<${body.type}>`;
  return code`${input.runtime("bodyOf")}${type}(${objectCode([
    ...(isOwn && body ? [code`schema: ${body.validator}`] : []),
    ...(finder ? [code`find: ${finder}`] : []),
    ...(steps ? [code`steps: ${steps}`] : []),
    ...(mayBeBody(answer, status) ? [code`orBody: true`] : []),
  ])})`;
}

/** Checks if `error` may be the whole body, because `error_path` may find nothing in it. */
function mayBeBody(answer: Answer, { isUsualError }: DescribedStatus): boolean {
  const mayFindNothing = answer.path?.singular === false || untoldSteps(answer) !== undefined;
  return isUsualError === true && mayFindNothing;
}

function pathView(
  name: "Data" | "Error",
  path: PathModel | undefined,
  found: Code | undefined,
): { readonly [name: string]: View } {
  const finder = path && found && at(path.span, found);
  return { [`has${name}`]: finder !== undefined, [name.toLowerCase()]: finder };
}

/** Code that finds the result's value in a body; undefined if the value is the whole body. */
function finderCode({ runtime }: Input, answer: Answer): Code | undefined {
  const { body, path } = answer;
  if (path === undefined) return undefined;
  if (!path.singular) return selectorCode(path, itemType(answer), runtime);
  return singular(path, (steps) =>
    accessCode(code`body`, body?.from, steps, () => runtime("pick")),
  );
}

/**
 * Code that finds `error` of a failure without a name. Nothing validates its body, so the code
 * expects any value at each step.
 */
function errorCode(input: Input): Code | undefined {
  const { errorPath } = input.config;
  return errorPath && finderCode(input, { path: errorPath });
}

function singular(
  path: PathModel,
  access: (steps: readonly (string | number)[]) => Code,
): Code | undefined {
  return path.steps.length === 0 ? undefined : code`(body) => ${access(stepsOf(path))}`;
}

function selectorCode(path: PathModel, type: Code | undefined, runtime: Input["runtime"]): Code {
  const argument = type === undefined ? nothing : code`<${type}>`;
  return code`${runtime("selector")}${argument}(${literal(path.text)})`;
}

function dataPathView(answer: Answer): { readonly [name: string]: View } {
  const steps = untoldSteps(answer);
  return { hasDataPath: steps !== undefined, dataPath: steps };
}

/** Steps of a path that may find nothing; undefined if the schema guarantees a value. */
function untoldSteps({ body, path }: Answer): Code | undefined {
  const steps = path?.singular === true ? stepsOf(path) : [];
  const isThere =
    body !== undefined && lookUp(body.from.schema, steps, body.from.form).presence === "always";
  return path === undefined || steps.length === 0 || isThere
    ? undefined
    : at(path.span, literal(steps));
}

/** Steps to a value, in which 0 stands for each item. */
function stepsOf(path: PathModel): readonly (string | number)[] {
  return path.steps.map(({ at: step }) => (typeof step === "object" ? 0 : step));
}

/** Type of a value that a query finds; undefined if the schema doesn't describe it. */
function itemType({ body, path }: Answer): Code | undefined {
  if (body === undefined || path?.complete !== true) return undefined;
  const type = accessType(body.type, body.from, stepsOf(path));
  return type && at(path.span, type);
}

/** Type of `data` if the tool declares no `returns`. */
export function dataTypeOf(input: Input): Code {
  return foundType(usualAnswer(input)) ?? formType(input) ?? unknown;
}

/** Type of a body by its form alone; undefined if the form is JSON or a stream of JSON. */
function formType(input: Input): Code | undefined {
  const { form } = input.config;
  if (form?.as === "text") return code`string`;
  if (form?.as === "sse" && !hasJsonEvents(input)) return code`string`;
  if (form?.as !== "bytes") return undefined;
  return form.save ? input.runtime("SavedFile") : code`Uint8Array`;
}

/** Type of the value that the result carries; undefined if it is unknown. */
function foundType(answer: Answer): Code | undefined {
  const { body, path } = answer;
  if (path?.singular === false) return code`readonly ${itemType(answer) ?? unknown}[]`;
  const steps = path === undefined ? [] : stepsOf(path);
  if (body === undefined || path === undefined || steps.length === 0) return body?.type;
  const type = accessType(body.type, body.from, steps);
  return type && at(path.span, type);
}

const unknown = code`unknown`;

/**
 * Type of a tool's answers: a union discriminated by `status`. The names with the usual types come
 * first, then those with their own types.
 */
export function answerTypeOf(input: Input, data: Code): Code {
  const statuses = describedStatuses(input.config);
  const own = namesOfOwnData(statuses);
  const usual = (success: boolean) =>
    statuses
      .filter((each) => isSuccessCode(each.code) === success)
      .filter((each) => (success ? !own.includes(each.name) : isUsualFailure(each)))
      .map(({ name }) => name);
  const result = imported(runtimeEntry(), "ToolResult", true);
  const fault = input.runtime("HttpFault");
  const failed = union([...usual(false), "error"]);
  const succeeded = union(["success", ...usual(true)]);
  const others = statuses.flatMap((status) => {
    const { code: key, name, schema } = status;
    if (own.includes(name)) {
      const type =
        schema || status.path ? (foundType(answerOf(input, status)) ?? unknown) : code`null`;
      return [code`${result}<${type}, never, ${literal(name)}>`];
    }
    if (isSuccessCode(key) || isUsualFailure(status)) return [];
    const alike = statuses.filter((each) => each.isUsualError && each.path === status.path);
    if (status.isUsualError && alike[0] !== status) return [];
    const names = union(status.isUsualError ? alike.map((each) => each.name) : [name]);
    return [code`${result}<never, ${names}, never, ${fault}<${errorType(input, status)}>>`];
  });
  const answers = [code`${result}<${data}, ${failed}, ${succeeded}, ${fault}>`, ...others];
  return withHeaders(input, join(answers, code` | `));
}

/** Type of `error` after a failure that has a schema. A 304 has no body. */
function errorType(input: Input, status: DescribedStatus): Code {
  if (status.schema === undefined) return code`null`;
  const answer = answerOf(input, status);
  const found = foundType(answer) ?? unknown;
  return answer.body && mayBeBody(answer, status) ? code`${found} | ${answer.body.type}` : found;
}

/** `WithHeaders<ToolResult<…>, "etag" | "remaining">` */
function withHeaders({ config: { answerHeaders = [] }, runtime }: Input, answers: Code): Code {
  if (answerHeaders.length === 0) return answers;
  return code`${runtime("WithHeaders")}<${answers}, ${union(answerHeaders.map(({ name }) => name))}>`;
}

/** True for a failure whose body may be anything. A 304 has no body. */
function isUsualFailure({ code: key, schema }: StatusModel): boolean {
  return schema === undefined && key !== "304";
}

/** `"not_found" | "error"` */
function union(names: readonly string[]): Code {
  return join(
    [...new Set(names)].map((name) => literal(name)),
    code` | `,
  );
}
