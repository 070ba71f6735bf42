import { covers } from "@skillc/runtime/internal";
import { capabilitiesOf, capabilityProblem } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { Written } from "../../core/governance-model.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { mayOverlap } from "./capability-overlap.js";
import type { ProjectTool } from "./project-tools.js";

/**
 * Compares the capabilities in skillc.yaml with those that tools need. It is an error if all calls
 * of a tool would be denied, and a warning if that depends on values.
 */
export function checkDeployment(
  capabilities: readonly Written<string>[],
  tools: readonly ProjectTool[],
  kinds: KindRegistry,
  report: Report,
): void {
  const sound = capabilities.filter((each) => isSound(each, kinds, report));
  if (sound.length < capabilities.length) return;
  const allowed = capabilities.map(({ value }) => value);
  for (const each of tools) checkTool(each, allowed, { capabilities, kinds, report });
  const wanted = tools.flatMap(({ id, tool }) => [
    ...capabilitiesOf(tool, id, kinds).map(({ capability }) => capability),
    ...(tool.governance?.capabilities ?? []).map(({ value }) => value),
  ]);
  for (const { span, value } of capabilities) {
    if (wanted.some((each) => mayOverlap(value, each) && !isOfOther(value, each))) continue;
    report.add({
      code: "governance/unneeded-capability",
      span,
      message: `no tool needs ${quote(value)}`,
      help: "remove it: an unused capability can only be misused",
    });
  }
}

/**
 * Checks if the texts name two different settings. Different settings count as different addresses.
 */
function isOfOther(one: string, other: string): boolean {
  const [name, otherName] = [one, other].map((each) => /\$\{\w+\}/.exec(each)?.[0]);
  return name !== undefined && otherName !== undefined && name !== otherName;
}

function isSound({ span, value }: Written<string>, kinds: KindRegistry, report: Report): boolean {
  const problem = capabilityProblem(value, kinds);
  if (problem === undefined) return true;
  const { help, message } = problem;
  report.add({
    code: "governance/bad-capability",
    span,
    message: `${quote(value)} ${message}`,
    help,
  });
  return false;
}

interface Deployment {
  readonly capabilities: readonly Written<string>[];
  readonly kinds: KindRegistry;
  readonly report: Report;
}

/** Checks each capability that every call of the binding needs. */
function checkTool(
  { id, skill, tool }: ProjectTool,
  allowed: readonly string[],
  { capabilities, kinds, report }: Deployment,
): void {
  const { binding, name } = tool;
  const needed = capabilitiesOf(tool, id, kinds).map(({ capability }) => capability);
  const missing = needed.filter((each) => !allowed.some((one) => covers(one, each)));
  const [first] = missing;
  if (first === undefined) return;
  // A kind without `capabilities` may reach any place.
  const isTold = kinds.find(binding.type)?.capabilities !== undefined;
  const never = missing.find((each) => isTold && !allowed.some((one) => mayOverlap(one, each)));
  const [place] = capabilities;
  const related = place && [{ span: place.span, message: "the capabilities of this deployment" }];
  report.within({ skill, tool: name }).add({
    ...(never === undefined
      ? {
          code: "governance/tool-narrowed",
          message: `some calls of ${quote(name)} may be denied: no capability of skillc.yaml covers ${quote(first)}`,
        }
      : {
          code: "governance/tool-blocked",
          message: `every call of ${quote(name)} would be denied: no capability of skillc.yaml allows ${quote(never)}`,
        }),
    span: tool.span,
    help: `add ${quote(never ?? first)} to \`capabilities\` of skillc.yaml`,
    ...(related && { related }),
  });
}
