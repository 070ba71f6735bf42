import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { type MapEntry, type SyntaxNode, valueOf } from "../../../core/syntax-node.js";
import { lookUp } from "../../../schema/look-up.js";
import type { ResolveInput } from "../../../kit/binding.js";
import { statusNameProblem } from "../../../kit/status-names.js";
import { type TextNode, textNode } from "../../../kit/text-template.js";
import type { PathModel, StatusModel } from "../model.js";
import { readJsonPath } from "./json-path.js";

/** A key of `status_codes`: a code, a range such as `4XX`, or `default` for all other failures. */
export const statusKey = /^(?:[1-5][0-9]{2}|[1-5]XX|default)$/;

/** Reads `status_codes`: for each status its name, or a mapping with name, schema and path. */
export function readStatuses(
  node: SyntaxNode | undefined,
  { readSchema, report }: Pick<ResolveInput, "readSchema" | "report">,
): readonly StatusModel[] {
  if (node?.kind !== "map") return [];
  const statuses = node.entries.flatMap((entry) => {
    const { value } = entry;
    const name = textNode(value.kind === "map" ? valueOf(value, "as") : value);
    // Read even if the name is invalid, to report the problems of the schema too.
    const schema = schemaOf(valueOf(value, "schema"), readSchema);
    const path = pathOf(valueOf(value, "path"), report);
    if (name === undefined) return [];
    const keyFits = checkKey(entry, report);
    const nameFits = checkName(entry, name, report);
    if (!keyFits || !nameFits) return [];
    const { key } = entry;
    const hasBody = checkHasBody(entry, { schema, path }, report);
    const described = hasBody ? { ...(schema && { schema }), ...(path && { path }) } : {};
    return [{ code: key.value, name: name.value, span: name.span, ...described }];
  });
  checkAmbiguity(statuses, report);
  checkSchemas(statuses, report);
  return statuses;
}

/** Reads a schema in a binding. */
export function schemaOf(
  node: SyntaxNode | undefined,
  readSchema: ResolveInput["readSchema"],
): SchemaModel | undefined {
  const isSchema =
    node?.kind === "map" || (node?.kind === "scalar" && typeof node.value === "boolean");
  return isSchema ? readSchema(node) : undefined;
}

/** Reads a response path in a binding. */
export function pathOf(node: SyntaxNode | undefined, report: Report): PathModel | undefined {
  const text = textNode(node);
  return text && readJsonPath(text, report);
}

/** Reads a response path, and reports one that may find several values. */
export function singlePathOf(
  { key, node }: { readonly key: string; readonly node: SyntaxNode | undefined },
  { code, example }: Pick<UnratedDiagnostic, "code"> & { readonly example: string },
  report: Report,
): PathModel | undefined {
  const path = pathOf(node, report);
  if (path === undefined || path.singular) return path;
  report.add({
    code,
    span: path.span,
    message: `${quote(path.text)} may find several values, but ${quote(key)} needs exactly one`,
    help: `write a path that leads to one place: \`${example}\``,
  });
  return undefined;
}

/** True if an answer with that code has `data`. */
export function isSuccessCode(code: string): boolean {
  return code.startsWith("2");
}

/** True for a success without content (RFC 9110, 15.3.5 and 15.3.6). Its body is read as null. */
export function isWithoutContent(code: string): boolean {
  return code === "204" || code === "205";
}

/** Reports a schema or a path of a status that never has a body: its value is always null. */
function checkHasBody(
  { key }: MapEntry,
  {
    path,
    schema,
  }: { readonly path: PathModel | undefined; readonly schema: SchemaModel | undefined },
  report: Report,
): boolean {
  // Informational answers, and 304, have no content either (RFC 9110, 15.2 and 15.4.5).
  if (!isWithoutContent(key.value) && !/^(?:1|304$)/.test(key.value)) return true;
  const takesNull = schema === undefined || lookUp(schema, [], "stated").types.includes("null");
  if (path === undefined && takesNull) return true;
  const what = takesNull ? "path" : "schema";
  report.add({
    code: "http/no-content",
    span: key.span,
    message: `status ${shown(key.value)} has no content, so its ${quote(what)} has nothing to describe: the value is always null`,
    help: `remove ${quote(what)}, or write it beside a status that has content`,
  });
  return false;
}

/** Schema and path of `success`, from the keys for all successes or from one of its codes. */
export interface SuccessModel {
  readonly response?: SchemaModel;
  readonly dataPath?: PathModel;
}

/**
 * Merges the schema and path of all successes with those of codes that are named `success`. Reports
 * a second schema or path.
 *
 * @param usual `response_schema` and `response_mapping.path`
 */
export function successOf(
  usual: SuccessModel,
  statuses: readonly StatusModel[],
  report: Report,
): SuccessModel {
  let { response, dataPath } = usual;
  for (const { name, path, schema } of statuses) {
    if (name !== "success") continue;
    if (schema && response) reportTwice(schema.span, response.span, "a schema", report);
    if (path && dataPath) reportTwice(path.span, dataPath.span, "a path", report);
    response ??= schema;
    dataPath ??= path;
  }
  return { ...(response && { response }), ...(dataPath && { dataPath }) };
}

function reportTwice(span: Span, other: Span, what: string, report: Report): void {
  report.add({
    code: "http/success-twice",
    span,
    message: `\`success\` already has ${what}`,
    help: "give this status a name of its own, such as `as: accepted`, or keep one of the two",
    related: [{ span: other, message: "the other one" }],
  });
}

function checkKey({ key }: MapEntry, report: Report): boolean {
  if (statusKey.test(key.value)) return true;
  const upper = key.value.toUpperCase();
  const range = statusKey.test(upper) ? `\`${upper}\`` : "a range such as `4XX`";
  report.add({
    code: "http/bad-status-code",
    span: key.span,
    message: `\`${shown(key.value)}\` is not a status code`,
    help: statusKey.test(upper)
      ? `write ${range}`
      : `write three digits, 100 to 599, ${range}, or \`default\` for every other failure`,
  });
  return false;
}

function checkName({ key }: MapEntry, name: TextNode, report: Report): boolean {
  const problem = statusNameProblem(name.value);
  if (problem !== undefined) {
    report.add({ code: "http/bad-status-name", span: name.span, ...problem });
    return false;
  }
  const success = isSuccessCode(key.value);
  if (name.value !== (success ? "error" : "success")) return true;
  const written = shown(key.value);
  report.add({
    code: "http/misleading-status",
    span: name.span,
    message: success
      ? `${written} is a success, but \`error\` has no \`data\``
      : `\`success\` has \`data\`, but ${written === "default" ? "`default` stands for failures" : `${written} is a failure`}`,
    help: "give it a name of its own, such as `accepted` or `not_found`",
  });
  return false;
}

function checkAmbiguity(statuses: readonly StatusModel[], report: Report): void {
  for (const status of statuses) {
    const other = statuses.find(({ name }) => name === status.name);
    if (other === undefined || isSuccessCode(other.code) === isSuccessCode(status.code)) continue;
    report.add({
      code: "http/ambiguous-status",
      span: status.span,
      message: `\`${shown(status.name)}\` stands for ${other.code} and for ${status.code}, but only one of them has \`data\``,
      help: "give each status a name of its own",
      related: [{ span: other.span, message: `${other.code} here` }],
    });
  }
}

/**
 * Reports a schema of `error`, which also stands for failures that fit no schema. Also reports a
 * schema or path of a success if the same name has another code without one: the name would have
 * two types.
 */
function checkSchemas(statuses: readonly StatusModel[], report: Report): void {
  for (const { code, name, path, schema } of statuses) {
    if (schema !== undefined && name === "error") {
      report.add({
        code: "http/schema-of-error",
        span: schema.span,
        message: "`error` stands for every failure that fits no schema, so it can't have a schema",
        help: "give this status a name of its own, such as `as: refused`; for `error_path` alone, write `error_schema`",
      });
    }
    const own = schema ?? path;
    if (own === undefined || name === "success" || !isSuccessCode(code)) continue;
    const other = statuses.find((each) => each.name === name && isUsual(each));
    if (other === undefined) continue;
    report.add({
      code: "http/ambiguous-status",
      span: own.span,
      message: `\`${shown(name)}\` also stands for ${other.code}, which has no schema or path of its own`,
      help: "give each status a name of its own, or give both a schema",
      related: [{ span: other.span, message: `${other.code} here` }],
    });
  }
}

/** True if a success has the schema and path of all successes. */
function isUsual({ code, path, schema }: StatusModel): boolean {
  return schema === undefined && path === undefined && !isWithoutContent(code);
}

/**
 * Names of the successes whose `data` has its own type: each of their codes has a schema, a path or
 * no content.
 */
export function namesOfOwnData(statuses: readonly StatusModel[]): readonly string[] {
  const successes = statuses.filter(({ code, name }) => isSuccessCode(code) && name !== "success");
  const usual = new Set(successes.filter(isUsual).map(({ name }) => name));
  return [...new Set(successes.map(({ name }) => name))].filter((name) => !usual.has(name));
}
