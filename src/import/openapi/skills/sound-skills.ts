/**
 * Makes skills that `skillc generate` takes without an error or a warning. It leaves out the
 * operations whose tools the compiler rejects, and accepts the warnings of the others.
 */
import type { Diagnostic, DiagnosticCode } from "../../../core/diagnostic.js";
import { groupBy } from "../../../core/group-by.js";
import { quote } from "../../../core/names.js";
import type { SkillFiles } from "../../skills/print-files.js";
import type { Operation } from "../model.js";
import type { Note } from "../note.js";
import type { BuiltApi } from "./build-skills.js";
import { type CheckedSkill, checkSkills } from "./check-skills.js";

/** Number of the last check. It leaves out every operation of a skill with a problem. */
const maxChecks = 5;

/** Codes of the warnings that a tool accepts, or a skill for all its tools. */
export type AcceptedWarnings = ReadonlyMap<string, readonly DiagnosticCode[]>;

type Skills = Pick<BuiltApi, "outcomes" | "skills">;
type Files = { readonly files: SkillFiles };

/** Builds and prints skills. */
export interface Composer<Built extends Skills, Printed extends Files> {
  readonly build: (operations: readonly Operation[]) => Built;
  /** @param accepted warnings by the name of a skill, or the id of a tool */
  readonly print: (built: Built, accepted: AcceptedWarnings) => Promise<Printed>;
  /** Returns the help for a tool that the compiler rejects with an error of this code. */
  readonly helpOn?: (code: DiagnosticCode) => string | undefined;
}

/**
 * Composes skills that the compiler accepts. If it leaves out a tool, it checks the other tools
 * again, because the names and schemas of tools depend on each other.
 */
export async function soundSkills<Built extends Skills, Printed extends Files>(
  chosen: readonly Operation[],
  { build, helpOn, print }: Composer<Built, Printed>,
): Promise<Printed & { readonly built: Built }> {
  const checked = new Map<string, CheckedSkill>();
  let operations = chosen;
  let before: SkillFiles = new Map();
  for (let check = 1; ; check += 1) {
    const built = build(operations);
    const printed = await print(built, new Map());
    const found = check > maxChecks ? [] : await checkSkills({ built, ...printed }, before);
    for (const each of found) checked.set(each.skill.name, each);
    const obstacles = obstaclesIn(found, check === maxChecks, helpOn);
    if (obstacles.size === 0) {
      const warnings = built.skills.flatMap(({ name }) => checked.get(name)?.warnings ?? []);
      const accepted = codesByOwner(warnings);
      const final = accepted.size === 0 ? printed : await print(built, accepted);
      return { ...final, built: withAcceptedNotes(built, warnings) };
    }
    before = printed.files;
    operations = operations.map((operation) => {
      const obstacle = obstacles.get(operation);
      return obstacle === undefined ? operation : { ...operation, obstacle };
    });
  }
}

function obstaclesIn(
  checked: readonly CheckedSkill[],
  isLast: boolean,
  helpOn?: (code: DiagnosticCode) => string | undefined,
): ReadonlyMap<Operation, Note> {
  const found = new Map<Operation, Note>();
  for (const { faults, skill } of checked) {
    const [first] = faults.values();
    for (const { operation } of skill.tools) {
      const fault = faults.get(operation) ?? (isLast ? first : undefined);
      if (fault === undefined) continue;
      const help = helpOn?.(fault.code);
      found.set(operation, {
        code: "import/operation-left-out",
        at: operation.at,
        message: `the compiler rejects the tool: ${fault.message} (${quote(fault.code)})`,
        ...(help !== undefined && { help }),
      });
    }
  }
  return found;
}

function ownerOf({ skill = "", tool }: Diagnostic): string {
  return tool === undefined ? skill : `${skill}/${tool}`;
}

function codesByOwner(warnings: readonly Diagnostic[]): AcceptedWarnings {
  return new Map(
    [...groupBy(warnings, ownerOf)].map(([owner, found]) => [
      owner,
      [...new Set(found.map(({ code }) => code))].toSorted(),
    ]),
  );
}

/** Adds a note for each accepted warning to the outcome of its operation. */
function withAcceptedNotes<Built extends Skills>(
  built: Built,
  warnings: readonly Diagnostic[],
): Built {
  if (warnings.length === 0) return built;
  const byOwner = groupBy(warnings, ownerOf);
  return {
    ...built,
    outcomes: built.outcomes.map((outcome) => {
      const { notes, operation, skill, tool } = outcome;
      const own = byOwner.get(`${skill}/${tool}`) ?? [];
      const messages = new Set(
        own.map(({ code, message }) => `the import accepts ${quote(code)}: ${message}`),
      );
      const added = [...messages].map((message): Note => ({
        code: "import/taken-otherwise",
        at: operation.at,
        message,
      }));
      return added.length === 0 ? outcome : { ...outcome, notes: [...notes, ...added] };
    }),
  };
}
