import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";

/** How much of a tool `tsc` checks, as `check --json` prints it. */
export interface ToolReferences {
  readonly skill: string;
  readonly tool: string;
  /** References to columns, tables and parameters: those that `tsc` sees, out of all. */
  readonly references: { readonly seen: number; readonly all: number };
  /** Why the tool is not made of typed code; null when it is. */
  readonly notTranslated: string | null;
}

/** Tools of the kinds whose code shows its references, in the order of the skills. */
export function toolReferences(
  lowered: readonly LoweredSkill[],
  kinds: KindRegistry | undefined,
): readonly ToolReferences[] {
  return lowered.flatMap(({ skill, tools }) =>
    tools.flatMap(({ tool: { name, binding } }): readonly ToolReferences[] => {
      const found = kinds?.find(binding.type)?.engine?.references?.(binding.config);
      if (found === undefined) return [];
      const { seen, all, notTranslated = null } = found;
      return [{ skill: skill.name, tool: name, references: { seen, all }, notTranslated }];
    }),
  );
}

/** Prints how much `tsc` sees of all tools, and the tools that it doesn't see completely. */
export function printReferences(
  { io, out }: CommandContext,
  tools: readonly ToolReferences[],
): void {
  if (tools.length === 0) return;
  const sum = (key: "seen" | "all"): string =>
    tools.reduce((total, { references }) => total + references[key], 0).toLocaleString("en-US");
  const what = "references to columns, tables and parameters";
  io.stdout.write(
    `  ${out.dim(`tsc checks ${sum("seen")} of ${sum("all")} ${what} in ${plural(tools.length, "tool")}`)}\n`,
  );
  for (const { skill, tool, references } of tools) {
    if (references.seen === references.all) continue;
    const counts = `${references.seen} of ${references.all}`;
    io.stdout.write(`    ${out.dim(`${visible(`${skill}/${tool}`)}: ${counts}`)}\n`);
  }
}
