import type { KindRegistry } from "../bindings/registry.js";
import type { SkillPlan } from "../core/emit-plan.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { SkillCache } from "./compile-cache.js";
import { printShared, type PrintedShared } from "./print-shared.js";
import type { ToolPrinting } from "./print-tools.js";

/** The modules of the schemas that a skill's tools share. */
export async function printSharedOf(
  { tools }: SkillPlan,
  input: Pick<ToolPrinting, "kinds" | "stopwatch" | "style" | "typeCheck">,
  cache: SkillCache,
): Promise<PrintedShared> {
  const { kinds } = input;
  const all = new Map<string, SharedSchema>();
  for (const { tool } of tools)
    for (const schema of schemasOf(tool, kinds))
      for (const each of schema.shared ?? []) all.set(each.name, each);
  if (all.size === 0) return { files: [], modules: [], checks: [], typesOf: () => "" };
  const { usesOfTool } = await import("./emit/tool-module.js");
  const uses = tools.flatMap((each) => {
    const kind = kinds.find(each.tool.binding.type);
    return kind === undefined ? [] : usesOfTool(each, kind);
  });
  return printShared(uses, [...all.values()], input, cache);
}

/** Every schema of a tool. */
export function schemasOf(
  { binding, parameters, returns }: SkillPlan["tools"][number]["tool"],
  kinds: KindRegistry,
): readonly SchemaModel[] {
  const others = kinds.find(binding.type)?.schemas(binding.config) ?? {};
  return [parameters, ...(returns ? [returns] : []), ...Object.values(others)];
}
