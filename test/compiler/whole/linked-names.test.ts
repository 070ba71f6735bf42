import { expect, test } from "vitest";
import { readLinkedFiles } from "../../../src/compiler/linked-files.js";
import { makeProject, put } from "../../cli/support/command-line.js";

const file = "skills/desk/SKILL.md";

test.each(["SKILL.md", "Skill.MD", "\u017fkill.md", "metadata.\uff59aml"])(
  "a link to %s, by which a file system may find the tools, publishes nothing",
  async (name) => {
    const root = makeProject();
    put(root, `skills/desk/${name}`, "tools");
    const text = `---\nname: desk\ndescription: D.\n---\n[a](${name})\n`;
    const linked = await readLinkedFiles(root, { files: new Map([[file, { path: file, text }]]) });
    expect(linked.get("skills/desk")).toMatchObject([{ problem: "has the skill's tools" }]);
  },
);
