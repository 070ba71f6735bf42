import type { DiagnosticCode } from "../../../core/diagnostic.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { JsonType, ValueFacts } from "../../../schema/look-up.js";
import { lookUp } from "../../../schema/look-up.js";
import { factsOf } from "../../coverage.js";
import { isParameter } from "../../reference-faults.js";
import { loneParameter, type ParameterPart, type TextTemplate } from "../../text-template.js";
import { typeWords } from "../../type-words.js";
import { checkHeaderValues, checkSegmentValues } from "./check-values.js";
import type { BodyNode, HttpConfig, ScalarModel } from "../model.js";

/** What each place of the request asks of the parameters that stand in it. */
export function checkRequest(tool: ToolModel, config: HttpConfig, report: Report): void {
  const place: Place = { tool, report };
  for (const piece of config.url.path) {
    if (piece.kind !== "segment") continue;
    piece.values.forEach((part) => checkInPath(place, part));
    checkSegmentValues(tool, piece, report);
  }
  config.query.forEach(({ value }) => checkInQuery(place, value));
  for (const { value } of config.headers) {
    checkScalars(place, value, "a header");
    if (value.kind === "template") checkHeaderValues(tool, value.template, report);
  }
  if (config.idempotency?.key) {
    checkKey(place, config.idempotency.key);
    checkHeaderValues(tool, config.idempotency.key, report);
  }
  if (config.body.kind === "template") checkInBody(place, config.body.value);
}

interface Place {
  readonly tool: ToolModel;
  readonly report: Report;
}

function checkInPath(place: Place, part: ParameterPart): void {
  checkScalar(place, part, "a path");
  const doubt = doubtOf(factsOf(place.tool, part));
  if (doubt === undefined) return;
  const help = "make it required, or move it to `query`, where an absent one drops its entry";
  add(
    place,
    "http/optional-in-path",
    part,
    `is ${doubt}, and a path has no place for nothing`,
    help,
  );
}

/** Alone, an array of scalars is welcome: it repeats the name. */
function checkInQuery(place: Place, value: ScalarModel): void {
  const alone = value.kind === "template" ? loneParameter(value.template) : undefined;
  const types = alone && factsOf(place.tool, alone)?.types;
  if (alone === undefined || !types?.includes("array")) {
    return checkScalars(place, value, "a query value");
  }
  const items = lookUp(place.tool.parameters, [...alone.path, 0]);
  const odd = [
    ...types.filter((type) => type === "object"),
    ...items.types.filter((type) => !isScalar(type) && type !== "null"),
  ];
  if (odd.length === 0) return;
  const message =
    "holds more than a list of text, numbers and booleans, which is all that a query can repeat";
  add(
    place,
    "http/not-a-scalar",
    alone,
    message,
    "say what its `items` are, or send it in the body",
  );
}

function checkScalars(place: Place, value: ScalarModel, where: string): void {
  if (value.kind === "literal") return;
  for (const part of value.template.parts) {
    if (part.kind === "parameter") checkScalar(place, part, where);
  }
}

function checkScalar(place: Place, part: ParameterPart, where: string): void {
  const odd = (factsOf(place.tool, part)?.types ?? []).filter(
    (type) => !isScalar(type) && type !== "null",
  );
  if (odd.length === 0) return;
  const message = `may be ${typeWords(odd)}, and ${where} holds text, numbers and booleans`;
  const help = `declare its \`type\`, name one of its fields, or send it in the body`;
  add(place, "http/not-a-scalar", part, message, help);
}

/** A key that could be the same for two orders, or missing, would not make a write safe to repeat. */
function checkKey(place: Place, key: TextTemplate): void {
  const parameters = key.parts.filter((part) => part.kind === "parameter");
  const mistaken = key.parts.some(
    (part) => part.kind === "credential" && isParameter(place.tool.parameters, part),
  );
  if (parameters.length === 0 && !mistaken && key.whole) {
    place.report.add({
      code: "http/bad-idempotency-key",
      span: key.span,
      message:
        "this key is the same for every call, so that all but the first would be taken for repeats",
      help: "put a parameter into it, or leave `key` out for a random one",
    });
  }
  for (const part of parameters) {
    checkScalar(place, part, "an idempotency key");
    const doubt = doubtOf(factsOf(place.tool, part));
    if (doubt === undefined) continue;
    const message = `is ${doubt}, and without it the call has no key`;
    add(place, "http/bad-idempotency-key", part, message, "make it required");
  }
}

function checkInBody(place: Place, node: BodyNode): void {
  if (node.kind === "map") node.entries.forEach(({ value }) => checkInBody(place, value));
  if (node.kind === "list") node.items.forEach((item) => checkInList(place, item));
  if (node.kind === "template" && !loneParameter(node.template)) {
    checkScalars(place, node, "text");
  }
}

/** An absent property is left out; an absent item would move those after it. */
function checkInList(place: Place, item: BodyNode): void {
  checkInBody(place, item);
  if (item.kind !== "template") return;
  const alone = loneParameter(item.template);
  for (const part of item.template.parts) {
    if (part.kind !== "parameter") continue;
    const facts = factsOf(place.tool, part);
    const doubt = alone && facts?.presence === "always" ? undefined : doubtOf(facts);
    if (doubt === undefined) continue;
    const message = `is ${doubt}, and a list has no place for nothing`;
    const help = "make it required, or give it a `default`";
    add(place, "http/optional-in-list", part, message, help);
  }
}

/** Why there may be no text for a value; undefined when there always is. */
function doubtOf(facts: ValueFacts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  if (facts.presence !== "always") return "optional";
  return facts.types.includes("null") ? "nullable" : undefined;
}

function isScalar(type: JsonType): boolean {
  return type !== "object" && type !== "array" && type !== "null";
}

function add(
  { report }: Place,
  code: DiagnosticCode,
  part: ParameterPart,
  fact: string,
  help: string,
): void {
  const name = shown(part.path.join("."));
  report.add({ code, span: part.span, message: `\`${name}\` ${fact}`, help });
}
