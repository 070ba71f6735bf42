import { quote } from "../../../core/names.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { literalText, loneParameter, type ParameterPart } from "../../text-template.js";
import { type Place, reportParameter } from "../../values/check-value.js";
import { knownTexts, listedTexts } from "../known-texts.js";
import type { TargetedName } from "../target.js";
import { partFault, wholeFault } from "./name-faults.js";

/** Names that are made of values which parameters list: each is one that the broker takes. */
export function checkListedNames(place: Place, name: TargetedName): void {
  for (const part of name.template.parts)
    if (part.kind === "parameter")
      for (const text of listedTexts(place.tool, part) ?? []) checkListed(place, part, name, text);
  checkTogether(place, name);
}

function checkListed(place: Place, part: ParameterPart, name: TargetedName, text: string): void {
  const { mayBeEmpty, template, what } = name;
  const isWhole = loneParameter(template) === part;
  const fault =
    characterFault(text) ?? partFault(name, text) ?? (isWhole ? wholeFault(name, text) : undefined);
  const fact =
    text === "" && !mayBeEmpty
      ? `may be empty, and makes no name for ${what} then`
      : fault && `may be ${quote(text)}, and no broker takes it for ${what}: ${fault}`;
  const help = "take the value out of the parameter's schema";
  if (fact) reportParameter(place, "bad-target", part, fact, help);
}

/** Literal text has been looked at where it was read. */
function characterFault(text: string): string | undefined {
  return text.isWellFormed() ? undefined : "it holds half of a surrogate pair";
}

/** Values that may stand in a name do so beside one another, and beside literal text. */
function checkTogether({ report, tool }: Place, name: TargetedName): void {
  const { template, what } = name;
  if (loneParameter(template) !== undefined || literalText(template) !== undefined) return;
  const refused = refusedName(tool, name);
  if (refused === undefined) return;
  report.add({
    code: "queue/bad-target",
    span: template.span,
    message: `this may be ${quote(refused.text)}, and no broker takes it for ${what}: ${refused.fault}`,
    help: "take a value out of a parameter's schema, or change the text around it",
  });
}

/** Of the longest name, the one that comes nearest to dots alone, one whose values begin or end with dots, and all where they are few. */
function refusedName(
  tool: ToolModel,
  name: TargetedName,
): { readonly text: string; readonly fault: string } | undefined {
  const choices = name.template.parts.map((part): readonly string[] | undefined => {
    if (part.kind === "literal") return [part.text];
    const listed = part.kind === "parameter" ? listedTexts(tool, part) : undefined;
    return listed?.filter((text) => partFault(name, text) === undefined);
  });
  const longest = choices.map((each = []) => longestOf(each)).join("");
  const tooLong = partFault(name, longest);
  if (tooLong !== undefined) return { text: longest, fault: tooLong };
  // What isn't listed may be a text that no broker minds.
  const known = choices.map((each = ["x"]) => each);
  const likely = [fewestDots, outerDots].map((choose) => known.map(choose).join(""));
  const all = knownTexts(tool, name.template) ?? [];
  for (const text of [...likely, ...all]) {
    const fault = partFault(name, text) === undefined ? wholeFault(name, text) : undefined;
    if (fault !== undefined) return { text, fault };
  }
  return undefined;
}

function longestOf(texts: readonly string[]): string {
  return texts.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))[0] ?? "";
}

/** The shortest that is nothing but dots, if there is one. */
function fewestDots(texts: readonly string[]): string {
  const dots = texts.filter((text) => /^\.+$/.test(text));
  return dots.toSorted((a, b) => a.length - b.length)[0] ?? texts[0] ?? "";
}

function outerDots(texts: readonly string[]): string {
  return texts.find((text) => /^\.|\.$/.test(text)) ?? texts[0] ?? "";
}
