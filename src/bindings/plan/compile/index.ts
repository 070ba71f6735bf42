import { runtimeEntry } from "../../../core/runtime-entry.js";
import { type BindingKind, defineBinding } from "../../../kit/binding.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { loadTemplate } from "../../../kit/load-template.js";
import { planDiagnosticEntries } from "./diagnostics.js";
import { emitPlan } from "./emit.js";
import { planGraph } from "./graph.js";
import { pathTexts } from "./path-texts.js";
import { linkPlan } from "./link.js";
import type { PlanConfig } from "./model.js";
import { capabilitiesOfPlan, plannerCapabilityForm } from "./plan-facts.js";
import { resolvePlan } from "./resolve.js";
import { planOtherWords, planSchema } from "./schema.js";

/** The binding kind `type: plan`: calls of other tools, whose parameters have declared sources. */
export const planBinding: BindingKind<PlanConfig> = defineBinding<PlanConfig>({
  type: "plan",
  title: "plan of other tools",
  schema: planSchema,
  otherWords: planOtherWords,
  roots: [{ ...callerRoot, isBare: true }],
  modes: ["active", "shadow"],
  needsHandler: false,
  untimed: true,
  diagnostics: planDiagnosticEntries,
  runtime: {
    module: runtimeEntry("plan"),
    values: ["eachStep", "given", "missing", "needed", "plan", "present", "step"],
    types: ["ShadowedPlan", "StepData", "StepStop", "SuspendedPlan"],
  },
  template: loadTemplate("plan"),
  paths: pathTexts,
  resolve: resolvePlan,
  // All rules are in `link`, so that one run reports every mistake of a plan.
  check() {},
  link: linkPlan,
  graph: planGraph,
  answers: (tool, { linked }) => [
    {
      status: "success",
      data: tool.returns ? { model: tool.returns, at: [] } : (linked?.outputSchema ?? "unknown"),
    },
    ...(linked?.stops ?? []).map((status) => ({ status })),
    ...(linked?.maySuspend ? [{ status: "suspended" }] : []),
  ],
  capabilities: ({ linked }, _credentials, toolId) =>
    linked === undefined ? [] : capabilitiesOfPlan(linked, toolId),
  capabilityForms: [plannerCapabilityForm],
  schemas: () => ({}),
  emit: emitPlan,
});
