/** Compiles the drafted skill, and separates the tools that compile from those that don't. */
import { type CatalogInput, compileCatalog } from "../../compiler/compile-catalog.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import type { Present } from "../again/draft-writes.js";
import type { HubTool } from "./hub-tool.js";
import { type NamedTool, printHubSkill } from "./print-skill.js";

export interface CheckedTools {
  readonly sound: readonly NamedTool[];
  /** First error of each other tool. */
  readonly faults: ReadonlyMap<HubTool, Diagnostic>;
}

/**
 * Checks the tools of a skill together, with the scripts that lie beside its SKILL.md already.
 * Without the tools that have errors, others may have errors too, so the check is repeated until
 * there are none.
 */
export async function checkTools(
  skill: string,
  tools: readonly NamedTool[],
  context: Pick<CatalogInput, "config" | "kinds" | "stopwatch"> & { readonly present: Present },
): Promise<CheckedTools> {
  const faults = new Map<HubTool, Diagnostic>();
  let sound = tools;
  for (;;) {
    const errors = sound.length === 0 ? [] : await errorsOf(skill, sound, context);
    const [first] = errors;
    if (first === undefined) return { sound, faults };
    const faulty = sound.flatMap((each) => {
      const error = errors.find(({ tool }) => tool === each.name);
      return error === undefined ? [] : [[each, error] as const];
    });
    // An error of the skill itself is one of every tool.
    const left = faulty.length > 0 ? faulty : sound.map((each) => [each, first] as const);
    for (const [{ hub }, error] of left) faults.set(hub, error);
    sound = sound.filter(({ hub }) => !faults.has(hub));
  }
}

async function errorsOf(
  skill: string,
  tools: readonly NamedTool[],
  { config, present, ...context }: Parameters<typeof checkTools>[2],
): Promise<readonly Diagnostic[]> {
  const printed = [...printHubSkill(skill, tools), ...scriptsOf(skill, tools, present)];
  const files = printed.map(([path, text]) => {
    const full = `${config.skills}/${path}`;
    return [full, { path: full, text }] as const;
  });
  const project = { files: new Map(files) };
  const { diagnostics } = await compileCatalog({ ...context, config, project });
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** Reads the scripts that commands name and that exist beside SKILL.md. */
function scriptsOf(
  skill: string,
  tools: readonly NamedTool[],
  { read }: Present,
): readonly (readonly [path: string, text: string])[] {
  const named = tools.flatMap(({ hub }) => hub.command).filter((each) => /^\.\/[^.]/.test(each));
  return [...new Set(named)].flatMap((each) => {
    const path = `${skill}/${each.slice(2)}`;
    const isBelow = !path.split("/").some((step) => step === "" || step === "." || step === "..");
    const text = isBelow ? read(path) : undefined;
    return text === undefined ? [] : [[path, text] as const];
  });
}
