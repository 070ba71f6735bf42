/** Twelve mistakes in a plan: skillc reports each at its place, and TypeScript rejects most of them by itself. */
import { describe, expect, test } from "vitest";
import type { PlanConfig } from "../../../../src/bindings/plan/compile/model.js";
import { planBinding } from "../../../../src/bindings/plan/compile/index.js";
import { collectDiagnostics } from "../../../../src/core/report.js";
import type { BindingKind } from "../../../../src/kit/binding.js";
import { compileFiles } from "../../../support/compile.js";
import { placeOf, placeOfMark } from "./place-of.js";
import { planFiles } from "./plan-files.js";

/** The kind of plans without its own checks between tools, so that TypeScript has to find the mistake. */
const unchecked = {
  ...planBinding,
  link: (tool, config, tools) =>
    planBinding.link?.(tool, config, tools, collectDiagnostics().report),
} satisfies BindingKind<PlanConfig>;

interface Mistake {
  readonly what: string;
  /** Steps of the plan; `‹ ›` around the text that is reported. */
  readonly steps: string;
  readonly code: string;
  /** True if TypeScript finds the mistake too; absent if there is no module without the tool. */
  readonly byTypes?: boolean;
}

const find = "- { id: 1, tool: find-order, bindings: { id: id } }";
const tell = (bindings: string) =>
  `${find}\n- { id: 2, tool: tell-customer, bindings: { ${bindings} } }`;

const mistakes: readonly Mistake[] = [
  {
    what: "an unknown step",
    steps: tell("customer: ‹step_7.output.customer›"),
    code: "plan/unknown-step",
    byTypes: true,
  },
  {
    what: "an unknown field",
    steps: tell("customer: ‹step_1.output.custumer›"),
    code: "plan/unknown-field",
    byTypes: true,
  },
  {
    what: "a field of a list",
    steps: tell("customer: ‹step_1.output.lines.sku›"),
    code: "plan/unknown-field",
    byTypes: true,
  },
  {
    what: "an unknown tool",
    steps: "- { id: 1, tool: ‹find-ordr›, bindings: { id: id } }",
    code: "plan/unknown-tool",
  },
  {
    what: "an unknown parameter of the tool",
    steps: tell("customer: step_1.output.customer, ‹subject›: id"),
    code: "plan/unknown-argument",
    byTypes: false,
  },
  {
    what: "a required parameter without a source",
    steps: `${find}\n- { id: 2, tool: ‹tell-customer›, bindings: { text: step_1.output.customer } }`,
    code: "plan/missing-parameter",
    byTypes: true,
  },
  {
    what: "a value of another type",
    steps: tell("customer: ‹step_1.output.total›"),
    code: "plan/type-mismatch",
    byTypes: true,
  },
  {
    what: "a value that may be absent",
    steps: tell("customer: ‹step_1.output.note›"),
    code: "plan/maybe-absent",
    byTypes: true,
  },
  {
    what: "a literal of another type",
    steps: tell("customer: ‹5›"),
    code: "plan/literal-mismatch",
    byTypes: true,
  },
  {
    what: "a condition that never holds",
    steps: `${find}\n- { id: 2, tool: tell-customer, when: { source: step_1.output.state, equals: ‹closed› }, bindings: { customer: step_1.output.customer } }`,
    code: "plan/unreachable-when",
    byTypes: true,
  },
  {
    what: "a loop over a text",
    steps: `${find}\n- { id: 2, tool: tell-customer, for_each: ‹step_1.output.customer›, bindings: { customer: id } }`,
    code: "plan/not-a-list",
    byTypes: true,
  },
  {
    what: "a step that uses a later one",
    steps: `- { id: 3, tool: tell-customer, bindings: { customer: ‹step_1.output.customer› } }\n${find}`,
    code: "plan/forward-reference",
    byTypes: false,
  },
];

describe.each(mistakes)("$what", ({ byTypes, code, steps }) => {
  const files = planFiles(steps.replaceAll(/[‹›]/g, ""));
  const marked = planFiles(steps);

  test("skillc reports it at its place", async () => {
    const { diagnostics, files: made } = await compileFiles(files);
    expect(diagnostics.map((each) => [each.code, placeOf(each.span, files)])).toContainEqual([
      code,
      placeOfMark(marked),
    ]);
    expect(made).toEqual([]);
  });

  test.skipIf(byTypes !== true)("TypeScript alone finds it", async () => {
    expect(await hasTypeError()).toBe(true);
  });

  test.skipIf(byTypes !== false)("TypeScript alone does not find it", async () => {
    expect(await hasTypeError()).toBe(false);
  });

  async function hasTypeError(): Promise<boolean> {
    const { diagnostics } = await compileFiles(files, { kinds: [unchecked] });
    return diagnostics.some((each) => each.code === "generate/type-error");
  }
});

test("TypeScript finds at least seven of the twelve mistakes", () => {
  expect(mistakes).toHaveLength(12);
  expect(mistakes.filter(({ byTypes }) => byTypes).length).toBeGreaterThanOrEqual(7);
});
