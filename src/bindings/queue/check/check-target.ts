import {
  foreignCharacter,
  isTooLong,
  type NameRule,
  brokenCompleteRule,
  separatorsIn,
  separatorWithin,
} from "@skillc/runtime/internal/queue";
import { quote, shown } from "../../../core/names.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { listedIn, looseBranches, typeOf } from "../../../schema/compare/normal-form.js";
import type { Branch } from "../../../schema/compare/source.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-tree.js";
import { factsOf } from "../../../kit/coverage.js";
import {
  isValuePart,
  literalText,
  loneParameter,
  type ParameterPart,
  valueName,
} from "../../../kit/text-template.js";
import {
  checkScalars,
  doubtOf,
  type CheckContext,
  reportParameter,
} from "../../../kit/values/check-value.js";
import { checkBlanks } from "../../../kit/values/read-value.js";
import type { QueueConfig } from "../model.js";
import { providerNamed } from "../providers/registry.js";
import { namesIn, type TargetedName } from "../target.js";
import { knownTexts, listedTexts } from "./written-schema.js";

/** Checks that the names in a target are valid, and that their parameters are present. */
export function checkTarget(place: CheckContext, config: QueueConfig): void {
  const names = namesIn(config);
  for (const name of names) checkName(place, name);
  if (config.registry) checkSubject(place, config, names);
  for (const field of config.target)
    if (field.kind === "text")
      checkScalars(place, { kind: "template", template: field.template }, field.what);
}

/** Checks that the schema's subject in a registry is not empty. */
function checkSubject(
  { report }: CheckContext,
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
    message: `the registry needs ${what}'s name for the schema, but this name is empty`,
    help: `write ${subject.what}`,
  });
}

function checkName(place: CheckContext, name: TargetedName): void {
  const { template, what } = name;
  checkScalars(place, { kind: "template", template }, what);
  for (const part of template.parts) if (part.kind === "parameter") checkPart(place, part, name);
  checkNeighbours(place, name);
  const problem = literalProblem(name);
  if (problem === undefined) {
    const [first, last] = [template.parts[0], template.parts.at(-1)];
    const textOf = (part: typeof first) => (part?.kind === "literal" ? part.text : "");
    checkBlanks(textOf(first), textOf(last), template.span, place);
    return checkListedNames(place, name);
  }
  place.report.add({
    code: "queue/bad-target",
    span: template.span,
    message: `this is not a valid name for ${what}: ${problem}`,
  });
}

/**
 * Reports two adjacent values without a separator: `a` and `bc` make the same name as `ab` and `c`.
 */
function checkNeighbours({ report, tool }: CheckContext, { template, what }: TargetedName): void {
  const { parts } = template;
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (next === undefined || !isValuePart(part) || !isValuePart(next)) continue;
    if (listedTexts(tool, part) !== undefined && listedTexts(tool, next) !== undefined) continue;
    report.add({
      code: "queue/bad-target",
      span: next.span,
      message: `nothing separates \`{${valueName(next)}}\` from \`{${valueName(part)}}\`, so other values could make the same name of ${what}`,
      help: "write a separator between them, such as `.`",
    });
  }
}

/**
 * Returns the problem of the literal text in a name. Without references, the text is checked as a
 * complete name.
 */
function literalProblem(name: TargetedName): string | undefined {
  const { template } = name;
  const text = template.parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  const isComplete = literalText(template) !== undefined;
  return partProblem(name, text) ?? (isComplete ? completeNameProblem(name, text) : undefined);
}

function checkPart(place: CheckContext, part: ParameterPart, name: TargetedName): void {
  const facts = factsOf(place.tool, part);
  if (facts === undefined) return;
  const doubt = doubtOf(facts);
  if (doubt !== undefined) {
    const fact = `is ${doubt}, but the name of ${name.what} needs it`;
    const help = doubt === "nullable" ? "remove null from its type" : "make it required";
    reportParameter(place, "optional-in-target", part, fact, help);
  }
  checkFormat(place, part, name, facts);
  if (name.isPlace && mayBeAnyText(place.tool, facts)) reportOpen(place, part, name);
}

/** Reports a parameter whose format always contains a character that the name forbids. */
function checkFormat(
  place: CheckContext,
  part: ParameterPart,
  { characters, what }: TargetedName,
  facts: ValueFacts,
): void {
  const [format = "", ...others] = formatsOf(place.tool, facts);
  const foreign = characters?.foreignFormats.get(format);
  if (foreign === undefined || !others.every((each) => characters?.foreignFormats.has(each)))
    return;
  const fact = `has the format \`${shown(format)}\`, which is not a valid name for ${what}: it contains \`${foreign}\``;
  reportParameter(place, "bad-target", part, fact, "use another parameter for the name");
}

function reportOpen(place: CheckContext, part: ParameterPart, { what }: TargetedName): void {
  const fact = `may be any text, so the caller picks ${what.replace(/^an? /, "the ")}`;
  const help = "list its values with `enum`, or write a `pattern`";
  reportParameter(place, "open-target", part, fact, help);
}

/**
 * Checks names with parameters that list their values: the broker must accept every resulting name.
 */
function checkListedNames(place: CheckContext, name: TargetedName): void {
  for (const part of name.template.parts)
    if (part.kind === "parameter")
      for (const text of listedTexts(place.tool, part) ?? []) checkListed(place, part, name, text);
  checkTogether(place, name);
}

function checkListed(
  place: CheckContext,
  part: ParameterPart,
  name: TargetedName,
  text: string,
): void {
  const { mayBeEmpty, template, what } = name;
  const isComplete = loneParameter(template) === part;
  const problem =
    characterProblem(text) ??
    partProblem(name, text) ??
    (isComplete ? completeNameProblem(name, text) : undefined);
  if (problem === undefined && text !== "") return checkToken(place, part, name, text);
  const fact =
    text === "" && !mayBeEmpty
      ? `may be empty, but the name of ${what} must not be empty`
      : problem && `may be ${quote(text)}, which is not a valid name for ${what}: ${problem}`;
  const help = "remove the value from the parameter's schema";
  if (fact) reportParameter(place, "bad-target", part, fact, help);
}

/**
 * Reports a listed value that calls would reject, because it is more than one token of the name.
 */
function checkToken(
  place: CheckContext,
  part: ParameterPart,
  name: TargetedName,
  text: string,
): void {
  const { parts } = name.template;
  const separators = separatorsIn(name, parts.map(fixedText));
  const separator = part.extent === "tokens" ? undefined : separatorWithin(text, separators);
  if (separator === undefined) return;
  const fact = `may be ${quote(text)}, but \`${separator}\` separates the value from the rest of ${name.what}`;
  const help = `write \`{${part.path.join(".")}...}\` if a value may be several tokens`;
  reportParameter(place, "bad-target", part, fact, help);
}

/** Returns the text of a part: empty for a credential, undefined for a value. */
function fixedText(part: TargetedName["template"]["parts"][number]): string | undefined {
  if (part.kind === "literal") return part.text;
  return part.kind === "credential" ? "" : undefined;
}

/** Only for listed values: literal text was checked when it was read. */
function characterProblem(text: string): string | undefined {
  return text.isWellFormed() ? undefined : "it contains half of a surrogate pair";
}

/** Checks the listed values together with each other and with the literal text around them. */
function checkTogether({ report, tool }: CheckContext, name: TargetedName): void {
  const { template, what } = name;
  if (loneParameter(template) !== undefined || literalText(template) !== undefined) return;
  const refused = refusedName(tool, name);
  if (refused === undefined) return;
  report.add({
    code: "queue/bad-target",
    span: template.span,
    message: `this may be ${quote(refused.text)}, which is not a valid name for ${what}: ${refused.problem}`,
    help: "remove a value from a parameter's schema, or change the text around it",
  });
}

/**
 * Returns an invalid name that the values can make. The candidates are the longest name, the name
 * closest to only dots, a name with outer dots, and all names if they are few.
 */
function refusedName(
  tool: ToolModel,
  name: TargetedName,
): { readonly text: string; readonly problem: string } | undefined {
  const choices = name.template.parts.map((part): readonly string[] | undefined => {
    if (part.kind === "literal") return [part.text];
    const listed = isValuePart(part) ? listedTexts(tool, part) : undefined;
    return listed?.filter((text) => partProblem(name, text) === undefined);
  });
  const longest = choices.map((each = []) => longestOf(each)).join("");
  const tooLong = partProblem(name, longest);
  if (tooLong !== undefined) return { text: longest, problem: tooLong };
  // A value that isn't listed may be any text, so assume a harmless one.
  const known = choices.map((each = ["x"]) => each);
  const likely = [fewestDots, outerDots].map((choose) => known.map(choose).join(""));
  const all = knownTexts(tool, name.template) ?? [];
  for (const text of [...likely, ...all]) {
    const problem =
      partProblem(name, text) === undefined ? completeNameProblem(name, text) : undefined;
    if (problem !== undefined) return { text, problem };
  }
  return undefined;
}

function longestOf(texts: readonly string[]): string {
  return texts.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))[0] ?? "";
}

/** Returns the shortest text of only dots, or else the first text. */
function fewestDots(texts: readonly string[]): string {
  const dots = texts.filter((text) => /^\.+$/.test(text));
  return dots.toSorted((a, b) => a.length - b.length)[0] ?? texts[0] ?? "";
}

function outerDots(texts: readonly string[]): string {
  return texts.find((text) => /^\.|\.$/.test(text)) ?? texts[0] ?? "";
}

/** Returns why a name can't contain this text. */
export function partProblem(rule: NameRule, text: string): string | undefined {
  const foreign = foreignCharacter(rule, text);
  if (foreign !== undefined) return `it contains ${foreign === " " ? "a space" : `\`${foreign}\``}`;
  return isTooLong(rule, text) ? `it is longer than ${rule.maxBytes} bytes` : undefined;
}

/** Returns why this text can't be a complete name. */
export function completeNameProblem(rule: NameRule, text: string): string | undefined {
  return brokenCompleteRule(rule, text)?.problem;
}

/** Returns whether a value may be any text, without `enum`, `const`, `pattern` or `format`. */
function mayBeAnyText(tool: ToolModel, facts: ValueFacts): boolean {
  return facts.types.includes("string") && formsOf(tool, facts).some(isAnyText);
}

/** Returns the formats of a value if it is always text with a format; otherwise an empty list. */
function formatsOf(tool: ToolModel, facts: ValueFacts): readonly string[] {
  const forms = formsOf(tool, facts);
  const formats = forms.flatMap((form) => {
    if (form === true || typeOf(form) !== "string" || listedIn(form) !== undefined) return [];
    return typeof form["format"] === "string" ? [form["format"]] : [];
  });
  return formats.length === forms.length ? formats : [];
}

/**
 * Returns the forms of a value; empty if several schemas describe it, because then nothing is
 * certain.
 */
function formsOf({ parameters }: ToolModel, facts: ValueFacts): readonly Branch[] {
  const { schema } = parameters;
  if (facts.schema === undefined) return [];
  return looseBranches(schemaAt(schema, facts.schema), schema);
}

function isAnyText(branch: Branch): boolean {
  if (branch === true) return true;
  const { format, pattern } = branch;
  if (listedIn(branch) !== undefined || format !== undefined || pattern !== undefined) return false;
  const type = typeOf(branch);
  return type === undefined || type === "string";
}
