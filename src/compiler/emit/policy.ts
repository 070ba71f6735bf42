import {
  anyText,
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  literal,
  objectKey,
  statements,
} from "../../core/code.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import type { GrantModel, QuotaModel, ToolSelection } from "../../core/governance-model.js";
import { sha256 } from "../../core/hash.js";
import type { JsonValue } from "../../core/json.js";
import { compareText } from "../../core/report.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { selects, selectsAll } from "../../core/tool-selection.js";
import type {
  GovernedTool,
  Grant,
  Obligation,
  ProjectPolicy,
  Quota,
} from "@skillc/runtime/governance";
import {
  type EmittedProject,
  type Emitter,
  type LoweredProject,
  skillsWithTools,
  projectModule,
  toolsOf,
} from "./emitter.js";
import { governedTool, inOrder } from "./governed-tool.js";

/** Emits policy.ts, for governed projects. */
export const policyEmitter: Emitter = {
  name: "policy",
  ofProject(project) {
    const policy = projectPolicy(project);
    if (policy === undefined) return [];
    const tools = toolEntries(project);
    const declared = ["policy", "cedar", ...tools.map(({ name }) => name)];
    return [projectModule(project, "policy", policyModule(policy, tools), declared)];
  },
};

/** The parts of a project that its policy needs. */
export type GovernedProject = LoweredProject & Pick<EmittedProject, "governance" | "kinds">;

/** Collects everything that is checked about calls; undefined for a project without governance. */
export function projectPolicy(project: GovernedProject): ProjectPolicy | undefined {
  if (project.governance === undefined) return undefined;
  const { cedar, says } = project.governance;
  const { approvalChannels, capabilities, grants, quotas, strict } = says;
  const all = skillsWithTools(project);
  const rest: Omit<ProjectPolicy, "hash"> = {
    strict,
    ...(cedar && { cedar }),
    tools: Object.fromEntries(
      toolsOf(project)
        .toSorted((a, b) => compareText(a.id, b.id))
        .map((tool) => [tool.id, governedTool(tool, project.kinds)]),
    ),
    ...(grants && { grants: grants.map((each) => grantOf(each, all)) }),
    ...(approvalChannels && {
      approvalChannels: inOrder(approvalChannels.map(({ value }) => value)),
    }),
    quotas: quotas.map((each) => quotaOf(each, all)),
    obligations: obligationsOf(project),
    ...(capabilities && { capabilities: inOrder(capabilities.map(({ value }) => value)) }),
  };
  return { hash: sha256(JSON.stringify(rest)), ...rest };
}

function grantOf({ scopes, to, ...selection }: GrantModel, all: readonly LoweredSkill[]): Grant {
  return {
    to: { [to.kind]: to.name },
    scopes: inOrder(scopes.map(({ value }) => value)),
    ...toolsSelected(selection, all),
  };
}

function quotaOf(quota: QuotaModel, all: readonly LoweredSkill[]): Quota {
  const { span: _, tags, tools, ...rest } = quota;
  return { ...rest, ...toolsSelected({ tags, tools }, all) };
}

function toolsSelected(
  selection: ToolSelection,
  all: readonly LoweredSkill[],
): { readonly tools?: readonly string[] } {
  if (selectsAll(selection)) return {};
  const tools = all.flatMap(({ skill, tools }) =>
    tools.filter(({ tool }) => selects(selection, { ...tool, skill: skill.name })),
  );
  return { tools: inOrder(tools.map(({ id }) => id)) };
}

/** Obligations that affect a tool, in the order of skillc.yaml. */
function obligationsOf({ governance, ...project }: GovernedProject): readonly Obligation[] {
  const tools = toolsOf(project);
  return (governance?.says.obligations ?? []).flatMap(({ name }) => {
    const obliged = tools.flatMap(({ id, obligations }) =>
      obligations.filter((each) => each.name === name).map((obligation) => ({ id, obligation })),
    );
    const [first] = obliged;
    if (first === undefined) return [];
    const { action, unless } = first.obligation;
    return [{ name, tools: inOrder(obliged.map(({ id }) => id)), action, unless: inOrder(unless) }];
  });
}

interface ToolEntry {
  readonly id: string;
  readonly name: string;
}

function toolEntries(project: EmittedProject): readonly ToolEntry[] {
  const entries = skillsWithTools(project).flatMap((lowered) =>
    lowered.tools.map((tool) => ({ id: tool.id, name: entryName(lowered, tool) })),
  );
  return entries.toSorted((a, b) => compareText(a.id, b.id));
}

/**
 * Name of a tool's entry. An alias has underscores only before digits, so two tools have different
 * names.
 */
function entryName({ alias }: LoweredSkill, { functionName }: LoweredTool): string {
  return `${alias}_${functionName}`;
}

/**
 * Makes the module. Each tool's entry, and the input of Cedar, is a separate statement, so that an
 * edit of one tool leaves the others unchanged.
 */
function policyModule(policy: ProjectPolicy, entries: readonly ToolEntry[]): Code {
  const { cedar, hash, strict, tools, ...others } = policy;
  const toolType = imported(runtimeEntry(), "GovernedTool", true);
  const constants = entries.map(
    ({ id, name }) => code`const ${ident(name)}: ${toolType} = ${literal(json(tools[id]))};\n`,
  );
  const cedarType = imported(runtimeEntry(), "CedarPolicies", true);
  const policies = cedar ? [code`const cedar: ${cedarType} = ${literal(json(cedar))};\n`] : [];
  const members = entries.map(({ id, name }) => code`${objectKey(id)}: ${ident(name)},\n`);
  const definitions = Object.entries(others).map(
    ([name, value]) => code`${objectKey(name)}: ${literal(json(value))},\n`,
  );
  const type = imported(runtimeEntry(), "ProjectPolicy", true);
  const ids = imported("./catalog.js", "ToolId", true);
  const doc = jsDoc(
    "Who may call what, how often and where to: what `governance` of @skillc/runtime/governance takes.",
  );
  const whole = code`${doc}export const policy: ${type}<${ids}> = {
hash: ${anyText(hash)},
strict: ${literal(strict)},
${cedar ? code`cedar,\n` : code``}tools: {\n${join(members)}},
${join(definitions)}};
`;
  return statements([...constants, ...policies, whole]);
}

/** Prints plain data in the runtime's own types. */
function json(
  value: GovernedTool | Exclude<ProjectPolicy[keyof ProjectPolicy], undefined> | undefined,
): JsonValue {
  // Interfaces have no index signature as JsonValue does; the value contains only JSON.
  return value as JsonValue;
}
