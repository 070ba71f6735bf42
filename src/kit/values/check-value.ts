import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { fileParameters } from "../../schema/file-schema.js";
import type { JsonType, ValueFacts } from "../../schema/look-up.js";
import { factsOf } from "../coverage.js";
import { loneParameter, type ParameterPart } from "../text-template.js";
import { typeWords } from "../type-words.js";
import type { ScalarModel, ValueNode } from "./model.js";

/** The tool whose parameters stand somewhere, and where problems go. */
export interface CheckContext {
  /** Codes are `<kind>/…`. */
  readonly kind: string;
  /** Name of the place with JSON: `the body`. */
  readonly json: string;
  readonly tool: ToolModel;
  readonly report: Report;
}

/**
 * Checks that each parameter of the text is a scalar. `where` completes "may be an array, and …
 * holds text".
 */
export function checkScalars(place: CheckContext, value: ScalarModel<string>, where: string): void {
  if (value.kind === "literal") return;
  for (const part of value.template.parts) {
    if (part.kind === "parameter") checkScalar(place, part, where);
  }
}

/** Checks that one parameter is a scalar. */
export function checkScalar(place: CheckContext, part: ParameterPart, where: string): void {
  // Another check reports files in wrong places.
  if (fileParameters(place.tool.parameters).has(part.path[0] ?? "")) return;
  const odd = (factsOf(place.tool, part)?.types ?? []).filter(
    (type) => !isScalar(type) && type !== "null",
  );
  if (odd.length === 0) return;
  const message = `may be ${typeWords(odd)}, but ${where} holds only text, numbers and booleans`;
  const help = `declare its \`type\`, name one of its fields, or send it in ${place.json}`;
  reportParameter(place, "not-a-scalar", part, message, help);
}

/**
 * Checks the parameters in JSON: an object can't be written inside a text, and a list can't contain
 * a missing value.
 */
export function checkValue(place: CheckContext, node: ValueNode<string>): void {
  if (node.kind === "map") node.entries.forEach(({ value }) => checkValue(place, value));
  if (node.kind === "list") node.items.forEach((item) => checkInList(place, item));
  if (node.kind === "template" && !loneParameter(node.template)) {
    checkScalars(place, node, "text");
  }
}

/** An absent property is left out; an absent item would move those after it. */
function checkInList(place: CheckContext, item: ValueNode<string>): void {
  checkValue(place, item);
  if (item.kind !== "template") return;
  const alone = loneParameter(item.template);
  for (const part of item.template.parts) {
    if (part.kind !== "parameter") continue;
    const facts = factsOf(place.tool, part);
    const doubt = alone && facts?.presence === "always" ? undefined : doubtOf(facts);
    if (doubt === undefined) continue;
    const message = `is ${doubt}, but a list can't leave out an item`;
    const help = "make it required, or give it a `default`";
    reportParameter(place, "optional-in-list", part, message, help);
  }
}

/** Why there may be no text for a value; undefined when there always is. */
export function doubtOf(facts: ValueFacts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  if (facts.presence !== "always") return "optional";
  return facts.types.includes("null") ? "nullable" : undefined;
}

export function isScalar(type: JsonType): boolean {
  return type !== "object" && type !== "array" && type !== "null";
}

/** Reports a problem of a parameter; `fact` continues the sentence after its name. */
export function reportParameter(
  { kind, report }: CheckContext,
  problem: string,
  part: ParameterPart,
  fact: string,
  help: string,
): void {
  const name = shown(part.path.join("."));
  report.add({ code: `${kind}/${problem}`, span: part.span, message: `\`${name}\` ${fact}`, help });
}
