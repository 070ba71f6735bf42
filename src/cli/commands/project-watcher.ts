import picomatch from "picomatch";
import { type FSWatcher, watch } from "chokidar";
import { once } from "node:events";
import { dirname, join, relative, sep } from "node:path";
import { filesOfSettings } from "../../bindings/kind-settings.js";
import { policyPatterns } from "../../compiler/config/policy-files.js";
import type { ProjectConfig } from "../../core/project.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";

interface ProjectWatcher {
  /**
   * Starts watching the files that the current settings name. Resolves when every later edit will
   * be reported.
   */
  follow(directory: string): Promise<void>;
  close(): Promise<void>;
}

interface WatchListeners {
  readonly onEdit: () => void;
  /**
   * Called if the system can't watch a file, for example because of too many files or missing
   * permission. Other files are still watched.
   */
  readonly onError: (error: Error) => void;
}

/** @param start starts chokidar */
export function createProjectWatcher(
  { onEdit, onError }: WatchListeners,
  start: typeof watch = watch,
): ProjectWatcher {
  let files: FSWatcher | undefined;
  let key: string | undefined;
  return {
    async follow(directory) {
      for (;;) {
        const root = await projectRoot(directory);
        const settings = await readSettings(root);
        const patterns = [...filesOfSettings(settings), ...policyPatterns(settings)];
        const paths = watchedPaths(root, settings, patterns);
        // Called again when the watcher works, because skillc.yaml may have been edited before.
        if (paths.key === key) return;
        await files?.close();
        key = paths.key;
        // Only pass the root to chokidar, because chokidar reports readiness too early if a path
        // doesn't exist.
        files = start(root, {
          ignoreInitial: true,
          ignored: (path, stats) => !paths.covers(path, stats?.isFile()),
        });
        files.on("all", onEdit);
        // A problem during the start ends the watch here.
        await once(files, "ready");
        files.on("error", (error) => onError(asError(error)));
      }
    },
    close: async () => files?.close(),
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Files of settings, which affect the output as much as skills. */
const settings = [
  "skillc.yaml",
  "tsconfig.json",
  ".editorconfig",
  "package.json",
  ".prettierrc",
  ".prettierrc.json",
];

/**
 * Private folders of programs. They include skillc's lock and cache: watching these would start a
 * run with every run.
 */
const kept: ReadonlySet<string> = new Set([".git", ".skillc", "node_modules"]);

/** The watched paths. Two sets of the same project are equal if their `key` is. */
interface WatchedPaths {
  readonly key: string;
  /**
   * Checks if an edit of the file, or in the folder, may change the output.
   *
   * @param path absolute
   * @param isFile undefined if unknown
   */
  covers(path: string, isFile?: boolean): boolean;
}

/**
 * @param root absolute path of the project
 * @param patterns globs of further files, relative to the project
 */
export function watchedPaths(
  root: string,
  config: ProjectConfig,
  patterns: readonly string[] = [],
): WatchedPaths {
  const kinds = config.bindings.filter(({ module }) => module.startsWith("./"));
  const watched = [
    ...settings.map((name) => join(root, name)),
    join(root, config.skills),
    // Watch the whole folder: a file that looks like a policy but isn't read is an error.
    join(root, config.policies),
    ...kinds.map(({ module }) => dirname(join(root, module))),
  ];
  const out = join(root, config.out);
  const named = patterns.map((pattern) => namedFiles(root, pattern));
  return {
    key: JSON.stringify([root, watched, out, patterns]),
    covers(path, isFile) {
      if (
        isWithin(path, out) ||
        relative(root, path)
          .split(sep)
          .some((part) => kept.has(part))
      )
        return false;
      // A folder above a watched folder leads to it, even while the watched folder doesn't exist.
      return (
        watched.some((each) => isWithin(path, each) || isWithin(each, path)) ||
        named.some((covers) => covers(path, isFile))
      );
    },
  };
}

/** Returns a check for files that a glob names, and for folders that may contain them. */
function namedFiles(root: string, pattern: string): (path: string, isFile?: boolean) => boolean {
  const { base, glob } = picomatch.scan(pattern);
  const folder = join(root, base);
  if (glob === "") return (path) => isWithin(folder, path);
  const matches = picomatch(pattern);
  return (path, isFile) =>
    isFile === true
      ? matches(relative(root, path).split(sep).join("/"))
      : isWithin(path, folder) || isWithin(folder, path);
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
