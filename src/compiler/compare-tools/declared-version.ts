import semver from "semver";
import type { Verdict } from "./rules.js";

/** Result of comparing the increase of a tool's declared `version:` with its differences. */
export interface VersionJudgement {
  readonly old: string | null;
  readonly new: string | null;
  /** Minimum version that is high enough; null without a verdict. */
  readonly asked: string | null;
  /** Null if a side declares no version, or one that isn't SemVer. */
  readonly isEnough: boolean | null;
}

/**
 * Judges an increase of a version. SemVer promises nothing for `0.y.z`. As in package managers, a
 * breaking change must then raise `y`, any other change `z`. A prerelease counts as its version,
 * and may become any later version.
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

/** Checks if one declared version is later than another; undefined if either is not SemVer. */
export function isLaterVersion(old: string, now: string): boolean | undefined {
  const [before, after] = [semver.parse(old), semver.parse(now)];
  return before === null || after === null ? undefined : semver.compare(after, before) > 0;
}
