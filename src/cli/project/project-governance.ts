/**
 * Sets up the governance of calls from the command line: the project's policy, and the store that
 * its processes share.
 */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Governance, governance, type ProjectPolicy } from "@skillc/runtime/governance";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { CommandFailure } from "../exit.js";
import { type OpenStore, openProjectStore } from "./governance-store.js";
import { loadModule } from "./load-module.js";

export interface GovernedProject {
  /** Path of the project's folder. */
  readonly root: string;
  readonly settings: ProjectConfig;
  /** Modules that the project's code gets from this process. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly open?: OpenStore | undefined;
}

/**
 * Returns the project's governance; undefined if it is not configured. Results of keyed calls are
 * encrypted with a temporary key, because the command line doesn't know the application's.
 *
 * @throws CommandFailure if the store can't be opened, or `policy.ts` is invalid
 */
export async function governanceOf(
  { io }: CommandContext,
  { open, root, settings, shared }: GovernedProject,
): Promise<{ readonly governance: Governance; readonly isShared: boolean } | undefined> {
  const policy = await loadPolicy(root, settings.out, shared);
  if (policy === undefined) return undefined;
  const store = await openProjectStore({ root, env: io.env, settings, open });
  const own = governance({ policy, key: randomBytes(32), ...(store !== undefined && { store }) });
  return { governance: own, isShared: store !== undefined };
}

/** Loads the project's policy; undefined if there is none, and so no governance. */
async function loadPolicy(
  root: string,
  out: string,
  shared: Readonly<Record<string, unknown>>,
): Promise<ProjectPolicy | undefined> {
  const file = join(root, out, "policy.ts");
  // Loading a pipe would wait for its other end.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { exports } = await loadModule(root, `./${out}/policy.ts`, shared);
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
  const note =
    "skillc.yaml names no `store:`, so budgets, approvals and states of tools are those of a new process";
  io.stderr.write(`${severityColour(err, "info")("note")}: ${withCodeSpans(note, err)}\n`);
}
