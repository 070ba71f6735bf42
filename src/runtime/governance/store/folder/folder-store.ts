/**
 * The entry point `@skillc/runtime/governance/folder`: a governance store that keeps approvals and
 * the requests for them in files, so that another process of this machine can decide. Everything
 * else is in memory.
 */
import { resolve } from "node:path";
import { createMemoryStoreWith, type MemoryStoreOptions } from "../memory.js";
import type { GovernanceStore } from "../store.js";
import { FolderApprovals } from "./folder-approvals.js";

/** Options of a store in a folder. */
export interface FolderStoreOptions extends MemoryStoreOptions {
  /**
   * Folder of approvals and requests; `.skillc/approvals` in the working directory by default. It
   * is created with the first request. The default folder must not be a link or below one, because
   * a link may come with the project from elsewhere. A folder that you name may be.
   */
  readonly directory?: string;
}

const defaultDirectory = ".skillc/approvals";

/**
 * Creates a governance store for one machine. Approvals and the requests for them are files that
 * other processes of the machine share. Budgets, keys, leases and states of tools are in the memory
 * of this process. The store opens no file before the first request.
 */
export function createFolderStore(options: FolderStoreOptions = {}): GovernanceStore {
  return openFolderStore(process.cwd(), options);
}

/**
 * Opens the store of a project.
 *
 * @param project path of the project's folder, which holds the default folder
 */
export function openFolderStore(
  project: string,
  { directory, ...options }: FolderStoreOptions = {},
): GovernanceStore {
  const folder =
    directory === undefined
      ? { root: resolve(project), path: defaultDirectory }
      : { root: resolve(directory), path: "." };
  return createMemoryStoreWith("folder", new FolderApprovals(folder, options), options);
}
