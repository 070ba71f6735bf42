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
import type { OpenedTexts, SealedPublication } from "./sealed.js";
import { fixedText, isParameter, isTargetName, textsOf } from "./target-name.js";

/**
 * Checks parameters in a target's names against the broker's rules. Credentials are not known yet.
 *
 * @param target target of a publication
 * @throws RefusedValue for a parameter that makes an invalid name
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
 * Checks names with credentials against the same rules, once the credentials are open.
 *
 * @throws RejectedMessage that names the credentials and contains nothing of their values
 */
export function requireOpenedNames(
  { rulesOf }: TargetNames,
  { credentials, target }: SealedPublication,
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

/**
 * Returns the problem in the text of a parameter or credential, as the end of a sentence about it.
 */
function partProblem(rule: NameRule, text: string): string | undefined {
  const { characters, mayBeEmpty, what } = rule;
  if (text === "" && !mayBeEmpty) return `must not be empty in ${what}`;
  if (foreignCharacter(rule, text) !== undefined) return `must ${characters?.must} in ${what}`;
  return text.isWellFormed() ? undefined : `must be well-formed Unicode in ${what}`;
}

/** Rejects separators: a caller that could add tokens could publish to another caller's name. */
function tokenProblem({ what }: NameRule, text: string, separators: string): string | undefined {
  const separator = separatorWithin(text, separators);
  return (
    separator &&
    `must not contain \`${separator}\`, which separates the value from the rest of ${what}`
  );
}

/** @param isComplete true if the text is the whole name */
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
 * Replaces names that contain credentials in an answer with their `${NAME}` form, because receipts
 * are stored and passed to models.
 *
 * @param shown the target with `${NAME}` in place of credentials
 */
export function shownAnswer(
  answer: Answer,
  { credentials, target }: SealedPublication,
  shown: () => OpenedTexts["target"],
): Answer {
  if (credentials.length === 0) return answer;
  const names = Object.entries(shown()).filter(([field]) => typeof target[field] === "object");
  return withNames(answer, names);
}

/** Replaces names in an answer, for each field that the answer has. */
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
