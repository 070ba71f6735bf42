import { readOperations } from "@skillc/runtime/internal/file";
import type { Capability } from "@skillc/runtime";
import { folderCapability, temporaryCapability } from "../../../kit/folders.js";
import type { FileConfig } from "./model.js";

/** Lists the folders that a file tool may read or change. */
export function fileCapabilities({
  allowed,
  operation,
  usesTemporary,
}: FileConfig): readonly Capability[] {
  const access = readOperations.includes(operation) ? "read" : "write";
  const reached = [
    ...allowed.map((each) => folderCapability(access, each)),
    ...(usesTemporary === true || operation === "temporary" ? [temporaryCapability()] : []),
  ];
  return [...new Map(reached.map((each) => [each.capability, each])).values()];
}
