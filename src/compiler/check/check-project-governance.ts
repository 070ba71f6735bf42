/**
 * Compares the governance in skillc.yaml with the existing tools.
 *
 * - here: tools, tags and scopes
 * - `check-deployment.ts`: capabilities of tools
 * - `check-obligations.ts`: obligations on their results
 */
import { capabilitiesOf } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type {
  GrantModel,
  ProjectGovernance,
  ToolSelection,
  Written,
} from "../../core/governance-model.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { PolicyScopes } from "../../policy/compile-policies.js";
import { didYouMeanOrListed, suggestion } from "../../schema/suggestion.js";
import { checkDeployment } from "./check-deployment.js";
import { checkObligations } from "./check-obligations.js";
import { grantedFor, isSelected, type ProjectTool, projectTools } from "./project-tools.js";

export interface ProjectGovernanceContext {
  readonly lowered: readonly LoweredSkill[];
  readonly kinds: KindRegistry;
  readonly report: Report;
}

export async function checkProjectGovernance(
  says: ProjectGovernance,
  context: ProjectGovernanceContext,
): Promise<void> {
  const { kinds, lowered, report } = context;
  const tools = projectTools(lowered);
  for (const each of [...(says.grants ?? []), ...says.quotas, ...says.obligations])
    checkSelection(each, tools, report);
  if (says.grants !== undefined) {
    checkGranted(says, says.grants, tools, report);
  }
  if (says.capabilities !== undefined) checkDeployment(says.capabilities, tools, kinds, report);
  if (says.strict) checkDotSegments(tools, kinds, report);
  await checkObligations(says.obligations, tools, kinds, report);
}

/**
 * Reports `allow_dot_segments` under strict governance, because it lets parameters decide which
 * paths a call reaches.
 */
function checkDotSegments(
  tools: readonly ProjectTool[],
  kinds: KindRegistry,
  report: Report,
): void {
  for (const { id, skill, tool } of tools) {
    if (!capabilitiesOf(tool, id, kinds).some(({ dot_segments }) => dot_segments === true))
      continue;
    report.within({ skill, tool: tool.name }).add({
      code: "governance/dot-segments",
      span: tool.binding.span,
      message: `${quote(tool.name)} allows \`..\` in a parameter, but the project has \`governance: strict\``,
      help: "remove `allow_dot_segments` from the binding's `path`",
    });
  }
}

function checkSelection(
  selection: ToolSelection,
  tools: readonly ProjectTool[],
  report: Report,
): void {
  const ids = tools.map(({ id }) => id);
  const all = [...new Set(tools.map(({ skill }) => `${skill}/*`))];
  for (const { span, value } of selection.tools) {
    if (ids.includes(value) || all.includes(value)) continue;
    const byName = ids.filter((id) => id.endsWith(`/${value}`));
    const [only] = byName;
    report.add({
      code: "governance/unknown-tool",
      span,
      message: value.endsWith("/*")
        ? `there is no skill ${quote(value.slice(0, -2))} with tools`
        : `the project has no tool ${quote(value)}`,
      help:
        (byName.length === 1 && only !== undefined ? suggestion(only) : undefined) ??
        didYouMeanOrListed(
          value,
          value.endsWith("/*") ? all : ids,
          "write `skill/tool`, or `skill/*` for all tools of a skill; there is",
        ) ??
        "no skill has a tool",
    });
  }
  const tags = [...new Set(tools.flatMap(({ tool }) => tool.tags))];
  for (const { span, value } of selection.tags) {
    if (tags.includes(value)) continue;
    report.add({
      code: "governance/unknown-tag",
      span,
      message: `no tool has the tag ${quote(value)}`,
      help:
        didYouMeanOrListed(value, tags, "the tags are") ??
        "no tool has a tag: name tools under `tools`",
    });
  }
}

/** Warns about granted scopes that neither a tool, nor an obligation, nor a policy looks for. */
export function checkGrantedScopes(
  { grants = [], obligations }: ProjectGovernance,
  policies: readonly PolicyScopes[],
  lowered: readonly LoweredSkill[],
  report: Report,
): void {
  const tools = projectTools(lowered);
  for (const grant of grants) {
    const its = tools.filter((tool) => isSelected(grant, tool));
    const ids = new Set(its.map(({ id }) => id));
    const ofPolicies = policies
      .filter((policy) => policy.tools.some((id) => ids.has(id)))
      .map(({ scopes }) => scopes);
    if (its.length === 0 || ofPolicies.includes("any")) continue;
    const written = [
      ...its.flatMap(({ tool }) => tool.governance?.scopes ?? []),
      ...obligations
        .filter((each) => its.some((tool) => isSelected(each, tool)))
        .flatMap(({ unless }) => unless),
    ];
    const asked = [...written.map(({ value }) => value), ...ofPolicies.flat()];
    for (const { span, value } of grant.scopes) {
      if (asked.includes(value)) continue;
      report.add({
        code: "governance/unneeded-scope",
        span,
        message: `no tool of this grant requires the scope ${quote(value)}`,
        help:
          didYouMeanOrListed(value, asked, "remove it, or name a scope that tools require:") ??
          "remove it, or let a tool require it: `governance: { scopes: […] }`",
      });
    }
  }
}

/** Reports required scopes that no grant contains. */
function checkGranted(
  { obligations }: ProjectGovernance,
  grants: readonly GrantModel[],
  tools: readonly ProjectTool[],
  report: Report,
): void {
  for (const each of tools)
    for (const scope of each.tool.governance?.scopes ?? [])
      checkHeld(scope, grantedFor(each, grants), {
        without: `nobody may call ${quote(each.tool.name)}`,
        whose: "it",
        report: report.within({ skill: each.skill, tool: each.tool.name }),
      });
  for (const obligation of obligations) {
    const its = tools.filter((each) => isSelected(obligation, each));
    if (its.length === 0) continue;
    const granted = its.flatMap((each) => grantedFor(each, grants));
    const without = `${quote(obligation.name)} applies to everybody`;
    for (const scope of obligation.unless)
      checkHeld(scope, granted, { without, whose: "its tools", report });
  }
}

interface Asking {
  /** Consequence if no caller has the scope. */
  readonly without: string;
  /** The tools that need the grant. */
  readonly whose: string;
  readonly report: Report;
}

function checkHeld(
  { span, value }: Written<string>,
  granted: readonly string[],
  { report, whose, without }: Asking,
): void {
  if (granted.includes(value)) return;
  report.add({
    code: "governance/ungranted-scope",
    span,
    message: `${without}: nobody is granted the scope ${quote(value)} for ${whose}`,
    help:
      didYouMeanOrListed(value, granted, "grant it in skillc.yaml, or require a granted scope:") ??
      "grant it in skillc.yaml: `{ to: { role: … }, scopes: […] }`",
  });
}
