import { shown } from "../../../core/names.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { factsOf } from "../../coverage.js";
import { literalText, type ParameterPart } from "../../text-template.js";
import { checkScalars, doubtOf, type Place, reportParameter } from "../../values/check-value.js";
import { checkBlanks } from "../../values/read-value.js";
import type { QueueConfig, TargetModel } from "../model.js";
import { formatsOf, mayBeAnyText } from "./any-text.js";
import { checkListedNames } from "./check-listed-names.js";
import { namesIn, type TargetedName } from "./name-rules.js";

/** Names that the broker takes, made of parameters that are there. */
export function checkTarget(place: Place, { registry, target }: QueueConfig): void {
  for (const name of namesIn(target)) checkName(place, name);
  if (registry) checkSubject(place, target);
  // A message without a key goes to any partition.
  if (target.kind === "kafka" && target.key)
    checkScalars(place, { kind: "template", template: target.key }, "a key");
}

/** A schema's subject in a registry has the routing key's name. */
function checkSubject({ report }: Place, target: TargetModel): void {
  if (target.kind !== "rabbitmq" || literalText(target.routingKey) !== "") return;
  report.add({
    code: "queue/bad-target",
    span: target.routingKey.span,
    message: "a schema is registered under the routing key's name, and this one is empty",
    help: "write a routing key",
  });
}

function checkName(place: Place, name: TargetedName): void {
  const { template, what } = name;
  checkScalars(place, { kind: "template", template }, what);
  for (const part of template.parts) if (part.kind === "parameter") checkPart(place, part, name);
  const fault = literalFault(name);
  if (fault === undefined) {
    const [first, last] = [template.parts[0], template.parts.at(-1)];
    const textOf = (part: typeof first) => (part?.kind === "literal" ? part.text : "");
    checkBlanks(textOf(first), textOf(last), template.span, place);
    return checkListedNames(place, name);
  }
  place.report.add({
    code: "queue/bad-target",
    span: template.span,
    message: `no broker takes this for ${what}: ${fault}`,
  });
}

/** Literal text between references is part of a name; alone it is one. */
function literalFault({ partFault, template, wholeFault }: TargetedName): string | undefined {
  const text = template.parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  const isWhole = literalText(template) !== undefined;
  return partFault(text) ?? (isWhole ? wholeFault(text) : undefined);
}

function checkPart(place: Place, part: ParameterPart, name: TargetedName): void {
  const facts = factsOf(place.tool, part);
  if (facts === undefined) return;
  const doubt = doubtOf(facts);
  if (doubt !== undefined) {
    const fact = `is ${doubt}, and without it there is no name for ${name.what}`;
    const help = doubt === "nullable" ? "don't let it be null" : "make it required";
    reportParameter(place, "optional-in-target", part, fact, help);
  }
  checkFormat(place, part, name, facts);
  if (name.isPlace && mayBeAnyText(place.tool, facts)) reportOpen(place, part, name);
}

/** Text of a format that no name has makes none, whatever it is. */
function checkFormat(
  place: Place,
  part: ParameterPart,
  { formatFault, what }: TargetedName,
  facts: ValueFacts,
): void {
  const [format = "", ...others] = formatsOf(place.tool, facts);
  const fault = formatFault(format);
  if (fault === undefined || !others.every((each) => formatFault(each) !== undefined)) return;
  const fact = `is text of the format \`${shown(format)}\`, and no broker takes it for ${what}: ${fault}`;
  reportParameter(place, "bad-target", part, fact, "name it by another parameter");
}

function reportOpen(place: Place, part: ParameterPart, { what }: TargetedName): void {
  const fact = `may be any text, so whoever calls the tool picks ${what.replace(/^an? /, "the ")}`;
  const help = "list its values with `enum`, or write a `pattern`";
  reportParameter(place, "open-target", part, fact, help);
}
