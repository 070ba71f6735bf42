import { dirname, join, relative, sep } from "node:path";
import picomatch from "picomatch";
import type { ProjectConfig } from "../../core/project.js";

/** Settings decide the output as much as skills do. */
const settings = [
  "skillc.yaml",
  "tsconfig.json",
  ".editorconfig",
  "package.json",
  ".prettierrc",
  ".prettierrc.json",
];

/** What programs keep for themselves. Our lock and cache are among it: to watch them would be to start a run with every run. */
const kept: ReadonlySet<string> = new Set([".git", ".skillc", "node_modules"]);

/** What a watch looks at; two of the same project are equal when their `key` is. */
export interface WatchedPaths {
  readonly key: string;
  /**
   * Whether an edit of the file, or in the folder, may change the output.
   *
   * @param path absolute
   * @param isFile undefined when it is not known
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
      // A folder above one that is watched leads to it, even while that one doesn't exist.
      return (
        watched.some((each) => isWithin(path, each) || isWithin(each, path)) ||
        named.some((covers) => covers(path, isFile))
      );
    },
  };
}

/** Files that a glob names, and the folders in which they may be. */
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
