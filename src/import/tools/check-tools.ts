/** Compiles the drafted skill, and separates the tools that compile from those that don't. */
import { type CatalogInput, compileCatalog } from "../../compiler/compile-catalog.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import type { SkillFiles } from "../skills/print-files.js";
import type { NamedTool, SourceTool } from "./entry.js";

/** Settings and kinds of the project, which decide what compiles. */
export type Compiling = Pick<CatalogInput, "config" | "kinds" | "stopwatch">;

export interface CheckedTools<Tool extends SourceTool> {
  readonly sound: readonly NamedTool<Tool>[];
  /** First error of each other tool. */
  readonly faults: ReadonlyMap<Tool, Diagnostic>;
}

/**
 * Checks the tools of a skill together. After a tool with an error is removed, other tools may have
 * errors too. So the check is repeated until there are none.
 *
 * @param print prints the skill, and the files beside it that its tools name
 */
export async function checkTools<Tool extends SourceTool>(
  tools: readonly NamedTool<Tool>[],
  print: (tools: readonly NamedTool<Tool>[]) => SkillFiles,
  compiling: Compiling,
): Promise<CheckedTools<Tool>> {
  const faults = new Map<Tool, Diagnostic>();
  let sound = tools;
  for (;;) {
    const errors = sound.length === 0 ? [] : await errorsOf(print(sound), compiling);
    const [first] = errors;
    if (first === undefined) return { sound, faults };
    const byTool = new Map(errors.toReversed().map((each) => [each.tool, each]));
    const faulty = sound.flatMap((each) => {
      const error = byTool.get(each.name);
      return error === undefined ? [] : [[each, error] as const];
    });
    // An error of the skill itself counts for every tool.
    const left = faulty.length > 0 ? faulty : sound.map((each) => [each, first] as const);
    for (const [{ source }, error] of left) faults.set(source, error);
    sound = sound.filter(({ source }) => !faults.has(source));
  }
}

async function errorsOf(
  printed: SkillFiles,
  { config, ...compiling }: Compiling,
): Promise<readonly Diagnostic[]> {
  const files = [...printed].map(([path, text]) => {
    const full = `${config.skills}/${path}`;
    return [full, { path: full, text }] as const;
  });
  const project = { files: new Map(files) };
  const { diagnostics } = await compileCatalog({ ...compiling, config, project });
  return diagnostics.filter(({ severity }) => severity === "error");
}
