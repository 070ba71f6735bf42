import {
  type CredentialDestination,
  destinationsOf,
  isLiteralOrigin,
  keyOf,
} from "../../kit/credential-destinations.js";
import { groupBy } from "../../core/group-by.js";
import { compareText } from "../../core/report.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";

/** A credential, its destination, and the tools that send it there. */
export interface SentCredential extends CredentialDestination {
  /** True if the skill itself states the origin. */
  readonly literal: boolean;
  /** Ids of the tools, `skill/tool`. */
  readonly tools: readonly string[];
}

interface ReachingTool {
  readonly id: string;
  readonly capabilities: Parameters<typeof destinationsOf>[0];
}

/** Lists sent credentials. Origins in skills come first, because only the skills vouch for them. */
export function sentCredentials(tools: readonly ReachingTool[]): readonly SentCredential[] {
  const all = tools.flatMap(({ capabilities, id }) =>
    destinationsOf(capabilities).map((each) => ({ ...each, id })),
  );
  return [...groupBy(all, keyOf).values()]
    .flatMap((alike) =>
      alike.slice(0, 1).map(({ credential, origin }) => ({
        credential,
        origin,
        literal: isLiteralOrigin(origin),
        tools: alike.map(({ id }) => id),
      })),
    )
    .toSorted(
      (a, b) =>
        Number(b.literal) - Number(a.literal) ||
        compareText(a.credential, b.credential) ||
        compareText(a.origin, b.origin),
    );
}

/** Prints credentials as `${TOKEN} → https://api.example.com (desk/get-order, 3 more)`. */
export function printCredentials(
  { io, out }: CommandContext,
  credentials: readonly SentCredential[],
): void {
  if (credentials.length === 0) return;
  io.stdout.write(`  ${out.dim("where credentials go:")}\n`);
  for (const { credential, origin, tools } of credentials) {
    const [first = "", ...others] = tools;
    const by = others.length === 0 ? first : `${first}, ${others.length} more`;
    const line = `\${${credential}} → ${origin} (${by})`;
    io.stdout.write(`    ${out.dim(visible(line))}\n`);
  }
}
