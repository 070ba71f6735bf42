import { describe, expect, test } from "vitest";
import { judgeVersion } from "../../../src/compiler/compare-tools/declared-version.js";
import type { Verdict } from "../../../src/compiler/compare-tools/rules.js";

describe("a declared version", () => {
  test.each<
    [old: string, now: string, verdict: Verdict | undefined, asked: string | null, ok: boolean]
  >([
    ["1.2.3", "2.0.0", "major", "2.0.0", true],
    ["1.2.3", "3.1.0", "major", "2.0.0", true],
    ["1.2.3", "1.3.0", "major", "2.0.0", false],
    ["1.2.3", "1.2.3", "major", "2.0.0", false],
    ["1.2.3", "1.3.0", "minor", "1.3.0", true],
    ["1.2.3", "1.2.4", "minor", "1.3.0", false],
    ["1.2.3", "1.2.4", "patch", "1.2.4", true],
    ["1.2.3", "1.2.3", "patch", "1.2.4", false],
    ["1.2.3", "1.2.3", undefined, null, true],
    ["1.2.3", "1.2.2", undefined, null, false],
    // Of 0.y.z SemVer promises nothing.
    ["0.2.3", "0.3.0", "major", "0.3.0", true],
    ["0.2.3", "0.2.4", "major", "0.3.0", false],
    ["0.2.3", "0.2.4", "minor", "0.2.4", true],
    // A prerelease.
    ["1.2.3", "2.0.0-beta.1", "major", "2.0.0", true],
    ["1.2.3", "1.3.0-beta.1", "major", "2.0.0", false],
    ["2.0.0-beta.1", "2.0.0-beta.2", "major", "2.0.0-beta.2", true],
    ["2.0.0-beta.1", "2.0.0", "major", "2.0.0-beta.2", true],
    ["2.0.0-beta.1", "2.0.0-beta.1", "patch", "2.0.0-beta.2", false],
  ])("%s to %s for %s asks %s: %s", (old, now, verdict, asked, isEnough) => {
    expect(judgeVersion(old, now, verdict)).toEqual({ old, new: now, asked, isEnough });
  });

  test.each([
    [undefined, "1.0.0"],
    ["1.0.0", undefined],
    [undefined, undefined],
    ["1.0", "2.0.0"],
    ["1.0.0", "2024-01"],
  ])("from %s to %s causes no verdict", (old, now) => {
    expect(judgeVersion(old, now, "major")).toMatchObject({ asked: null, isEnough: null });
  });
});
