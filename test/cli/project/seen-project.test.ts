import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStopwatch } from "../../../src/compiler/stopwatch.js";
import { cacheSettings } from "../../../src/cli/project/cached-settings.js";
import { openProject } from "../../../src/cli/project/open-project.js";
import { seeProject } from "../../../src/cli/project/seen-project.js";
import { makeProject } from "../support/command-line.js";

const skill =
  "---\nname: desk\ndescription: Orders.\ntools: { ask: { description: Asks. } }\n---\n";

/** A project, and what is seen of it after a run that kept its settings. */
async function seen(files: Readonly<Record<string, string>>, change?: (root: string) => void) {
  const root = makeProject({ "skills/desk/SKILL.md": skill, ...files });
  const cache = new Map<string, string>();
  const store = {
    get: (key: string) => cache.get(key),
    set: (key: string, value: string) => void cache.set(key, value),
  };
  cacheSettings(await openProject(root), store);
  change?.(root);
  return {
    root,
    seen: await seeProject(
      root,
      store,
      createStopwatch(() => 0),
    ),
  };
}

test("all files of a project are seen as they are when it is opened", async () => {
  const { root, seen: project } = await seen({
    "skillc.yaml": "out: made\n",
    "skills/desk/order.json": "{}",
    "made/desk/ask.ts": "// Old.\n",
  });
  const open = await openProject(root);
  expect(project?.project.configFile).toEqual(open.project.configFile);
  expect([...(project?.project.files ?? [])]).toEqual([...open.project.files]);
  expect(project?.config).toMatchObject({ skills: "skills", out: "made", policies: "policies" });
  expect([...(project?.previous ?? [])]).toEqual([["desk/ask.ts", "// Old.\n"]]);
});

interface Otherwise {
  readonly files?: Readonly<Record<string, string>>;
  readonly change?: (root: string) => void;
}

const otherwise: readonly (readonly [has: string, how: Otherwise])[] = [
  ["has secrets", { files: { "skillc.yaml": "secrets: { A_TOKEN: abc }\n" } }],
  ["has a kind of its own", { files: { "skillc.yaml": "bindings: { own: ./kind.js }\n" } }],
  [
    "names files of its own",
    { files: { "skillc.yaml": "databases: { A_URL: { schema: a.sql } }\n" } },
  ],
  ["says who may call what", { files: { "skillc.yaml": "governance: { strict: true }\n" } }],
  ["has settings with a mistake", { files: { "skillc.yaml": "outt: made\n" } }],
  ["has policies", { change: (root) => mkdirSync(join(root, "policies")) }],
  [
    "has other settings",
    { change: (root) => writeFileSync(join(root, "skillc.yaml"), "out: made\n") },
  ],
  ["has no skills", { change: (root) => rmSync(join(root, "skills"), { recursive: true }) }],
  [
    "has a file that can't be read",
    { change: (root) => writeFileSync(join(root, "skills/desk/SKILL.md"), Buffer.of(255)) },
  ],
];

test.each(otherwise)("a project that %s is opened in full", async (_, { change, files = {} }) => {
  expect((await seen(files, change)).seen).toBeUndefined();
});
