import type { Mode } from "./tool.js";

/**
 * A mode comes from an environment variable as often as from a literal: `Shadow` must not send.
 *
 * @throws TypeError
 */
export function requireMode(mode: Mode | null | undefined): void {
  if (mode != null && mode !== "active" && mode !== "shadow")
    throw new TypeError('`mode` must be "active" or "shadow"');
}
