import { createCredentials, refuseObstacle } from "@skillc/runtime/internal";
import type { GovernanceStore } from "@skillc/runtime/governance";
import type { ProjectConfig } from "../../core/project.js";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";
import type { Io } from "../io.js";

/** Opens a store by its URL. */
export type OpenStore = (url: string) => Promise<GovernanceStore>;

/** Location of the data that processes share. */
export interface StoreChoice {
  /** Path of the project's folder. */
  readonly root: string;
  readonly env: Io["env"];
  readonly settings: Pick<ProjectConfig, "governance">;
  /** Opens the store. By default, the URL's scheme decides. */
  readonly open?: OpenStore | undefined;
}

/**
 * Opens the store under `store:` in skillc.yaml; undefined if there is none.
 *
 * @throws CommandFailure if its setting has no value, or the store can't be opened
 */
export async function openProjectStore({
  open = openByScheme,
  ...choice
}: StoreChoice): Promise<GovernanceStore | undefined> {
  return atProjectStore(choice, "opened", open);
}

/** Folder of a project that keeps approvals, if skillc.yaml names no store. */
export const approvalsFolder = ".skillc/approvals";

/**
 * Opens the store of the commands of one machine: its requests and approvals are files of the
 * project, everything else is in memory.
 *
 * @throws CommandFailure if something else is at the folder's path
 */
export async function openApprovalsFolder(root: string): Promise<GovernanceStore> {
  orSayWhatIsInTheWay(() => refuseObstacle(root, approvalsFolder, "folder"));
  const { openFolderStore } = await import("@skillc/runtime/internal/governance");
  return openFolderStore(root);
}

/** Versions of the store's tables before and after; undefined for a store without tables. */
export type StoreMigration = { readonly before: number; readonly after: number } | undefined;

/**
 * Creates or updates the tables of the store in skillc.yaml; undefined if there is none.
 *
 * @throws CommandFailure under the same conditions as `openProjectStore`
 */
export async function migrateProjectStore(
  choice: StoreChoice,
): Promise<{ readonly migrated: StoreMigration } | undefined> {
  const { migrateGovernanceStore } = await import("@skillc/runtime/internal/governance");
  return atProjectStore(choice, "migrated", async (url) => ({
    migrated: await migrateGovernanceStore(url),
  }));
}

async function atProjectStore<Value>(
  { env, root, settings }: StoreChoice,
  what: "opened" | "migrated",
  use: (url: string) => Promise<Value>,
): Promise<Value | undefined> {
  const written = settings.governance?.store?.value;
  if (written === undefined) return undefined;
  const name = /^\$\{(\w+)\}$/.exec(written)?.[1] ?? written;
  const sources = createCredentials({ given: {}, env, directory: root });
  const secret = await sources.find(name);
  if (secret === undefined)
    throw CommandFailure.input(
      `\`store:\` of skillc.yaml is \`\${${name}}\`, which is not set here`,
      `set \`${name}\` in the environment, in .env, or under \`secrets:\``,
    );
  const { Secret } = await import("@skillc/runtime/internal");
  try {
    return await use(Secret.reveal(secret));
  } catch (error) {
    // A URL may contain a password.
    const why = sources.scrubber.scrub(error instanceof Error ? error.message : String(error));
    throw CommandFailure.input(`the store at \`\${${name}}\` can't be ${what}: ${why}`);
  }
}

async function openByScheme(url: string): Promise<GovernanceStore> {
  const { openGovernanceStore } = await import("@skillc/runtime/internal/governance");
  return openGovernanceStore(url);
}

/**
 * Runs one request of a command against a store, and closes the store.
 *
 * @throws CommandFailure if the request fails
 */
export async function withStore<Value>(
  store: GovernanceStore,
  ask: (store: GovernanceStore) => Promise<Value>,
): Promise<Value> {
  try {
    return await ask(store);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw CommandFailure.input(`the store of governance cannot be reached: ${why}`);
  } finally {
    await store.close();
  }
}
