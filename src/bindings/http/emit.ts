import { usualResponseBytes } from "@skillc/runtime/internal/http";
import { at, type Code, code, join, literal, nothing, objectKey } from "../../core/code.js";
import type { ToolModel } from "../../core/skill-model.js";
import { holdsInt64Text } from "../../schema/int64-text.js";
import { statesOthers } from "../../schema/look-up.js";
import type { BindingEmission, EmitInput, View } from "../../kit/binding-emission.js";
import { callerValue } from "../../kit/caller-root.js";
import { parametersIn, restOfParameters } from "../../kit/coverage.js";
import { placeOfParameter } from "../../kit/unused-parameters.js";
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
} from "../../kit/values/emit-value.js";
import { loneParameter } from "../../kit/text-template.js";
import type { ScalarModel } from "../../kit/values/model.js";
import { type WrittenMap, writtenMaps } from "./beside-maps.js";
import { isFileBody } from "../../kit/file-parameter.js";
import { authCode } from "./emit/auth.js";
import { answersView, answerTypeOf, dataBody, dataTypeOf } from "./emit/answers.js";
import { httpSchemas } from "./emit/bodies.js";
import { answerMasks } from "./emit/masks.js";
import {
  type BodyModel,
  type HttpConfig,
  type HttpEntry,
  type HttpValuePart,
  type StyledPart,
  type StyleModel,
  templatesOfBody,
} from "./model.js";
import { streamOf } from "./stream-of.js";
import { explodes } from "./resolve/styles.js";
import { namesOfOwnData } from "./resolve/statuses.js";

type Input = EmitInput<HttpConfig>;

/** Makes the view of `templates/http.hbs` and the result types of the tool. */
export function emitHttp(input: Input): BindingEmission {
  const { config, runtime, argumentsType } = input;
  const dataValidator = dataBody(input)?.validator;
  const view: View = {
    http: runtime("http"),
    argumentsType,
    method: at(config.method.span, literal(config.method.name)),
    ...requestView(input),
    ...int64View(input),
    limitsResponse: limitsResponse(config),
    maxResponseBytes: literal(config.maxResponseBytes),
    hasAuth: config.auth !== undefined,
    auth: (config.auth ?? []).map((each) => authCode(input, each)),
    ...answersView(input),
  };
  return {
    view,
    dataType: dataTypeOf(input),
    ...(dataValidator && { dataValidator }),
    answerType: (data) => answerTypeOf(input, data),
    ownData: namesOfOwnData(config.statuses),
    masks: answerMasks(config),
    recordType: runtime("HttpRecord"),
  };
}

/** Names beside a map that other maps may write too. */
function takenBeside(value: ScalarModel<"caller">, maps: readonly WrittenMap[]): readonly string[] {
  const part = value.kind === "template" ? loneParameter(value.template) : undefined;
  return maps.find((map) => map.part === part)?.ofMaps ?? [];
}

/** True if the response has a limit to emit. A stream has one only if its author sets it. */
function limitsResponse({ form, maxResponseBytes, maxResponseSpan }: HttpConfig): boolean {
  return streamOf(form) === undefined
    ? maxResponseBytes !== usualResponseBytes
    : maxResponseSpan !== undefined;
}

/** The parts of the view that build the request. */
function requestView({ config, tool, runtime }: EmitInput<HttpConfig>): {
  readonly [name: string]: View;
} {
  const scope: RequestScope = { parameters: tool.parameters, runtime, roots: callerValue };
  const { idempotency } = config;
  const usesIntegers = hasIntegersInBody(tool, config);
  const body = requestBody(tool, config, usesIntegers ? { ...scope, arguments: code`b` } : scope);
  const maps = writtenMaps(config, tool.parameters);
  const entry = ({ name, span, style, value }: HttpEntry) => ({
    name: at(span, literal(name)),
    value: styledCode(scope, scalarCode(scope, value), style, "", takenBeside(value, maps)),
  });
  return {
    url: urlCode(config, scope),
    hasQuery: config.query.length > 0,
    query: config.query.map(entry),
    hasHeaders: config.headers.length > 0,
    headers: config.headers.map(entry),
    hasCookies: config.cookies !== undefined,
    cookies: (config.cookies ?? []).map(entry),
    hasBody: body !== undefined,
    body,
    usesIntegers,
    usesParameters: usesParameters(tool, config),
    usesCaller: tool.binding.caller !== undefined,
    hasIdempotencyHeader: idempotency !== undefined,
    idempotencyHeader: idempotency && at(idempotency.span, literal(idempotency.header)),
    hasIdempotencyKey: idempotency?.key !== undefined,
    idempotencyKey: idempotency?.key && templateCode(scope, idempotency.key),
  };
}

/** Emits the URL; the origin and adjacent literal text become one string. */
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
 * Emits the body; undefined if there is none. Without `body_template` it contains each declared
 * parameter that nothing else uses. Undeclared parameters are sent only if the schema explicitly
 * allows them.
 */
function requestBody(tool: ToolModel, config: HttpConfig, scope: RequestScope): Code | undefined {
  const { body } = config;
  if (body.kind === "none") return undefined;
  if (body.kind === "template") return at(body.span, valueCode(scope, body.value));
  if (body.kind === "form") return at(body.span, formCode(scope, body));
  if (body.kind === "multipart") return at(body.span, multipartCode(scope, body));
  if (body.kind === "raw") return at(body.span, rawCode(tool, scope, body));
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

/** Emits `form({ items: p.items }, "repeat")`. */
function formCode(scope: RequestScope, body: BodyModel & { readonly kind: "form" }): Code {
  const fields = valueCode(scope, body.fields);
  const style = body.style === "brackets" ? nothing : code`, ${literal(body.style)}`;
  return code`${scope.runtime("form")}(${fields}${style})`;
}

/**
 * Emits `multipart([textPart("title", p.title), filePart("photo", p.photo, "image/png")])`, and
 * `fieldParts(p.fields, ["title", "photo"])` for further parts.
 */
function multipartCode(
  scope: RequestScope,
  { fields, parts }: BodyModel & { readonly kind: "multipart" },
): Code {
  const written = parts.map((part) => {
    const { kind, name, span, type } = part;
    const value = kind === "json" ? valueCode(scope, part.value) : scalarCode(scope, part.value);
    const typed = type ? [scalarCode(scope, type)] : [];
    const given = [at(span, literal(name)), value, ...typed];
    return code`${scope.runtime(`${kind}Part`)}(${join(given, code`, `)})`;
  });
  const taken = literal([...new Set(parts.map(({ name }) => name))]);
  const further = fields
    ? [code`${scope.runtime("fieldParts")}(${scalarCode(scope, fields)}, ${taken})`]
    : [];
  return code`${scope.runtime("multipart")}([${join([...written, ...further], code`, `)}])`;
}

/** Emits `raw(p.content, "text/csv")`, or `rawFile(p.content)` for a file. */
function rawCode(
  tool: ToolModel,
  scope: RequestScope,
  body: BodyModel & { readonly kind: "raw" },
): Code {
  if (isFileBody(tool, body.content)) {
    const given = [body.content, ...(body.type ? [body.type] : [])];
    const values = given.map((each) => scalarCode(scope, each));
    return code`${scope.runtime("rawFile")}(${join(values, code`, `)})`;
  }
  const type = body.type ? scalarCode(scope, body.type) : literal("text/plain; charset=utf-8");
  return code`${scope.runtime("raw")}(${scalarCode(scope, body.content)}, ${type})`;
}

/** True if a tool sends JSON with integers that are text in its parameters. */
function hasIntegersInBody(tool: ToolModel, { body }: HttpConfig): boolean {
  const { parameters, binding } = tool;
  if (!holdsInt64Text(parameters.schema)) return false;
  if (body.kind === "rest")
    return statesOthers(parameters) || restOfParameters(tool, binding.references).length > 0;
  if (body.kind !== "template" && body.kind !== "multipart") return false;
  return templatesOfBody(body).some(({ parts }) => parametersIn(parts).length > 0);
}

/** Emits the validators with which the runtime finds integers that are text. */
function int64View(input: Input): { readonly [name: string]: View } {
  const { config, params, tool } = input;
  const inBody = hasIntegersInBody(tool, config);
  const returns = dataBody(input) ?? input.returns;
  const data = tool.returns ?? config.response;
  const given = data !== undefined && holdsInt64Text(data.schema);
  const bodies = Object.values(httpSchemas(config));
  const members = [
    ...(inBody ? [code`params: ${params.validator}`] : []),
    ...(given && returns ? [code`returns: ${returns.validator}`] : []),
  ];
  return {
    hasInt64: members.length > 0 || bodies.some(({ schema }) => holdsInt64Text(schema)),
    int64: objectCode(members),
  };
}

/** Emits a body of every parameter, declared or not, that nothing else uses. */
function openBody(tool: ToolModel, { arguments: given = code`p`, runtime }: RequestScope): Code {
  const used = [
    ...tool.binding.references.map(({ path }) => path[0] ?? ""),
    ...tool.unused.map(({ name }) => name),
  ];
  const names = [...new Set(used)].map((name) => literal(name));
  return code`${runtime("omit")}(${join([given, ...names], code`, `)})`;
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
 * Emits `styled(p.labels, "pipeDelimited", { explode: true })`, or the bare value if it has no
 * style.
 */
function styledCode(
  scope: RequestScope,
  value: Code,
  style: StyleModel | undefined,
  name = "",
  taken: readonly string[] = [],
): Code {
  if (style === undefined) return value;
  const isUsual = style.explode === explodes(style.name);
  const options = [
    ...(style.name === "matrix" ? [code`name: ${literal(name)}`] : []),
    ...(isUsual ? [] : [code`explode: ${literal(style.explode)}`]),
    ...(style.reserved ? [code`reserved: true`] : []),
    ...(style.dots !== undefined ? [code`dots: true`] : []),
    ...(taken.length > 0 ? [code`taken: ${literal(taken)}`] : []),
  ];
  const written = [
    value,
    literal(style.name),
    ...(options.length > 0 ? [objectCode(options)] : []),
  ];
  return at(style.span, code`${scope.runtime("styled")}(${join(written, code`, `)})`);
}

/**
 * Emits a path segment: `segment("/id", p.id)`, or `segmentOf(["v", ""], ["/id", p.id])` with text
 * around.
 */
function segmentCode(
  scope: RequestScope,
  fixed: readonly string[],
  values: readonly (HttpValuePart | StyledPart)[],
): Code {
  const pairs = values.map((value) => {
    const part = value.kind === "styled" ? value.part : value;
    const plain = valuePartCode(scope, part);
    const written =
      value.kind === "styled" ? styledCode(scope, plain, value.style, value.name) : plain;
    return code`${literal(referencePointer(part))}, ${written}`;
  });
  const [only, ...others] = pairs;
  if (only !== undefined && others.length === 0 && fixed.every((text) => text === "")) {
    return code`${scope.runtime("segment")}(${only})`;
  }
  const boxed = pairs.map((pair) => code`[${pair}]`);
  return code`${scope.runtime("segmentOf")}(${join([literal(fixed), ...boxed], code`, `)})`;
}
