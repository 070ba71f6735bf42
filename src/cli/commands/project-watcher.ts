import { once } from "node:events";
import { type FSWatcher, watch } from "chokidar";
import { filesOfSettings } from "../../bindings/kind-settings.js";
import { readSettings } from "../project/read-settings.js";
import { watchedPaths } from "./watched-paths.js";
import { projectRoot } from "../project/project-root.js";

export interface ProjectWatcher {
  /** Resolves when every edit from now on, of what the project's settings name now, will be told. */
  follow(directory: string): Promise<void>;
  close(): Promise<void>;
}

export interface WatchListeners {
  readonly onEdit: () => void;
  /** The system can't watch some file any more: too many of them, one without permission. The others are still watched. */
  readonly onFault: (error: Error) => void;
}

/** @param start how chokidar is started */
export function createProjectWatcher(
  { onEdit, onFault }: WatchListeners,
  start: typeof watch = watch,
): ProjectWatcher {
  let files: FSWatcher | undefined;
  let key: string | undefined;
  return {
    async follow(directory) {
      for (;;) {
        const root = await projectRoot(directory);
        const settings = await readSettings(root);
        const paths = watchedPaths(root, settings, filesOfSettings(settings));
        // Asked again once the watcher is at work: skillc.yaml may have been edited before.
        if (paths.key === key) return;
        await files?.close();
        key = paths.key;
        // Only the root is named to chokidar. It takes itself for ready too early when a path doesn't exist yet.
        files = start(root, {
          ignoreInitial: true,
          ignored: (path, stats) => !paths.covers(path, stats?.isFile()),
        });
        files.on("all", onEdit);
        // A fault before it is ready ends the watch here.
        await once(files, "ready");
        files.on("error", (fault) => onFault(asError(fault)));
      }
    },
    close: async () => files?.close(),
  };
}

function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault));
}
