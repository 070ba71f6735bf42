import { isLaterVersion } from "../../compiler/compare-tools/declared-version.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import { compareText } from "../../core/report.js";
import type { LockedTool } from "./lock-text.js";

/** A difference between a tool and its lock. */
export interface LockChange {
  readonly id: string;
  /**
   * `changed`: the declaration differs, but the version is the same. `lowered`: the version is lower
   * than the locked one. `raised`: the version differs, and isn't lower. `added`: the tool isn't
   * locked. `removed`: the locked tool no longer exists.
   */
  readonly change: "changed" | "lowered" | "raised" | "added" | "removed";
  /** Locked version; null if the lock has none. */
  readonly locked: string | null;
  /** Current version; null if the tool declares none, or no longer exists. */
  readonly version: string | null;
}

/** Lists the tools of all skills in the form of the lock. */
export function toolsToLock(lowered: readonly LoweredSkill[]): readonly LockedTool[] {
  return lowered.flatMap(({ tools }) =>
    tools.map(({ id, tool, version }) => ({
      id,
      version: tool.version ?? null,
      manifest: version.manifest,
    })),
  );
}

/** Changes by id, without unchanged tools. */
export function compareLock(
  locked: readonly LockedTool[],
  now: readonly LockedTool[],
): readonly LockChange[] {
  const before = new Map(locked.map((tool) => [tool.id, tool]));
  const after = new Map(now.map((tool) => [tool.id, tool]));
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted(compareText);
  return ids.flatMap((id) => {
    const [old, tool] = [before.get(id), after.get(id)];
    const change = changeOf(old, tool);
    if (change === undefined) return [];
    return [{ id, change, locked: old?.version ?? null, version: tool?.version ?? null }];
  });
}

function changeOf(
  old: LockedTool | undefined,
  now: LockedTool | undefined,
): LockChange["change"] | undefined {
  if (old === undefined) return "added";
  if (now === undefined) return "removed";
  if (old.version === now.version) return old.manifest === now.manifest ? undefined : "changed";
  const isLater =
    old.version === null || now.version === null || isLaterVersion(old.version, now.version);
  return isLater === false ? "lowered" : "raised";
}
