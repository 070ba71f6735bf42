import { RefusedValue } from "../../../runtime/executor.js";
import type { CredentialReference } from "../../../runtime/values/text.js";
import { RejectedMessage } from "./failures.js";
import {
  foreignCharacter,
  isTooLong,
  type NameRule,
  brokenCompleteRule,
  separatorsIn,
  separatorWithin,
  type TargetNames,
} from "./name-rules.js";
import type { Answer } from "./provider.js";
import type { OpenedTexts, Sealed } from "./sealed.js";
import { fixedText, isParameter, isTargetName, textsOf } from "./target-name.js";

/**
 * Holds the parameters in a target's names to what the broker takes. What a credential puts in is
 * not known yet.
 *
 * @param target of a publication
 * @throws RefusedValue for the parameter that makes no name
 */
export function requireNames({ rulesOf }: TargetNames, target: object): void {
  const rules = rulesOf(target);
  for (const [field, name] of Object.entries(target)) {
    const rule = rules[field];
    if (rule === undefined || !isTargetName(name)) continue;
    const parameters = name.parts.filter(isParameter);
    const separators = separatorsIn(rule, name.parts.map(fixedText));
    for (const [pointer, value, extent] of parameters) {
      const text = String(value);
      const isToken = extent !== "tokens";
      refuse(
        field,
        pointer,
        partProblem(rule, text) ?? (isToken ? tokenProblem(rule, text, separators) : undefined),
      );
    }
    const known = textsOf(name).filter((text) => typeof text === "string");
    const isComplete = known.length === name.parts.length;
    const [only, ...others] = parameters;
    const pointer = others.length === 0 ? (only?.[0] ?? "") : "";
    refuse(field, pointer, completeNameProblem(rule, known.join(""), isComplete));
  }
}

function refuse(field: string, pointer: string, problem: string | undefined): void {
  if (problem !== undefined) throw new RefusedValue(pointer, field.replace("_", "-"), problem);
}

/**
 * Holds the names that credentials are a part of to the same, once they are known.
 *
 * @throws RejectedMessage that names the credentials, and has nothing of their values
 */
export function requireOpenedNames(
  { rulesOf }: TargetNames,
  { credentials, target }: Sealed,
  reveal: (reference: CredentialReference) => string,
): void {
  if (credentials.length === 0) return;
  const rules = rulesOf(target);
  for (const [field, name] of Object.entries(target)) {
    const rule = rules[field];
    if (rule === undefined || typeof name !== "object") continue;
    const references = name.filter((part) => typeof part !== "string");
    for (const each of references) refuseOpened([each], partProblem(rule, reveal(each)));
    const complete = name.map((part) => (typeof part === "string" ? part : reveal(part))).join("");
    refuseOpened(references, completeNameProblem(rule, complete, true));
  }
}

function refuseOpened(
  references: readonly CredentialReference[],
  problem: string | undefined,
): void {
  if (problem === undefined) return;
  const names = [...new Set(references.map(({ name }) => `\`\${${name}}\``))];
  throw new RejectedMessage(`${names.join(" and ")} ${problem}`);
}

/** Goes on from what was put into a name. */
function partProblem(rule: NameRule, text: string): string | undefined {
  const { characters, mayBeEmpty, what } = rule;
  if (text === "" && !mayBeEmpty) return `must not be empty in ${what}`;
  if (foreignCharacter(rule, text) !== undefined) return `must ${characters?.must} in ${what}`;
  return text.isWellFormed() ? undefined : `must be well-formed Unicode in ${what}`;
}

/** A caller that could add tokens would publish to another caller's name. */
function tokenProblem({ what }: NameRule, text: string, separators: string): string | undefined {
  const separator = separatorWithin(text, separators);
  return (
    separator &&
    `must not contain \`${separator}\`, which separates the value from the rest of ${what}`
  );
}

/** @param isComplete whether the text is all of the name */
function completeNameProblem(
  rule: NameRule,
  text: string,
  isComplete: boolean,
): string | undefined {
  const { maxBytes, what } = rule;
  const broken = isComplete ? brokenCompleteRule(rule, text) : undefined;
  if (broken !== undefined) return `must not make ${what} ${broken.mustNot}`;
  return isTooLong(rule, text) ? `must not make ${what} longer than ${maxBytes} bytes` : undefined;
}

/**
 * The answer with `${NAME}` where a credential is a part of a name: receipts are kept, and given to
 * models.
 *
 * @param shown the target with credentials as their names
 */
export function shownAnswer(
  answer: Answer,
  { credentials, target }: Sealed,
  shown: () => OpenedTexts["target"],
): Answer {
  if (credentials.length === 0) return answer;
  const names = Object.entries(shown()).filter(([field]) => typeof target[field] === "object");
  return withNames(answer, names);
}

/** The answer with other names in it, where it has any of that field. */
export function withNames(
  answer: Answer,
  names: readonly (readonly [field: string, name: string | number])[],
): Answer {
  const place = "data" in answer ? answer.data : answer.error;
  const replaced = Object.fromEntries(names.filter(([field]) => field in place));
  return "data" in answer
    ? { ...answer, data: { ...answer.data, ...replaced } }
    : { ...answer, error: { ...answer.error, ...replaced } };
}
