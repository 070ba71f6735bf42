import { RefusedValue } from "../../../runtime/call/refused-value.js";
import {
  isRefusedPath,
  type JudgedPath,
  judgePath,
  type PathAccess,
  type PathRules,
  plainName,
  realFolder,
  usedPath,
} from "../../../runtime/files/judged-path.js";
import { PathChanged } from "../../../runtime/files/open-judged.js";
import { isOwnPath, ownPathReason } from "../../../runtime/files/project-secrets.js";
import type { Attempt } from "../../../runtime/call/attempt.js";
import type { ResolvedPaths } from "../../../runtime/call/binding.js";
import { type FilePath, PathValue } from "./file-path.js";

/** Decides about the paths of one attempt. */
export interface Judging {
  /**
   * Decides about a path.
   *
   * @throws RefusedValue if it is not allowed
   */
  judge(path: FilePath): JudgedPath;
  /** Follows the links of paths before a decision about the call. It rejects nothing. */
  resolve(paths: readonly FilePath[]): ResolvedPaths;
  /** Returns a real path as answers show it: relative to the project's folder if it is in there. */
  shown(path: string): string;
}

/** The bounds of the paths beside the allowed folders. */
export interface JudgingRules extends Pick<PathRules, "temporary"> {
  readonly access: PathAccess;
  /** Folders of skillc.yaml; no such limit if absent. */
  readonly within?: readonly string[] | undefined;
}

/** @param folders allowed folders of the tool */
export function judging(
  folders: readonly FilePath[],
  { access, temporary, within }: JudgingRules,
  { decidedPaths, directory, open }: Pick<Attempt, "decidedPaths" | "directory" | "open">,
): Judging {
  const opened = folders.map((each) => each.opened(open));
  const rules = {
    directory,
    read: access === "read" ? opened : [],
    write: access === "write" ? opened : [],
    outer: within,
    temporary,
  };
  const judgement = { base: directory, access, rules };
  const shownFolder = (folder: string): string =>
    folders[opened.indexOf(folder)]?.shown() ?? folder;
  const named = (written: { readonly opened: string; readonly shown: string }) =>
    usedPath(written, judgement, shownFolder);
  return {
    judge(path) {
      const judged = judgePath(path.opened(open), judgement);
      if (isRefusedPath(judged)) throw new RefusedValue(path.pointer, "path", judged.reason);
      if (isOwnPath(directory, judged)) throw new RefusedValue(path.pointer, "path", ownPathReason);
      if (decidedPaths?.has(judged.path) === false) throw new PathChanged();
      return judged;
    },
    resolve: (paths) => ({
      used: paths.map((each) => named({ opened: each.opened(open), shown: each.shown() })),
      parameters: new Map(
        paths.flatMap(({ parts: [first] }) =>
          first instanceof PathValue
            ? [[first.pointer, named({ opened: first.text, shown: first.text }).path] as const]
            : [],
        ),
      ),
    }),
    shown: (path) => plainName(path, realFolder(directory)),
  };
}
