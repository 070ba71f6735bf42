import type { NewStoredRequest } from "../../../src/runtime/governance/index.js";

/** Makes a request for the tests of the store in a folder. */
export function folderRequest(id: string, ttlMs = 600_000): NewStoredRequest {
  return { id, tool: "desk/do-it", manifest: "m", digest: "d", subject: "ada", ttlMs };
}
