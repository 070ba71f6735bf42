import semver from "semver";
import type { Verdict } from "./rules.js";

/** How far a tool's declared `version:` was raised, against what its differences ask for. */
export interface VersionJudgement {
  readonly old: string | null;
  readonly new: string | null;
  /** The least version that is enough; null where no verdict is passed. */
  readonly asked: string | null;
  /** Null where there is nothing to judge: a side declares no version, or no SemVer version. */
  readonly isEnough: boolean | null;
}

/**
 * Of `0.y.z` SemVer promises nothing; as package managers do, a breaking change is then asked to
 * raise `y`, and any other `z`. A prerelease of a version that is enough is enough, and a
 * prerelease may become any later version.
 */
export function judgeVersion(
  old: string | undefined,
  now: string | undefined,
  verdict: Verdict | undefined,
): VersionJudgement {
  const declared = { old: old ?? null, new: now ?? null };
  const [before, after] = [semver.parse(old), semver.parse(now)];
  if (before === null || after === null) return { ...declared, asked: null, isEnough: null };
  const asked = leastAfter(before, verdict);
  const isLater = semver.compare(after, before) > 0;
  const isEnough =
    asked === null
      ? semver.compare(after, before) >= 0
      : isLater && (before.prerelease.length > 0 || after.compareMain(asked) >= 0);
  return { ...declared, asked, isEnough };
}

function leastAfter(version: semver.SemVer, verdict: Verdict | undefined): string | null {
  if (verdict === undefined) return null;
  if (version.prerelease.length > 0) return semver.inc(version.version, "prerelease");
  const isEarly = version.major === 0;
  const early = verdict === "major" ? "minor" : "patch";
  return semver.inc(version.version, isEarly ? early : verdict);
}

/** Whether one declared version is later than another; undefined unless both are of SemVer. */
export function isLaterVersion(old: string, now: string): boolean | undefined {
  const [before, after] = [semver.parse(old), semver.parse(now)];
  return before === null || after === null ? undefined : semver.compare(after, before) > 0;
}
