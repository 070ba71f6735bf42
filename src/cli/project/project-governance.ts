/**
 * Sets up the governance of calls and decisions from the command line: the project's policy, its
 * key, and the store that its processes share.
 */
import { randomBytes } from "node:crypto";
import { type Governance, governance, type ProjectPolicy } from "@skillc/runtime/governance";
import { obligationKinds } from "@skillc/runtime/internal";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { CommandFailure } from "../exit.js";
import {
  approvalsFolder,
  openApprovalsFolder,
  type OpenStore,
  openProjectStore,
} from "./governance-store.js";
import { isGoverned } from "./is-governed.js";
import type { KeptModules } from "./kept-modules.js";
import { loadModule } from "./load-module.js";
import { findProjectKey, settingFinder } from "./project-key.js";

export interface GovernedProject {
  /** Path of the project's folder. */
  readonly root: string;
  readonly settings: ProjectConfig;
  /** Modules that the project's code gets from this process. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly open?: OpenStore | undefined;
  /** JavaScript of earlier processes. */
  readonly kept?: KeptModules;
}

/** Governance of a command. */
export interface ProjectGovernance {
  readonly governance: Governance;
  /** True if the store is that of skillc.yaml. If not, it is a folder of the project. */
  readonly isShared: boolean;
  /** True if the key is that of skillc.yaml, which the application has too. */
  readonly hasProjectKey: boolean;
}

/**
 * Returns the project's governance; undefined if it is not configured. Its key is `key:` of
 * skillc.yaml. Without that key, results of keyed calls are encrypted with a temporary one.
 *
 * @throws CommandFailure if the store can't be opened, `policy.ts` is invalid, or the key is wrong
 */
export async function governanceOf(
  { io }: CommandContext,
  { kept, open, root, settings, shared }: GovernedProject,
): Promise<ProjectGovernance | undefined> {
  const policy = await loadPolicy(root, settings.out, shared, kept);
  if (policy === undefined) return undefined;
  const projectKey = await findProjectKey(settings.runs ?? {}, settingFinder(root, io.env));
  const key = projectKey ?? (needsKey(policy) ? randomBytes(keyBytes) : undefined);
  if (projectKey !== undefined) requireKey(projectKey, settings.runs?.key ?? "");
  const named = await openProjectStore({ root, env: io.env, settings, open });
  const store = named ?? (await openApprovalsFolder(root));
  const own = governance({ policy, store, ...(key !== undefined && { key }) });
  return {
    governance: own,
    isShared: named !== undefined,
    hasProjectKey: projectKey !== undefined,
  };
}

const keyBytes = 32;

function requireKey(key: string, written: string): void {
  if (Buffer.from(key, "base64").length === keyBytes) return;
  throw CommandFailure.input(
    `\`key\` of skillc.yaml is \`${written}\`, whose value is not a key`,
    `set it to ${keyBytes} random bytes in base64: \`openssl rand -base64 ${keyBytes}\``,
  );
}

/** Returns whether `governance` may require a key. Only this process reads what it encrypts. */
function needsKey({ obligations, tools }: ProjectPolicy): boolean {
  return (
    obligations.some(({ action }) => obligationKinds[action.do].needsKey) ||
    Object.values(tools).some(({ idempotency }) => idempotency === "keyed")
  );
}

/** Loads the project's policy; undefined if there is none. */
async function loadPolicy(
  root: string,
  out: string,
  shared: Readonly<Record<string, unknown>>,
  kept: KeptModules | undefined,
): Promise<ProjectPolicy | undefined> {
  if (!isGoverned(root, out)) return undefined;
  const { exports } = await loadModule(root, `./${out}/policy.ts`, shared, kept);
  const { policy } = exports;
  if (typeof policy === "object" && policy !== null && "tools" in policy)
    // skillc wrote the file with this type.
    return policy as ProjectPolicy;
  throw CommandFailure.input(
    `\`${out}/policy.ts\` has no \`policy\``,
    "run `skillc generate`: the generated files don't belong together",
  );
}

/** Warns that budgets without a store end with the process. */
export function tellNoStore({ err, io }: CommandContext): void {
  const note = `skillc.yaml names no \`store:\`, so budgets and states of tools are those of a new process; approvals are in \`${approvalsFolder}\``;
  io.stderr.write(`${severityColour(err, "info")("note")}: ${withCodeSpans(note, err)}\n`);
}
