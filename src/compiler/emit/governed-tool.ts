import { allowedCapabilities } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredTool } from "../../core/lowered-skill.js";
import type { GovernanceModel, LimitsModel } from "../../core/governance-model.js";
import { compareText } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { contextFieldOf } from "../../policy/context-field.js";
import type { ApprovalRule, GovernedTool, Limits } from "@skillc/runtime/governance";

/**
 * Returns the parts of a tool's manifest that decide about its calls. Lists are sorted and have no
 * repeats.
 */
export function governedTool(
  { id, tool, version }: LoweredTool,
  kinds: KindRegistry,
): GovernedTool {
  const { binding, deprecated, governance, parameters, riskLevel, tags } = tool;
  const approval = approvalOf(tool);
  return {
    manifest: version.manifest,
    effect: binding.effect,
    risk: riskLevel,
    tags: inOrder(tags),
    scopes: inOrder(governance?.scopes.map(({ value }) => value) ?? []),
    capabilities: inOrder(allowedCapabilities(tool, id, kinds)),
    ...(approval && { approval }),
    limits: governance === undefined ? {} : limitsOf(governance.limits),
    ...(governance?.idempotency && { idempotency: governance.idempotency.value }),
    ...(governance?.concurrency && { concurrency: governance.concurrency.value }),
    ...(governance?.state && { state: governance.state.value }),
    deprecated: deprecated !== false,
    context: contextFieldOf(parameters),
    ...(binding.paths !== undefined && { namesPaths: true }),
  };
}

export function inOrder(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(compareText);
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Combines approvals. `requires_confirmation` requires approval of every call, even if the
 * condition doesn't.
 */
function approvalOf({
  governance,
  requiresConfirmation,
}: Pick<ToolModel, "requiresConfirmation"> & {
  readonly governance?: Pick<GovernanceModel, "approval">;
}): ApprovalRule | undefined {
  const approval = governance?.approval;
  if (approval === undefined && !requiresConfirmation) return undefined;
  return {
    conditional: approval?.when !== undefined && !requiresConfirmation,
    ttlMs: approval?.ttlMs ?? dayMs,
    ...(approval?.by && { by: approval.by }),
  };
}

function limitsOf(limits: LimitsModel): Limits {
  const { bytesIn, bytesOut, callsPerMinute, concurrent, cost } = limits;
  return {
    ...(callsPerMinute && { callsPerMinute: callsPerMinute.value }),
    ...(concurrent && { concurrent: concurrent.value }),
    ...(bytesIn && { bytesIn: bytesIn.value }),
    ...(bytesOut && { bytesOut: bytesOut.value }),
    ...(cost && { cost: cost.value }),
  };
}
