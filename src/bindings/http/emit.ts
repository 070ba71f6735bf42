import { usualResponseBytes } from "@skillc/runtime/internal/http";
import {
  at,
  type Code,
  code,
  imported,
  join,
  literal,
  nothing,
  objectKey,
} from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type { ToolModel } from "../../core/skill-model.js";
import { lookUp, statesOthers } from "../../schema/look-up.js";
import type { BindingEmission, EmitInput, View } from "../binding.js";
import { callerValue } from "../caller-root.js";
import { restOfParameters } from "../coverage.js";
import type { ValuePart } from "../text-template.js";
import { placeOfParameter } from "../unused-parameters.js";
import { accessCode, accessType, type Reachable } from "../values/access.js";
import {
  credentialCode,
  objectCode,
  parameterCode,
  referencePointer,
  type RequestScope,
  scalarCode,
  templateCode,
  valueCode,
  valuePartCode,
} from "../values/emit-value.js";
import type { HttpConfig, PathModel } from "./model.js";
import { isSuccessCode } from "./resolve/statuses.js";

type Input = EmitInput<HttpConfig>;

/** The view of `templates/http.hbs` and the types of what the tool gives. */
export function emitHttp(input: Input): BindingEmission {
  const { config, runtime, argumentsType } = input;
  const view: View = {
    http: runtime("http"),
    argumentsType,
    method: at(config.method.span, literal(config.method.name)),
    ...requestView(input),
    limitsResponse: config.maxResponseBytes !== usualResponseBytes,
    maxResponseBytes: literal(config.maxResponseBytes),
    hasStatuses: config.statuses.length > 0,
    statuses: objectCode(
      config.statuses.map(({ code: status, name, span }) =>
        at(span, code`${objectKey(status)}: ${literal(name)}`),
      ),
    ),
    ...responseView(input),
  };
  return {
    view,
    dataType: dataTypeOf(input),
    answerType: (data) => answerTypeOf(input, data),
    recordType: runtime("HttpRecord"),
  };
}

function answerTypeOf({ config, runtime }: Input, data: Code): Code {
  const named = (success: boolean) =>
    config.statuses
      .filter(({ code: status }) => isSuccessCode(status) === success)
      .map(({ name }) => name);
  const result = imported(runtimeEntry(), "ToolResult", true);
  const failed = union([...named(false), "error"]);
  const succeeded = union(["success", ...named(true)]);
  return code`${result}<${data}, ${failed}, ${succeeded}, ${runtime("HttpFault")}>`;
}

/** `"not_found" | "error"` */
function union(names: readonly string[]): Code {
  return join(
    [...new Set(names)].map((name) => literal(name)),
    code` | `,
  );
}

/** What the template needs to lay out the function that builds the request. */
function requestView({ config, tool, runtime }: EmitInput<HttpConfig>): {
  readonly [name: string]: View;
} {
  const scope: RequestScope = { parameters: tool.parameters, runtime, roots: callerValue };
  const { idempotency } = config;
  const body = requestBody(tool, config, scope);
  const entry = ({ name, span, value }: HttpConfig["query"][number]) => ({
    name: at(span, literal(name)),
    value: scalarCode(scope, value),
  });
  return {
    url: urlCode(config, scope),
    hasQuery: config.query.length > 0,
    query: config.query.map(entry),
    hasHeaders: config.headers.length > 0,
    headers: config.headers.map(entry),
    hasBody: body !== undefined,
    body,
    usesParameters: usesParameters(tool, config),
    usesCaller: tool.binding.caller !== undefined,
    hasIdempotencyHeader: idempotency !== undefined,
    idempotencyHeader: idempotency && at(idempotency.span, literal(idempotency.header)),
    hasIdempotencyKey: idempotency?.key !== undefined,
    idempotencyKey: idempotency?.key && templateCode(scope, idempotency.key),
  };
}

/** Origin and literal text next to each other are one string. */
function urlCode({ url }: HttpConfig, scope: RequestScope): readonly Code[] {
  const codes: Code[] = [];
  let fixed = url.origin.kind === "literal" ? url.origin.origin : "";
  const flush = () => {
    if (fixed !== "") codes.push(at(url.span, literal(fixed)));
    fixed = "";
  };
  if (url.origin.kind === "credential") {
    codes.push(at(url.origin.span, credentialCode(scope, url.origin.name)));
  }
  for (const piece of url.path) {
    if (piece.kind === "text") fixed += piece.text;
    else {
      flush();
      codes.push(at(piece.span, segmentCode(scope, piece.fixed, piece.values)));
    }
  }
  fixed += url.literalQuery.text;
  flush();
  return codes;
}

/**
 * The body's expression; undefined when none is sent. Without `body_template` it holds each
 * declared parameter that nothing else uses. Where the schema states that there may be others,
 * those are sent too; one that merely doesn't forbid them promises nothing.
 */
function requestBody(tool: ToolModel, config: HttpConfig, scope: RequestScope): Code | undefined {
  const { body } = config;
  if (body.kind === "none") return undefined;
  if (body.kind === "template") return at(body.span, valueCode(scope, body.value));
  if (statesOthers(tool.parameters)) return at(body.span, openBody(tool, scope));
  const rest = restOfParameters(tool, tool.binding.references);
  if (rest.length === 0) return undefined;
  return objectCode(
    rest.map((name) => {
      const span = placeOfParameter(tool.parameters, name);
      return code`${at(span, objectKey(name))}: ${parameterCode(scope, [name], span)}`;
    }),
  );
}

/** Every parameter, declared or not, that nothing else uses. */
function openBody(tool: ToolModel, { runtime }: RequestScope): Code {
  const used = [
    ...tool.binding.references.map(({ path }) => path[0] ?? ""),
    ...tool.unused.map(({ name }) => name),
  ];
  const names = [...new Set(used)].map((name) => literal(name));
  return code`${runtime("omit")}(${join([code`p`, ...names], code`, `)})`;
}

function usesParameters(tool: ToolModel, config: HttpConfig): boolean {
  const { references } = tool.binding;
  return (
    references.length > 0 ||
    (config.body.kind === "rest" &&
      (statesOthers(tool.parameters) || restOfParameters(tool, references).length > 0))
  );
}

/**
 * A path segment: `segment("/id", p.id)`, or `segmentOf(["v", ""], ["/id", p.id])` with text
 * around.
 */
function segmentCode(
  scope: RequestScope,
  fixed: readonly string[],
  values: readonly ValuePart[],
): Code {
  const pairs = values.map(
    (value) => code`${literal(referencePointer(value))}, ${valuePartCode(scope, value)}`,
  );
  const [only, ...others] = pairs;
  if (only !== undefined && others.length === 0 && fixed.every((text) => text === "")) {
    return code`${scope.runtime("segment")}(${only})`;
  }
  const boxed = pairs.map((pair) => code`[${pair}]`);
  return code`${scope.runtime("segmentOf")}(${join([literal(fixed), ...boxed], code`, `)})`;
}

/** What the template needs to lay out the functions that find `data` and `error`. */
function responseView(input: Input): { readonly [name: string]: View } {
  const { config } = input;
  const response = input.schemas["response"];
  return {
    hasResponse: response !== undefined,
    responseType: response?.type,
    response: response?.validator,
    ...pathView("Data", config.dataPath, dataCode(input)),
    ...dataPathView(input),
    ...pathView("Error", config.errorPath, errorCode(input)),
  };
}

function pathView(
  name: "Data" | "Error",
  path: PathModel | undefined,
  found: Code | undefined,
): { readonly [name: string]: View } {
  const finder = path && found && at(path.span, found);
  return { [`has${name}`]: finder !== undefined, [name.toLowerCase()]: finder };
}

/** How `data` is found; undefined when it is the body itself. */
function dataCode(input: Input): Code | undefined {
  const { dataPath } = input.config;
  if (dataPath === undefined) return undefined;
  const { runtime } = input;
  if (!dataPath.singular) return selectorCode(dataPath, itemType(input, dataPath), runtime);
  return singular(dataPath, (steps) =>
    accessCode(code`body`, responseOf(input)?.from, steps, () => runtime("pick")),
  );
}

/**
 * The body of a failure is never validated, so that its path is followed with care whatever
 * `error_schema` says.
 */
function errorCode({ config: { errorPath }, runtime }: Input): Code | undefined {
  if (errorPath === undefined) return undefined;
  if (!errorPath.singular) return selectorCode(errorPath, undefined, runtime);
  return singular(errorPath, (steps) =>
    accessCode(code`body`, undefined, steps, () => runtime("pick")),
  );
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

/** The steps of `data`, where no validator has made sure that they lead somewhere. */
function dataPathView(input: Input): { readonly [name: string]: View } {
  const { dataPath } = input.config;
  const steps = dataPath?.singular === true ? stepsOf(dataPath) : [];
  const from = responseOf(input)?.from;
  const isThere = from !== undefined && lookUp(from.schema, steps, from.form).presence === "always";
  const isTold = dataPath !== undefined && steps.length > 0 && !isThere;
  return {
    hasDataPath: isTold,
    dataPath: isTold ? at(dataPath.span, literal(steps)) : undefined,
  };
}

/** As steps of a value: 0 stands for each item. */
function stepsOf(path: PathModel): readonly (string | number)[] {
  return path.steps.map(({ at: step }) => (typeof step === "object" ? 0 : step));
}

interface Response {
  readonly type: Code;
  readonly from: Reachable;
}

/** The validated body; undefined where nothing is known of it. */
function responseOf({ config, schemas }: Input): Response | undefined {
  const type = schemas["response"]?.type;
  const schema = config.response;
  return type && schema && { type, from: { schema, form: "stated" } };
}

/** The type of what a query finds that is not singular; undefined when the schema doesn't say. */
function itemType(input: Input, path: PathModel): Code | undefined {
  const response = responseOf(input);
  if (response === undefined || !path.complete) return undefined;
  const type = accessType(response.type, response.from, stepsOf(path));
  return type && at(path.span, type);
}

/** The type of `data` when the tool declares no `returns`. */
function dataTypeOf(input: Input): Code {
  const { dataPath } = input.config;
  const response = responseOf(input);
  if (dataPath?.singular === false) return code`readonly ${itemType(input, dataPath) ?? unknown}[]`;
  if (response === undefined) return unknown;
  const steps = dataPath === undefined ? [] : stepsOf(dataPath);
  if (dataPath === undefined || steps.length === 0) return response.type;
  return at(dataPath.span, accessType(response.type, response.from, steps) ?? unknown);
}

const unknown = code`unknown`;
