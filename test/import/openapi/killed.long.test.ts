/** An import that is killed while it removes a skill: `--check` says so, and the next import removes it. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesIn, makeProject, put } from "../../cli/support/command-line.js";
import { loaderArgs } from "../../support/node-loader.js";
import { importIn, ok, openApi, skillsIn } from "./support.js";

const script = fileURLToPath(new URL("./killed-import.ts", import.meta.url));
const operation = (tag: string) => ({ get: { operationId: `list-${tag}`, tags: [tag], ...ok } });
const two = openApi({ "/pets": operation("pets"), "/orders": operation("orders") });
const one = openApi({ "/orders": operation("orders") });

test.each([1, 3])(
  "the next import finishes one that was killed after it had removed %i files",
  async (removals) => {
    const root = makeProject({ "api.json": one });
    await importIn(root, ["api.json"]);
    const wanted = filesIn(root);
    const killed = makeProject({ "api.json": two });
    await importIn(killed, ["api.json"]);
    expect(Object.keys(skillsIn(killed))).toContain("skills/pets/SKILL.md");
    put(killed, "api.json", one);
    const { signal } = spawnSync(process.execPath, [...loaderArgs, script, killed, `${removals}`]);
    expect(signal).toBe("SIGKILL");
    const check = await importIn(killed, ["--check"]);
    expect(check.code).toBe(1);
    expect(check.told.map(({ code }) => code)).toContain("import/out-of-date");
    expect((await importIn(killed, [])).code).toBe(0);
    expect(filesIn(killed)).toEqual(wanted);
    expect(readdirSync(join(killed, "skills"))).toEqual([".import", "orders"]);
    expect((await importIn(killed, ["--check"])).code).toBe(0);
  },
);
