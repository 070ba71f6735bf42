import { getOwn, isJsonObject, type JsonValue } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import {
  type PlacedSchema,
  spanOfDefault,
  spanOfType,
  spanOfValue,
} from "../../../schema/schema-spans.js";
import { type Defaults, defaultsOf } from "../../../schema/defaults.js";
import { factsOf } from "../../coverage.js";
import { mismatchCodes } from "../../mismatch-codes.js";
import type { ParameterPart, TextTemplate } from "../../text-template.js";
import type { PathPiece } from "../model.js";

/** What is wrong with a value in its place; undefined when it can stand there. */
type FaultOf = (value: Scalar) => string | undefined;
type Scalar = string | number | boolean;

/** The values that schemas name for a segment's parameter. With two parameters in it, no single value is at fault. */
export function checkSegmentValues(
  tool: ToolModel,
  { fixed, values }: PathPiece & { kind: "segment" },
  report: Report,
): void {
  const [only, ...others] = values;
  if (only === undefined || others.length > 0) return;
  checkValues(tool, only, (value) => segmentFault(fixed, String(value)), report);
}

/** What URL parsers read as "this folder" and "the folder above" (WHATWG URL, 4.4). */
const dots = /^(?:\.|%2e){1,2}$/i;

function segmentFault(fixed: readonly string[], value: string): string | undefined {
  const fault = textFault(value);
  if (fault !== undefined) return fault;
  const segment = fixed.join(encodeURIComponent(value));
  if (segment === "") return "is empty, and a path segment never is";
  return dots.test(segment) ? "leads elsewhere as a path segment" : undefined;
}

/** The values that schemas name for the parameters of a query's entry. */
export function checkQueryValues(tool: ToolModel, template: TextTemplate, report: Report): void {
  for (const part of template.parts) {
    if (part.kind === "parameter")
      checkValues(tool, part, (value) => textFault(String(value)), report);
  }
}

function textFault(value: string): string | undefined {
  return value.isWellFormed() ? undefined : "is not well-formed Unicode, which a URL must be";
}

/** The values that schemas name for the parameters of a header. */
export function checkHeaderValues(tool: ToolModel, template: TextTemplate, report: Report): void {
  for (const part of template.parts) {
    if (part.kind === "parameter") checkValues(tool, part, headerFault, report);
  }
}

function headerFault(value: Scalar): string | undefined {
  const bad = /[^\t\x20-\x7e\x80-\xff]/u.exec(String(value))?.[0];
  if (bad === undefined) return undefined;
  if (bad === "\n" || bad === "\r") return "has more than one line, and a header value is one line";
  const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `holds the character U+${code}, which a header can't`;
}

function checkValues(tool: ToolModel, part: ParameterPart, faultOf: FaultOf, report: Report): void {
  const facts = factsOf(tool, part);
  if (facts?.schema === undefined) return;
  const at: PlacedSchema = { model: tool.parameters, pointer: facts.schema };
  checkDefault(at, defaultAt(defaultsOf(tool.parameters), part.path), part, faultOf, report);
  const faults = (facts.enum ?? [])
    .filter(isScalar)
    .map((value) => ({ value, fault: faultOf(value) }));
  const bad = faults.flatMap(({ value, fault }) => (fault === undefined ? [] : [{ value, fault }]));
  if (bad.length > 0 && bad.length === faults.length) {
    const message = `no value of ${nameOf(part)} can be sent: ${told(bad[0])}`;
    report.add({
      code: mismatchCodes.http.value.no,
      span: spanOfType(at),
      message,
      help: "list values that can stand there",
    });
    return;
  }
  for (const each of bad) {
    report.add({
      code: mismatchCodes.http.value.some,
      span: spanOfValue(at, each.value),
      message: `${told(each)}, so that ${nameOf(part)} can't be it`,
      help: "remove it from the list",
    });
  }
}

function checkDefault(
  at: PlacedSchema,
  value: JsonValue | undefined,
  part: ParameterPart,
  faultOf: FaultOf,
  report: Report,
): void {
  const fault = isScalar(value) ? faultOf(value) : undefined;
  if (fault === undefined) return;
  report.add({
    code: "http/unusable-default",
    span: spanOfDefault(at),
    message: `the default of ${nameOf(part)} ${fault}`,
    help: "choose another, or make the parameter required",
  });
}

/** What is filled in at that path when callers leave it out, or what holds it. */
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
  // A default was read from a schema, which is JSON.
  return value as JsonValue | undefined;
}

function isScalar(value: JsonValue | undefined): value is Scalar {
  return value !== undefined && value !== null && typeof value !== "object";
}

function told(bad: { readonly value: Scalar; readonly fault: string } | undefined): string {
  return bad === undefined ? "" : `\`${shown(JSON.stringify(bad.value))}\` ${bad.fault}`;
}

function nameOf({ path }: ParameterPart): string {
  return `\`${shown(path.join("."))}\``;
}
