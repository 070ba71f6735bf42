import { shown } from "../../../core/names.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { factsOf } from "../../coverage.js";
import { literalText, type ParameterPart } from "../../text-template.js";
import { checkScalars, doubtOf, type Place, reportParameter } from "../../values/check-value.js";
import { checkBlanks } from "../../values/read-value.js";
import type { QueueConfig } from "../model.js";
import { providerNamed } from "../providers/registry.js";
import { namesIn, type TargetedName } from "../target.js";
import { partFault, wholeFault } from "./name-faults.js";
import { formatsOf, mayBeAnyText } from "./any-text.js";
import { checkListedNames } from "./check-listed-names.js";

/** Names that the broker takes, made of parameters that are there. */
export function checkTarget(place: Place, config: QueueConfig): void {
  const names = namesIn(config);
  for (const name of names) checkName(place, name);
  if (config.registry) checkSubject(place, config, names);
  for (const field of config.target)
    if (field.kind === "text")
      checkScalars(place, { kind: "template", template: field.template }, field.what);
}

/** A schema's subject in a registry has a name. */
function checkSubject(
  { report }: Place,
  { provider }: QueueConfig,
  names: readonly TargetedName[],
): void {
  const { registrySubject } = providerNamed(provider.name).names;
  const subject = names.find(({ field }) => field === registrySubject);
  if (subject?.mayBeEmpty !== true || literalText(subject.template) !== "") return;
  const what = subject.what.replace(/^an? /, "the ");
  report.add({
    code: "queue/bad-target",
    span: subject.template.span,
    message: `a schema is registered under ${what}'s name, and this one is empty`,
    help: `write ${subject.what}`,
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
function literalFault(name: TargetedName): string | undefined {
  const { template } = name;
  const text = template.parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  const isWhole = literalText(template) !== undefined;
  return partFault(name, text) ?? (isWhole ? wholeFault(name, text) : undefined);
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
  { characters, what }: TargetedName,
  facts: ValueFacts,
): void {
  const [format = "", ...others] = formatsOf(place.tool, facts);
  const foreign = characters?.foreignFormats.get(format);
  if (foreign === undefined || !others.every((each) => characters?.foreignFormats.has(each)))
    return;
  const fact = `is text of the format \`${shown(format)}\`, and no broker takes it for ${what}: it holds \`${foreign}\``;
  reportParameter(place, "bad-target", part, fact, "name it by another parameter");
}

function reportOpen(place: Place, part: ParameterPart, { what }: TargetedName): void {
  const fact = `may be any text, so whoever calls the tool picks ${what.replace(/^an? /, "the ")}`;
  const help = "list its values with `enum`, or write a `pattern`";
  reportParameter(place, "open-target", part, fact, help);
}
