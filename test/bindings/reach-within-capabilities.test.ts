/**
 * A call reports only targets that the catalog lists for its tool. Checked for every kind that
 * ships with skillc, by the example skills.
 */
import { describe, expect, test } from "vitest";
import { catalog } from "../../generated/catalog.js";
import { tools } from "../../generated/tools.js";
import { createRegistry } from "../../src/bindings/registry.js";
import {
  type FakeBindings,
  FakeError,
  handlerBinding,
} from "../../src/runtime/call/handler-binding.js";
import type { CatalogSkill, CatalogTool } from "../../src/runtime/model/catalog.js";
import type { ToolMap } from "../../src/runtime/model/dispatch.js";
import { wholeSchema } from "../../src/runtime/model/whole-schema.js";
import { createRuntime } from "../../src/runtime/runtime.js";
import { exampleOf } from "../support/schema-example.js";

const skills: readonly CatalogSkill[] = catalog.skills;
const allTools: readonly CatalogTool[] = skills.flatMap(({ $defs, tools: own }) =>
  own.map((tool) => ({ ...tool, input_schema: wholeSchema(tool.input_schema, $defs) })),
);
const toolMap: ToolMap = tools;

/** Targets of a call of the tool, by the names of settings. */
async function reachOf(tool: CatalogTool): Promise<readonly string[]> {
  const reached: string[] = [];
  const fakes: FakeBindings = {
    has: () => true,
    bindingFor: (binding, call) => ({
      ...binding,
      prepare(args) {
        const served = tool.needs_handler
          ? handlerBinding<unknown, never>(() => null, call)
          : binding;
        const prepared = served.prepare(args, call);
        reached.push(...prepared.reach().flatMap(({ capabilities }) => capabilities));
        throw new FakeError("seen");
      },
    }),
  };
  const base = createRuntime({ inherit: false, ledger: false });
  const surroundings = { ...base.surroundings, isFaked: true };
  const call = await toolMap[tool.model_name]?.();
  // The example fits the schema, which the call checks.
  const params = exampleOf(tool.input_schema) as never;
  const seen = call?.(params, {
    mode: "active",
    caller: { tenant: "acme", subject: "ada", origin: "api", trace: "t-1" },
    runtime: Object.assign(base, { fakes, surroundings }),
  });
  await expect(seen).rejects.toThrow("seen");
  return reached;
}

/** True if the capability covers the target: a parameter covers its values, and a path covers the paths below it. */
function isWithin(capability: string, allowed: string): boolean {
  const pattern = allowed
    .split(/(?<!\$)\{[^}]*\}/)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("[^\\s/]*");
  return new RegExp(`^${pattern}(?:/.*)?$`).test(capability);
}

/** The steps of a plan make its calls. */
const types = createRegistry().types.filter((type) => type !== "plan");

describe.each(types)("call of kind %s", (type) => {
  const ofKind = allTools.filter(({ kind }) => kind === type);

  test("the example skills have a tool of this kind", () => {
    expect(ofKind).not.toEqual([]);
  });

  test.each(ofKind.map((tool) => [tool.id, tool] as const))(
    "reaches no more than the catalog lists: %s",
    async (_, tool) => {
      const reached = await reachOf(tool);
      const allowed = tool.capabilities.map(({ capability }) => capability);
      expect(reached).not.toEqual([]);
      const beyond = reached.filter((each) => !allowed.some((one) => isWithin(each, one)));
      expect(beyond).toEqual([]);
    },
  );
});
