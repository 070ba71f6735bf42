import { readOperations } from "@skillc/runtime/internal/file";
import type { Capability } from "@skillc/runtime";
import { folderCapability } from "../../../kit/folders.js";
import type { FileConfig } from "./model.js";

/** Lists the folders that a file tool may read or change. */
export function fileCapabilities({ allowed, operation }: FileConfig): readonly Capability[] {
  const access = readOperations.includes(operation) ? "read" : "write";
  const reached = allowed.map((each) => folderCapability(access, each));
  return [...new Map(reached.map((each) => [each.capability, each])).values()];
}
