import { hasDotSegment, unsendableInHeader } from "@skillc/runtime/internal/http";
import { getOwn, isJsonObject, type JsonValue } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { type Defaults, defaultsOf } from "../../../schema/defaults.js";
import { fileParameters } from "../../../schema/file-schema.js";
import { itemPaths, lookUp } from "../../../schema/look-up.js";
import {
  type PlacedSchema,
  spanOfDefault,
  spanOfType,
  spanOfValue,
} from "../../../schema/schema-spans.js";
import { factsOf } from "../../../kit/coverage.js";
import { checkIdempotencyKey } from "../../../kit/idempotency-key.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import { literalText, loneParameter, type ParameterPart } from "../../../kit/text-template.js";
import {
  checkLiteral,
  checkLiteralsBelow,
  checkNamed,
  nameIn,
} from "../../../kit/values/check-literal.js";
import {
  checkScalar,
  checkScalars,
  checkValue,
  doubtOf,
  isScalar,
  type CheckContext,
  reportParameter,
} from "../../../kit/values/check-value.js";
import { typeWords } from "../../../kit/type-words.js";
import type { ScalarModel, ValueNode } from "../../../kit/values/model.js";
import type { BodyModel, HttpConfig, HttpEntry, HttpText, PartModel, PathPiece } from "../model.js";
import { dotSegmentsIn } from "../capabilities.js";
import { checkFiles } from "./files.js";
import { checkMaps } from "./maps.js";
import { checkStyle, checkStyled } from "./styles.js";

/** Checks parameters against the places of the request that send them. */
export function checkRequest(tool: ToolModel, config: HttpConfig, report: Report): void {
  const place: CheckContext = { kind: "http", json: "the body", tool, report };
  checkDotSegments(config, report);
  for (const piece of config.url.path) {
    if (piece.kind !== "segment") continue;
    // Values of the caller are always text and never absent, so only parameters are checked.
    for (const part of piece.values) {
      if (part.kind === "parameter") checkInPath(place, part);
      if (part.kind !== "styled" || part.part.kind !== "parameter") continue;
      checkStyle(place, part.part, part.style);
      checkThereInPath(place, part.part);
    }
    checkSegmentValues(tool, piece, report);
  }
  const use = { sendsRest: config.body.kind === "rest" };
  for (const { name, style, value } of config.query) {
    if (style === undefined) checkInQuery(place, value);
    else checkStyled(place, value, style);
    if (value.kind === "template") checkQueryValues(tool, value.template, report);
    if (movesToBody(place, value, use)) checkLiteral(place, value, use);
    else checkNamed(place, name, value, use);
  }
  for (const { style, value } of config.cookies ?? []) {
    checkLiteral(place, value, use);
    if (style === undefined) checkScalars(place, value, "a cookie");
    else checkStyled(place, value, style);
    if (value.kind === "template") checkQueryValues(tool, value.template, report);
  }
  for (const { style, value } of config.headers) {
    checkLiteral(place, value, use);
    if (style === undefined) checkScalars(place, value, "a header");
    else checkStyled(place, value, style);
    if (value.kind === "template") checkHeaderValues(tool, value.template, report);
  }
  if (config.idempotency?.key) {
    checkIdempotencyKey(
      place,
      config.idempotency.key,
      "put a parameter into the key, or remove `key` to get a random key",
    );
    checkHeaderValues(tool, config.idempotency.key, report);
  }
  checkBody(place, config.body, use);
  checkMaps(place, config);
}

/** Reports `allow_dot_segments`: a value with `..` may reach another caller's path. */
function checkDotSegments({ url: { path } }: HttpConfig, report: Report): void {
  const [caller] = path.flatMap((piece) =>
    piece.kind === "text"
      ? []
      : piece.values
          .map((value) => (value.kind === "styled" ? value.part : value))
          .filter(({ kind }) => kind === "root"),
  );
  for (const span of dotSegmentsIn(path))
    report.add(
      caller === undefined
        ? {
            code: "http/dot-segments",
            span,
            message: "values with `.` and `..` can lead to another path",
            help: "remove `allow_dot_segments`; if the service needs such values, give the reason under `accept`",
          }
        : {
            code: "http/dot-segments-beside-caller",
            span,
            message: "a value with `..` can reach the path of another caller",
            help: "remove `allow_dot_segments`",
            related: [{ span: caller.span, message: "this path is the caller's own" }],
          },
    );
}

/** Checks for a text such as `:id`, if the body sends the parameter `id` instead. */
function movesToBody({ tool }: CheckContext, value: HttpEntry["value"], use: ParameterUse) {
  const text = value.kind === "template" ? literalText(value.template) : undefined;
  const name = text && nameIn(text);
  return (
    use.sendsRest &&
    name !== text &&
    !tool.binding.references.some(({ path: [first] }) => first === name)
  );
}

type ParameterUse = Parameters<typeof checkLiteral>[2];

function checkBody(place: CheckContext, body: BodyModel, use: ParameterUse): void {
  const value =
    body.kind === "template" ? body.value : body.kind === "form" ? body.fields : undefined;
  if (value !== undefined) {
    checkValue(place, value);
    checkLiteralsBelow(place, value, use);
  }
  if (body.kind === "form" || body.kind === "multipart") checkFields(place, body.fields);
  checkFiles(place, body);
  if (body.kind === "multipart") for (const part of body.parts) checkPart(place, part, use);
  if (body.kind !== "raw") return;
  checkScalars(place, body.content, "text");
  checkLiteral(place, body.content, use);
  if (body.type !== undefined) checkMediaType(place, body.type, use);
}

/** Checks the parameter whose properties are the fields of a form, or parts of a multipart body. */
function checkFields(place: CheckContext, fields: ValueNode<"caller"> | undefined): void {
  const part = fields?.kind === "template" ? loneParameter(fields.template) : undefined;
  const types = part && factsOf(place.tool, part)?.types;
  const odd = types?.filter((type) => type !== "object" && type !== "null") ?? [];
  if (part === undefined || odd.length === 0) return;
  place.report.add({
    code: "http/bad-body",
    span: part.span,
    message: `${parameterName(part)} may be ${typeWords(odd)}, but the fields of a form are an object`,
    help: "declare `type: object`, or write the fields by name",
  });
}

function checkPart(place: CheckContext, part: PartModel, use: ParameterUse): void {
  if (part.type !== undefined) checkMediaType(place, part.type, use);
  if (part.kind === "json") {
    checkValue(place, part.value);
    checkLiteralsBelow(place, part.value, use);
  }
  if (part.kind !== "text") return;
  checkRepeated(place, part.value, {
    what: "the text of a part",
    where: "parts",
    help: "declare its `items`, or send it as a JSON part: `{ json: … }`",
  });
  checkNamed(place, part.name, part.value, use);
}

function checkMediaType(place: CheckContext, type: ScalarModel<"caller">, use: ParameterUse): void {
  checkScalars(place, type, "a content type");
  checkLiteral(place, type, use);
  if (type.kind === "template") checkHeaderValues(place.tool, type.template, place.report);
}

function checkInPath(place: CheckContext, part: ParameterPart): void {
  checkScalar(place, part, "a path");
  checkThereInPath(place, part);
}

function checkThereInPath(place: CheckContext, part: ParameterPart): void {
  const doubt = doubtOf(factsOf(place.tool, part));
  if (doubt === undefined) return;
  const help = "make it required, or move it to `query`, which leaves out absent values";
  reportParameter(
    place,
    "optional-in-path",
    part,
    `is ${doubt}, but a path always needs a value`,
    help,
  );
}

function checkInQuery(place: CheckContext, value: ScalarModel<"caller">): void {
  checkRepeated(place, value, {
    what: "a query value",
    where: "a query",
    help: "declare its `items`, write `{ value, style: deepObject }`, or send it in the body",
  });
}

/** Accepts a lone array of scalars, which repeats the name, and otherwise only scalars. */
function checkRepeated(
  place: CheckContext,
  value: ScalarModel<"caller">,
  { help, what, where }: { readonly what: string; readonly where: string; readonly help: string },
): void {
  const alone = value.kind === "template" ? loneParameter(value.template) : undefined;
  const types = alone && factsOf(place.tool, alone)?.types;
  if (alone === undefined || !types?.includes("array")) return checkScalars(place, value, what);
  const { parameters } = place.tool;
  const items = itemPaths(parameters, alone.path).flatMap((at) => lookUp(parameters, at).types);
  const odd = [
    ...types.filter((type) => type === "object"),
    ...items.filter((type) => !isScalar(type) && type !== "null"),
  ];
  if (odd.length === 0) return;
  if (fileParameters(parameters).has(alone.path[0] ?? "")) return;
  const message = `is not a list of only text, numbers and booleans, and ${where} can repeat nothing else`;
  reportParameter(place, "not-a-scalar", alone, message, help);
}

/** Describes the problem of a value in its place; undefined if there is no problem. */
type FindProblem = (value: Scalar) => string | undefined;
type Scalar = string | number | boolean;

/**
 * Checks the values that schemas list for a segment's parameter. Skips a segment with several
 * parameters, because no single value is to blame.
 */
function checkSegmentValues(
  tool: ToolModel,
  { fixed, values }: PathPiece & { kind: "segment" },
  report: Report,
): void {
  const [only, ...others] = values;
  // A style adds text to the value.
  if (only?.kind !== "parameter" || others.length > 0) return;
  checkValues(tool, only, (value) => segmentProblem(fixed, String(value)), report);
}

function segmentProblem(fixed: readonly string[], value: string): string | undefined {
  const problem = textProblem(value);
  if (problem !== undefined) return problem;
  const segment = fixed.join(encodeURIComponent(value));
  if (segment === "") return "is empty, but a path segment can't be empty";
  return hasDotSegment(segment) ? "leads to another path" : undefined;
}

/** Checks the values that schemas list for the parameters of a query's entry. */
function checkQueryValues(tool: ToolModel, template: HttpText, report: Report): void {
  for (const part of template.parts) {
    if (part.kind === "parameter")
      checkValues(tool, part, (value) => textProblem(String(value)), report);
  }
}

function textProblem(value: string): string | undefined {
  return value.isWellFormed() ? undefined : "is not well-formed Unicode, so a URL can't hold it";
}

/** Checks the values that schemas list for the parameters of a header. */
function checkHeaderValues(tool: ToolModel, template: HttpText, report: Report): void {
  for (const part of template.parts) {
    if (part.kind === "parameter") checkValues(tool, part, headerProblem, report);
  }
}

function headerProblem(value: Scalar): string | undefined {
  const bad = unsendableInHeader.exec(String(value))?.[0];
  if (bad === undefined) return undefined;
  if (bad === "\n" || bad === "\r") return "has more than one line, but a header value is one line";
  const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `holds the character U+${code}, which a header can't`;
}

function checkValues(
  tool: ToolModel,
  part: ParameterPart,
  findProblem: FindProblem,
  report: Report,
): void {
  const facts = factsOf(tool, part);
  if (facts?.schema === undefined) return;
  const at: PlacedSchema = { model: tool.parameters, pointer: facts.schema };
  checkDefault(at, defaultAt(defaultsOf(tool.parameters), part.path), part, findProblem, report);
  const problems = (facts.enum ?? [])
    .filter(isScalarValue)
    .map((value) => ({ value, problem: findProblem(value) }));
  const bad = problems.flatMap(({ value, problem }) =>
    problem === undefined ? [] : [{ value, problem }],
  );
  if (bad.length > 0 && bad.length === problems.length) {
    const message = `no value of ${parameterName(part)} can be sent: ${problemText(bad[0])}`;
    report.add({
      code: mismatchCodes.http.value.no,
      span: spanOfType(at),
      message,
      help: "list values that the request can carry",
    });
    return;
  }
  for (const each of bad) {
    report.add({
      code: mismatchCodes.http.value.some,
      span: spanOfValue(at, each.value),
      message: `${problemText(each)}, so ${parameterName(part)} can't have this value`,
      help: "remove it from the list",
    });
  }
}

function checkDefault(
  at: PlacedSchema,
  value: JsonValue | undefined,
  part: ParameterPart,
  findProblem: FindProblem,
  report: Report,
): void {
  const problem = isScalarValue(value) ? findProblem(value) : undefined;
  if (problem === undefined) return;
  report.add({
    code: "http/unusable-default",
    span: spanOfDefault(at),
    message: `the default of ${parameterName(part)} ${problem}`,
    help: "choose another default, or make the parameter required",
  });
}

/** Returns the default at a path: its own, or the part of an outer default. */
function defaultAt(defaults: Defaults | undefined, path: readonly string[]): JsonValue | undefined {
  const [name, ...rest] = path;
  const found = name === undefined ? undefined : getOwn(defaults?.properties ?? {}, name);
  if (rest.length === 0) return asJson(found?.value);
  const whole = rest.reduce<JsonValue | undefined>(
    (value, step) => (isJsonObject(value) ? getOwn(value, step) : undefined),
    asJson(found?.value),
  );
  return whole ?? defaultAt(found?.inside, rest);
}

function asJson(value: unknown): JsonValue | undefined {
  // Defaults come from a schema, which is JSON.
  return value as JsonValue | undefined;
}

function isScalarValue(value: JsonValue | undefined): value is Scalar {
  return value !== undefined && value !== null && typeof value !== "object";
}

function problemText(
  bad: { readonly value: Scalar; readonly problem: string } | undefined,
): string {
  return bad === undefined ? "" : `\`${shown(JSON.stringify(bad.value))}\` ${bad.problem}`;
}

function parameterName({ path }: ParameterPart): string {
  return `\`${shown(path.join("."))}\``;
}
