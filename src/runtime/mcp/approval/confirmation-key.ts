import { randomBytes } from "node:crypto";
import type { Governance } from "../../governance/governance.js";
import type { Runtime } from "../../runtime.js";
import type { McpAuth } from "../auth/mcp-auth.js";

const keyBytes = 32;

/**
 * Returns the key that signs questions to persons about their calls. Without a `key` of governance,
 * it is a random key of this process.
 *
 * @throws TypeError if governance has no `key`, tools need approvals and clients use OAuth, because
 * an answer may reach another process than the question came from
 */
export function confirmationKeyOf(
  { governance }: Pick<Runtime, "governance">,
  auth: McpAuth | "none" | undefined,
): Uint8Array {
  const key = governance?.confirmationKey?.();
  if (key !== undefined) return key;
  if (typeof auth === "object" && governance !== undefined && needsApprovals(governance))
    throw new TypeError(
      "`key` of `governance()` is missing: tools of this project need approvals, and an MCP server over HTTP signs questions about them. Set `key` to 32 random bytes in base64, the same for all processes",
    );
  return randomBytes(keyBytes);
}

/** Returns whether calls of any tool may need an approval. */
function needsApprovals({ policy }: Pick<Governance, "policy">): boolean {
  return Object.values(policy.tools).some(({ approval }) => approval !== undefined);
}
