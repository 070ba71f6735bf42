import { type FSWatcher, watch } from "chokidar";
import { expect, onTestFinished, test } from "vitest";
import { createProjectWatcher } from "../../../src/cli/commands/project-watcher.js";
import { deskFiles, makeProject, put } from "../support/command-line.js";

test("a fault of a watcher at work is told, and edits are still seen", async () => {
  const root = makeProject(deskFiles);
  const started: FSWatcher[] = [];
  const faults: string[] = [];
  let onEdit = (): void => {};
  const edited = new Promise<void>((resolve) => {
    onEdit = resolve;
  });
  const watcher = createProjectWatcher(
    { onEdit, onFault: ({ message }) => void faults.push(message) },
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
