import { quote, shown } from "../../../core/names.js";
import type { Finding } from "../../../core/diagnostic.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import {
  type CertainMismatch,
  certainMismatches,
  type Half,
  type SchemaPlace,
} from "../../../schema/certain-mismatches.js";
import { type JsonType, propertyNames, shapeAt } from "../../../schema/look-up.js";
import { checkNarrowing } from "./check-narrowing.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { typeWords } from "../../type-words.js";
import { type Followed, placeText } from "./follow-path.js";
import type { PathModel } from "../model.js";

/** What `returns` is compared with. */
interface Answer {
  readonly returns: SchemaModel;
  readonly response: SchemaModel;
  readonly dataPath?: PathModel;
  /** Where `dataPath` leads. */
  readonly data: Followed;
}

/**
 * Reports each place where no value that `response_schema` allows could fit `returns`, as every call that finds one there would fail; where there is none,
 * those where some don't.
 */
export function checkReturns(answer: Answer, report: Report): void {
  const { returns } = answer;
  const wanted: SchemaPlace = { model: returns, at: [] };
  const place = foundPlace(answer);
  const found = place === undefined ? [] : certainMismatches(place, wanted);
  const better = found.length === 0 ? undefined : placeOfWanted(answer, wanted);
  if (better !== undefined) return report.add(wrongLevel(answer, better));
  for (const each of found) {
    report.add(each.path.length === 0 ? mismatch(answer, each) : deeperMismatch(each));
  }
  const { data, dataPath, response } = answer;
  const pointer = data.kind === "place" ? shapeAt(response, data.at, "stated").pointer : undefined;
  if (found.length > 0 || pointer === undefined) return;
  const isList = dataPath?.singular === false;
  checkNarrowing({ response, returns, pointer, isList }, report);
}

/** Levels below the body that are looked through, and places in all. */
const deepest = 4;
const mostPlaces = 500;

/** The only place in the body that has every property which `returns` declares, where `path` leads to another. */
function placeOfWanted(
  { data, response, returns }: Answer,
  wanted: SchemaPlace,
): readonly string[] | undefined {
  const names = propertyNames(returns, [], "stated");
  if (names.length === 0) return undefined;
  const places: (readonly string[])[] = [[]];
  for (const at of places) {
    if (at.length >= deepest || places.length > mostPlaces) break;
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

function wrongLevel({ dataPath, returns }: Answer, at: readonly string[]): Finding {
  const simple = at.every((step) => /^[A-Za-z_]\w*$/.test(step));
  const path = ["$", ...at.map((step) => (simple ? `.${step}` : `[${JSON.stringify(step)}]`))];
  const written = quote(path.join(""));
  return {
    code: "http/returns-mismatch",
    span: dataPath?.span ?? returns.span,
    message: `what \`returns\` asks for is at ${written}, and ${dataPath === undefined ? "the whole body is given" : `\`path\` leads to \`${shown(dataPath.text)}\``}`,
    help: `write \`path: ${written.slice(1, -1)}\` in \`response_mapping\``,
    related: dataPath === undefined ? [] : [{ span: returns.span, message: "`returns`" }],
  };
}

/** What `path` finds; a query that is not singular gives an array of it. */
function foundPlace({ response, dataPath, data }: Answer): SchemaPlace | undefined {
  if (data.kind !== "place") return undefined;
  return { model: response, at: data.at, isList: dataPath?.singular === false };
}

/** Where not even the types agree, the fault lies with the path as likely as with a schema. */
function mismatch(
  { returns, response, dataPath }: Answer,
  { found, wanted }: CertainMismatch,
): Finding {
  const [gives, asks] = told(found, wanted);
  const isPath = dataPath !== undefined && !shareType(found, wanted);
  return {
    code: "http/returns-mismatch",
    span: isPath ? dataPath.span : wanted.span,
    message: `the response gives ${gives} here, and \`returns\` asks for ${asks}`,
    help: "let `response_mapping.path` lead to what `returns` describes",
    related: [
      ...(isPath ? [{ span: returns.span, message: "`returns`" }] : []),
      { span: isPath ? response.span : found.span, message: "`response_schema`" },
    ],
  };
}

function deeperMismatch({ kind, path, found, wanted }: CertainMismatch): Finding {
  const related = [{ span: found.span, message: "`response_schema`" }];
  const finding = { code: "http/returns-mismatch", span: wanted.span, related } as const;
  const place = `\`${shown(placeText(path))}\``;
  if (kind === "values") {
    const [gives, asks] = told(found, wanted);
    const message = `${place} is ${gives} in the response, and \`returns\` asks for ${asks}`;
    return { ...finding, message, help: "let both schemas say the same of it" };
  }
  const name = String(path.at(-1));
  if (kind === "missing") {
    const message = `\`returns\` requires ${place}, which no response can have`;
    const help = didYouMean(name, found.names) ?? "declare it in `response_schema` too";
    return { ...finding, message, help };
  }
  const message = `every response has ${place}, which \`returns\` forbids`;
  return { ...finding, message, help: `declare \`${shown(name)}\` in \`returns\` too` };
}

/** What is given and what is asked for, by their types where those differ, else by their values. */
function told(found: Half, wanted: Half): readonly [string, string] {
  if (!shareType(found, wanted)) return [typeWords(found.types), typeWords(wanted.types)];
  const [gives, asks] = [valueWords(found), valueWords(wanted)];
  return [gives, asks === gives ? `another kind of ${asks.replace(/^an? /, "")}` : asks];
}

function valueWords({ values, types }: Half): string {
  if (values === undefined || values.length > mostListed) return typeWords(types);
  return values.map((value) => `\`${shown(JSON.stringify(value))}\``).join(" or ");
}

const mostListed = 5;

function shareType(found: Half, wanted: Half): boolean {
  return found.types.some((type) => wanted.types.some((other) => overlap(type, other)));
}

function overlap(one: JsonType, other: JsonType): boolean {
  return one === other || (isNumeric(one) && isNumeric(other));
}

function isNumeric(type: JsonType): boolean {
  return type === "number" || type === "integer";
}
