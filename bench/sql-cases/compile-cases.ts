import { analyzed, type SqlConfig, type StatementModel } from "../../src/bindings/sql/model.js";
import type { LoweredSkill } from "../../src/core/lowered-skill.js";
import type { Diagnostic } from "../../src/core/diagnostic.js";
import { compileFiles } from "../../test/support/compile.js";
import type { SqlCase } from "./case.js";
import { type Attempt, projectOf, skillFile, skillName } from "./project.js";

/** Result of compiling a case. */
export interface Compiled extends Attempt {
  /** SKILL.md of the case's skill. */
  readonly text: string;
  /** Errors in the case's skill. */
  readonly errors: readonly Diagnostic[];
  /** PostgreSQL's description of the statement; absent if there are errors. */
  readonly statement?: StatementModel;
  /** Exception that the compiler threw. */
  readonly crash?: string;
}

/**
 * Compiles cases of one schema together, each as a skill. All are declared as reads first; those
 * that write are compiled again as writes. Cases without errors are then type-checked together.
 */
export async function compileCases(cases: readonly SqlCase[]): Promise<readonly Compiled[]> {
  const first = await compileAttempts(
    cases.map((each) => ({ case: each, writes: false, nulls: true })),
  );
  const second = await compileAttempts(first.flatMap((each) => amended(each) ?? []));
  const last = first.map((each) => second.find((other) => other.case === each.case) ?? each);
  const checked = await compileAttempts(last.filter(isSound));
  return last.map((each) => checked.find((other) => other.case === each.case) ?? each);
}

/** The change that an author would make after reading the errors; undefined if there is none. */
function amended({ case: tried, errors }: Compiled): Attempt | undefined {
  const codes = new Set<string>(errors.map(({ code }) => code));
  const writes = codes.has("sql/undeclared-write");
  // The case's nullability of a parameter is a guess of another tool.
  const nulls = !codes.has("sql/null-not-stored");
  return writes || !nulls ? { case: tried, writes, nulls } : undefined;
}

function isSound({ crash, errors }: Compiled): boolean {
  return crash === undefined && errors.length === 0;
}

/**
 * Compiles the attempts together. If the compiler throws, compiles each alone to find the one that
 * makes it throw.
 */
async function compileAttempts(attempts: readonly Attempt[]): Promise<readonly Compiled[]> {
  if (attempts.length === 0) return [];
  try {
    return await compileTogether(attempts);
  } catch (error) {
    const [only, ...others] = attempts;
    if (only !== undefined && others.length === 0)
      return [{ ...only, text: "", errors: [], crash: String(error) }];
    const alone = [];
    for (const each of attempts) alone.push(...(await compileAttempts([each])));
    return alone;
  }
}

async function compileTogether(attempts: readonly Attempt[]): Promise<readonly Compiled[]> {
  const files = projectOf(attempts);
  const { diagnostics, lowered } = await compileFiles(files);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return attempts.map((attempt, at): Compiled => {
    const isHere = ({ span, skill }: Diagnostic) =>
      span.file === skillFile(at) || skill === skillName(at) || !span.file.startsWith("skills/");
    const statement = statementIn(lowered, skillName(at));
    return {
      ...attempt,
      text: files[skillFile(at)] ?? "",
      errors: errors.filter(isHere),
      ...(statement !== undefined && { statement }),
    };
  });
}

function statementIn(lowered: readonly LoweredSkill[], name: string): StatementModel | undefined {
  const binding = lowered.find(({ skill }) => skill.name === name)?.tools[0]?.tool.binding;
  // The kind made the config of its plan, and every tool here has the kind `sql`.
  return binding && analyzed(binding.config as SqlConfig);
}
