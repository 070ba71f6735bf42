import { hash } from "node:crypto";

/**
 * What stands for a name in a shared store: as long as any other's, without a word of it, and
 * another for another name. As JSON first: UTF-8 has one replacement for every half of a surrogate
 * pair, and a key is given by whoever calls.
 */
export function digestOf(name: string): string {
  return hash("sha256", JSON.stringify(name), "base64url");
}

/** Names a state that somebody set: a tool's for every tenant, or for one. */
export function stateKey(tool: string, tenant: string | undefined): string {
  return JSON.stringify([tool, tenant ?? null]);
}
