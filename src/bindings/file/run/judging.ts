import fs from "node:fs";
import { RefusedValue } from "../../../runtime/call/refused-value.js";
import {
  isRefusedPath,
  type JudgedPath,
  judgePath,
  type PathAccess,
  plainName,
} from "../../../runtime/files/judged-path.js";
import type { Attempt } from "../../../runtime/tool.js";
import type { FilePath } from "./file-path.js";

/** Decides about the paths of one attempt. */
export interface Judging {
  /**
   * Decides about a path.
   *
   * @throws RefusedValue if it is not allowed
   */
  judge(path: FilePath): JudgedPath;
  /** Returns a real path as answers show it: relative to the project's folder if it is in there. */
  shown(path: string): string;
}

/** @param folders allowed folders of the tool */
export function judging(
  folders: readonly FilePath[],
  { access, within }: { readonly access: PathAccess; readonly within?: readonly string[] },
  { directory, open }: Pick<Attempt, "directory" | "open">,
): Judging {
  const opened = folders.map((each) => each.opened(open));
  const rules = {
    directory,
    read: access === "read" ? opened : [],
    write: access === "write" ? opened : [],
    outer: within,
  };
  return {
    judge(path) {
      const judged = judgePath(path.opened(open), { base: directory, access, rules });
      if (isRefusedPath(judged)) throw new RefusedValue(path.pointer, "path", judged.reason);
      return judged;
    },
    shown: (path) => plainName(path, realDirectory(directory)),
  };
}

function realDirectory(directory: string): string {
  try {
    return fs.realpathSync.native(directory);
  } catch {
    return directory;
  }
}
