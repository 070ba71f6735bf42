import { describe, expect, test } from "vitest";
import { deskFiles, makeProject, skillc } from "../support/command-line.js";

const path = "skills/desk/SKILL.md";
const withWarning = { ...deskFiles, [path]: deskFiles[path].replace("---\n", "---\nextra: x\n") };
const withBoth = {
  ...withWarning,
  [path]: withWarning[path].replace("---\n", "---\nrisk_level: x\n"),
};

describe("the last line of a brief report", () => {
  test.each([
    ["warnings alone", withWarning, "; `skillc check` shows them with their source"],
    [
      "warnings beside errors, which are shown",
      withBoth,
      "; `skillc check` shows the rest with its source",
    ],
    ["no warnings", deskFiles, undefined],
  ])("names the right command for %s", async (_, files, more) => {
    const { stderr } = await skillc(makeProject(files), ["generate"]);
    expect(/; `skillc check`.*/.exec(stderr)?.[0]).toBe(more);
  });
});
