import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import type { JsonSchema } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import {
  type CertainMismatch,
  certainMismatches,
  type Half,
  type SchemaPlace,
} from "../../../schema/certain-mismatches.js";
import { compare } from "../../../schema/compare/compare.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { type JsonType, lookUp, propertyNames, shapeAt } from "../../../schema/look-up.js";
import { spanOfRest, spanOfType } from "../../../schema/schema-spans.js";
import { schemaAt } from "../../../schema/schema-tree.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import { typeWords } from "../../../kit/type-words.js";
import type { HttpConfig, PathModel } from "../model.js";
import { isSuccessCode } from "../resolve/statuses.js";
import { type Followed, followPath, placeText } from "./follow-path.js";

/** Checks response paths against the schemas of bodies, and `returns` against the found values. */
export function checkResponse(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { response, dataPath } = config;
  if (response !== undefined) {
    const data = followPath(response, dataPath);
    if (data.kind === "missing") report.add(data.diagnostic);
    else if (data.kind === "open" && dataPath?.singular === false && tool.returns)
      checkListPath(dataPath, tool.returns, report);
    else if (tool.returns)
      checkReturns({ ...config, response, returns: tool.returns, data }, report);
  } else if (dataPath?.singular === false && tool.returns) {
    checkListPath(dataPath, tool.returns, report);
  }
  checkErrorPath(config, report);
  checkStatusPaths(config, report);
}

/** Checks the path of each status against the schema of that status. */
function checkStatusPaths({ errorResponse, response, statuses }: HttpConfig, report: Report): void {
  for (const { code, name, path, schema } of statuses) {
    // `checkResponse` checks the path of `success`.
    if (path === undefined || name === "success") continue;
    const usual = isSuccessCode(code) ? response : errorResponse;
    const body = schema ?? usual;
    const found = body && followPath(body, path);
    if (found?.kind === "missing") report.add(found.diagnostic);
  }
}

/** Reports a path that finds a list if `returns` is not an array. Needs no schema of the body. */
function checkListPath(path: PathModel, returns: SchemaModel, report: Report): void {
  const { types } = lookUp(returns, [], "stated");
  if (types.length === 0 || types.includes("array")) return;
  report.add({
    code: "http/returns-mismatch",
    span: path.span,
    message: `\`${shown(path.text)}\` finds a list, but \`returns\` expects ${typeWords(types)}`,
    help: "make `returns` an array, or write a path to one value, for example with `[0]` instead of `[*]`",
    related: [{ span: returns.span, message: "`returns`" }],
  });
}

/**
 * Checks `error_path` against `error_schema`, or else against `response_schema`. In the second case
 * the help asks for an `error_schema`.
 */
function checkErrorPath({ response, errorResponse, errorPath }: HttpConfig, report: Report): void {
  const schema = errorResponse ?? response;
  const error = schema && followPath(schema, errorPath);
  if (error?.kind !== "missing") return;
  const otherwise = errorResponse
    ? {}
    : { help: "describe the bodies of errors in `error_schema`" };
  report.add({ ...error.diagnostic, ...otherwise });
}

/** Schemas to compare: `returns` with the found part of `response`. */
interface Answer {
  readonly returns: SchemaModel;
  readonly response: SchemaModel;
  readonly dataPath?: PathModel;
  /** Place to which `dataPath` leads in `response`. */
  readonly data: Followed;
}

/**
 * Reports each place where no value that `response_schema` allows fits `returns`: every call with
 * such a value would fail. If there is no such place, reports places where only some values fit.
 */
function checkReturns(answer: Answer, report: Report): void {
  const { returns } = answer;
  const wanted: SchemaPlace = { model: returns, at: [] };
  const place = foundPlace(answer);
  const found = place === undefined ? [] : certainMismatches(place, wanted);
  const better = found.length === 0 ? undefined : onlyFittingPlace(answer, wanted);
  if (better !== undefined) return report.add(wrongLevel(answer, better));
  for (const each of found) {
    report.add(each.path.length === 0 ? rootMismatch(answer, each) : deeperMismatch(each));
  }
  const { data, dataPath, response } = answer;
  const pointer = data.kind === "place" ? shapeAt(response, data.at, "stated").pointer : undefined;
  if (found.length > 0 || pointer === undefined) return;
  const isList = dataPath?.singular === false;
  checkNarrowing({ response, returns, pointer, isList }, report);
}

/** Limits of the search: levels below the body, and places in total. */
const deepest = 4;
const maxPlaces = 500;

/**
 * Finds the only other place in the body that has every property of `returns` and may fit it.
 * Undefined if there are several such places, or none.
 */
function onlyFittingPlace(
  { data, response, returns }: Answer,
  wanted: SchemaPlace,
): readonly string[] | undefined {
  const names = propertyNames(returns, [], "stated");
  if (names.length === 0) return undefined;
  const places: (readonly string[])[] = [[]];
  for (const at of places) {
    if (at.length >= deepest || places.length > maxPlaces) break;
    for (const name of propertyNames(response, at, "stated")) places.push([...at, name]);
  }
  const now = data.kind === "place" ? placeText(data.at) : undefined;
  const fitting = places.filter((at) => {
    const there = propertyNames(response, at, "stated");
    if (placeText(at) === now || !names.every((name) => there.includes(name))) return false;
    return certainMismatches({ model: response, at }, wanted).length === 0;
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

function wrongLevel({ dataPath, returns }: Answer, at: readonly string[]): UnratedDiagnostic {
  const simple = at.every((step) => /^[A-Za-z_]\w*$/.test(step));
  const path = ["$", ...at.map((step) => (simple ? `.${step}` : `[${JSON.stringify(step)}]`))];
  const written = quote(path.join(""));
  return {
    code: "http/returns-mismatch",
    span: dataPath?.span ?? returns.span,
    message: `\`returns\` describes the value at ${written}, but ${dataPath === undefined ? "the tool returns the whole body" : `\`path\` leads to \`${shown(dataPath.text)}\``}`,
    help: `write \`path: ${written.slice(1, -1)}\` in \`response_mapping\``,
    related: dataPath === undefined ? [] : [{ span: returns.span, message: "`returns`" }],
  };
}

/** Place of the data. If the query is not singular, the data is an array of values there. */
function foundPlace({ response, dataPath, data }: Answer): SchemaPlace | undefined {
  if (data.kind !== "place") return undefined;
  return { model: response, at: data.at, isList: dataPath?.singular === false };
}

/** Reports a mismatch of the whole data. If the types differ, the path is probably wrong. */
function rootMismatch(
  { returns, response, dataPath }: Answer,
  { found, wanted }: CertainMismatch,
): UnratedDiagnostic {
  const [gives, asks] = describeBoth(found, wanted);
  const isPath = dataPath !== undefined && !shareType(found, wanted);
  return {
    code: "http/returns-mismatch",
    span: isPath ? dataPath.span : wanted.span,
    message: `the response has ${gives} here, but \`returns\` expects ${asks}`,
    help: "write a `response_mapping.path` to the value that `returns` describes",
    related: [
      ...(isPath ? [{ span: returns.span, message: "`returns`" }] : []),
      { span: isPath ? response.span : found.span, message: "`response_schema`" },
    ],
  };
}

function deeperMismatch({ kind, path, found, wanted }: CertainMismatch): UnratedDiagnostic {
  const related = [{ span: found.span, message: "`response_schema`" }];
  const diagnostic = { code: "http/returns-mismatch", span: wanted.span, related } as const;
  const place = `\`${shown(placeText(path))}\``;
  if (kind === "values") {
    const [gives, asks] = describeBoth(found, wanted);
    const message = `${place} is ${gives} in the response, but \`returns\` expects ${asks}`;
    return { ...diagnostic, message, help: "make both schemas agree" };
  }
  const name = String(path.at(-1));
  if (kind === "missing") {
    const message = `\`returns\` requires ${place}, but no response can have it`;
    const help = didYouMean(name, found.names) ?? "declare it in `response_schema` too";
    return { ...diagnostic, message, help };
  }
  const message = `every response has ${place}, which \`returns\` forbids`;
  return { ...diagnostic, message, help: `declare \`${shown(name)}\` in \`returns\` too` };
}

/** Describes both sides: by their types if these differ, otherwise by their values. */
function describeBoth(found: Half, wanted: Half): readonly [string, string] {
  if (!shareType(found, wanted)) return [typeWords(found.types), typeWords(wanted.types)];
  const [gives, asks] = [valueWords(found), valueWords(wanted)];
  return [gives, asks === gives ? `another kind of ${asks.replace(/^an? /, "")}` : asks];
}

function valueWords({ values, types }: Half): string {
  if (values === undefined || values.length > maxListed) return typeWords(types);
  return values.map((value) => `\`${shown(JSON.stringify(value))}\``).join(" or ");
}

const maxListed = 5;

function shareType(found: Half, wanted: Half): boolean {
  return found.types.some((type) => wanted.types.some((other) => overlap(type, other)));
}

function overlap(one: JsonType, other: JsonType): boolean {
  return one === other || (isNumeric(one) && isNumeric(other));
}

function isNumeric(type: JsonType): boolean {
  return type === "number" || type === "integer";
}

/** Schemas of a response and of its data. */
export interface Given {
  readonly response: SchemaModel;
  readonly returns: SchemaModel;
  /** JSON pointer to the schema of the data in `response`; to that of each item if `isList`. */
  readonly pointer: string;
  readonly isList: boolean;
}

/**
 * Reports values that `response_schema` allows and `returns` rejects, once for each place: a call
 * with such a value fails. Skips places that `response_schema` doesn't describe, and properties
 * that a response may lack.
 */
function checkNarrowing(given: Given, report: Report): void {
  const { isList, pointer, response, returns } = given;
  const each = schemaAt(response.schema, pointer);
  const schema: JsonSchema = isList ? { type: "array", items: each } : each;
  const found = compare(
    { schema, root: response.schema },
    { schema: returns.schema, root: returns.schema },
  );
  const reported = new Set<string>();
  for (const mismatch of found.filter((one) => isReported(one, returns))) {
    const place = JSON.stringify(mismatch.path);
    if (!reported.has(place)) report.add(narrowing(mismatch, given));
    reported.add(place);
  }
}

function isReported(
  { isUnsaid, kind, path, promised, unseen }: Mismatch,
  returns: SchemaModel,
): boolean {
  if (unseen || isUnsaid || promised) return false;
  if (kind !== "unknown") return kind === "value";
  // An open object accepts a name that looks like a misspelling; report only forbidden names.
  return lookUp(returns, path, "stated").presence === "never";
}

function narrowing(mismatch: Mismatch, { returns, response }: Given): UnratedDiagnostic {
  const { given, kind, known, ofNull, path, wanted } = mismatch;
  const place = path.length === 0 ? "the response" : quote(placeText(path));
  const fact = known?.kind === "type" ? `may be ${known.words}` : given;
  // Only null, or only values with that name, don't fit; other values may.
  const fit = ofNull || kind === "unknown" ? "some" : mismatch.fits;
  const pointer = lookUp(returns, path, "stated").schema ?? "";
  const at = { model: returns, pointer };
  return {
    code: mismatchCodes.http.returns[fit],
    span: kind === "unknown" ? spanOfRest(at, String(path.at(-1)), undefined) : spanOfType(at),
    message:
      kind === "unknown"
        ? `a response may have ${place}, which \`returns\` forbids`
        : `${place} ${fact} by \`response_schema\`, but \`returns\` ${wanted}`,
    help:
      fit === "no"
        ? "make both schemas agree"
        : "make both schemas agree: a call with another value fails",
    related: [{ span: response.span, message: "`response_schema`" }],
  };
}
