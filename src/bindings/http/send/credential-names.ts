import type { CredentialReference } from "../contract.js";

/** Adds the names that are not there yet. */
export function addNames(names: string[], parts: readonly (string | CredentialReference)[]): void {
  for (const part of parts) {
    if (typeof part !== "string" && !names.includes(part.name)) names.push(part.name);
  }
}
