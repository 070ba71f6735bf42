import { type FSWatcher, watch } from "chokidar";
import { renameSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { join } from "node:path";
import { createProjectWatcher, watchedPaths } from "../../../src/cli/commands/project-watcher.js";
import { deskFiles, makeProject, put } from "../support/command-line.js";

test("reports an error of a running watcher, and still notices edits", async () => {
  const root = makeProject(deskFiles);
  const started: FSWatcher[] = [];
  const faults: string[] = [];
  let onEdit = (): void => {};
  const edited = new Promise<void>((resolve) => {
    onEdit = resolve;
  });
  const watcher = createProjectWatcher(
    { onEdit, onError: ({ message }) => void faults.push(message) },
    (...given) => {
      const files = watch(...given);
      started.push(files);
      return files;
    },
  );
  onTestFinished(() => watcher.close());
  await watcher.follow(root);
  // What chokidar does when the system refuses to watch one more file.
  started[0]?.emit("error", new Error("ENOSPC: System limit for number of file watchers reached"));
  expect(faults).toEqual(["ENOSPC: System limit for number of file watchers reached"]);
  put(root, "skills/desk/more.json", "{}");
  await edited;
});

test("watches the files of a database's schema, and none beside them", async () => {
  const root = makeProject({
    ...deskFiles,
    "skillc.yaml":
      "databases:\n  SHOP_URL: { schema: [db/schema.sql, 'db/migrations/**/*.sql'] }\n",
    "db/schema.sql": "",
    "db/migrations/2026/1.sql": "",
    "src/app.ts": "",
  });
  let edits = 0;
  let onEdit = (): void => {};
  const listeners = { onEdit: () => onEdit(), onError: () => {} };
  const watcher = createProjectWatcher(listeners);
  onTestFinished(() => watcher.close());
  await watcher.follow(root);
  const editOf = (...paths: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      onEdit = () => {
        edits += 1;
        resolve();
      };
      for (const path of paths) put(root, path, "-- another\n");
    });
  await editOf("db/schema.sql");
  await editOf("db/migrations/2026/1.sql");
  await editOf("db/migrations/2027/2.sql");
  const seen = edits;
  // The first three are nobody's; the last comes after them.
  await editOf("db/notes.md", "db/other.sql", "src/app.ts", "skills/desk/more.json");
  expect(edits).toBe(seen + 1);
});

test("watches a file that looks like a policy, because it causes an error until it is gone", async () => {
  const root = makeProject({ ...deskFiles, "policies/sub/a.cedar": "" });
  let onEdit = (): void => {};
  const watcher = createProjectWatcher({ onEdit: () => onEdit(), onError: () => {} });
  onTestFinished(() => watcher.close());
  await watcher.follow(root);
  const noticed: string[] = [];
  for (const [from, to] of [
    ["sub/a.cedar", "a.CEDAR"],
    ["a.CEDAR", "a.cedar"],
    ["a.cedar", "a.tests.yaml"],
  ] as const) {
    const edited = new Promise<void>((resolve) => {
      onEdit = resolve;
    });
    renameSync(join(root, "policies", from), join(root, "policies", to));
    await edited;
    noticed.push(to);
  }
  expect(noticed).toEqual(["a.CEDAR", "a.cedar", "a.tests.yaml"]);
});

test("a watch covers the given files and patterns, but neither output nor packages", () => {
  const root = join("/", "work", "a (shop)");
  const settings = {
    skills: "skills",
    out: "generated",
    policies: "policies",
    secretNames: [],
    bindings: [],
    settings: {},
  };
  const { covers } = watchedPaths(root, settings, ["./db/schema.sql", "*.sql", "m/{a,b}/*.sql"]);
  const isCovered = (path: string, isFile?: boolean): boolean => covers(join(root, path), isFile);
  expect(isCovered("db")).toBe(true);
  expect(isCovered("policies/sub/a.cedar", true)).toBe(true);
  expect(isCovered("policies/a.CEDAR", true)).toBe(true);
  expect(isCovered("db/schema.sql", true)).toBe(true);
  expect(isCovered("db/other.sql", true)).toBe(false);
  expect(isCovered("top.sql", true)).toBe(true);
  expect(isCovered("top.txt", true)).toBe(false);
  expect(isCovered("m/b/1.sql", true)).toBe(true);
  expect(isCovered("m/c/1.sql", true)).toBe(false);
  expect(isCovered("node_modules/x/1.sql", true)).toBe(false);
  expect(isCovered("generated/x.sql", true)).toBe(false);
});
