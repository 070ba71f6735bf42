import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";

/** How much of a tool `tsc` checks, as `check --json` prints it. */
export interface ToolReferences {
  readonly skill: string;
  readonly tool: string;
  /**
   * References to columns, tables and parameters: the number that `tsc` checks, and the number of
   * all.
   */
  readonly references: { readonly seen: number; readonly all: number };
  /** Reason why the tool does not consist of typed code; null if it does. */
  readonly notTranslated: string | null;
}

/** Returns the tools of kinds whose code shows references, in the order of the skills. */
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

/** Prints the share of references that `tsc` checks, and the tools with unchecked ones. */
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
