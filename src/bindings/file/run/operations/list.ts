import fs from "node:fs/promises";
import { posix } from "node:path";
import {
  openBelow,
  openJudgedFolder,
  type OpenParent,
} from "../../../../runtime/files/open-judged.js";
import { isBeside } from "../../../../runtime/files/names-beside.js";
import { projectSecretTest } from "../../../../runtime/files/project-secrets.js";
import { systemCode } from "../../../../runtime/files/system-code.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { type FileEntry, type ListRequest, usualEntries } from "../contract.js";
import { entryOf } from "../entry.js";
import { type FileAttempt, fileFault } from "../file-attempt.js";
import { globTest } from "../glob.js";
import { countOf } from "../request.js";

/** Maximum depth of a list. */
const deepest = 64;
/** Maximum number of entries of a list. */
const mostEntries = 100_000;
/** Maximum number of entries that a list looks at, listed or not. */
const mostVisited = 1_000_000;

/** Lists a folder, in the order of names. Links are entries, and are not followed. */
export async function listFolder(
  { glob, maxDepth, maxFiles, path }: ListRequest,
  { attempt, judge: { judge, shown } }: FileAttempt,
): Promise<AnyResult> {
  const depth = countOf(maxDepth, { name: "max_depth", usual: 1, most: deepest });
  const most = countOf(maxFiles, { name: "max_files", usual: usualEntries, most: mostEntries });
  const judged = judge(path);
  const isSecret = projectSecretTest(attempt.directory);
  const isAllowed = isSecret(judged.folder.real);
  const walk: Walk = {
    isLeftOut: (path) => !isAllowed && isSecret(path),
    matches: glob === undefined || glob === null ? () => true : globTest(glob),
    shown: (below) => shown(posix.join(judged.path, below)),
    signal: attempt.signal,
    depth,
    most,
    found: [],
    visited: 0,
    isTruncated: false,
  };
  try {
    const folder = await openJudgedFolder(judged);
    await visit(folder, "", 1, walk);
  } catch (error) {
    if (systemCode(error) === "ENOTDIR") return fileFault("wrong_kind");
    throw error;
  }
  return { status: "success", data: walk.found, truncated: walk.isTruncated } as AnyResult;
}

interface Walk {
  /** Returns whether an entry belongs to the project's credentials or records. */
  readonly isLeftOut: (path: string) => boolean;
  readonly matches: (below: string) => boolean;
  /** Returns a path below the folder as answers show it. */
  readonly shown: (below: string) => string;
  readonly signal: AbortSignal;
  readonly depth: number;
  readonly most: number;
  readonly found: FileEntry[];
  visited: number;
  isTruncated: boolean;
}

/** Visits an open folder, and closes it. */
async function visit(folder: OpenParent, below: string, level: number, walk: Walk): Promise<void> {
  try {
    if (level > walk.depth) return;
    for (const name of await namesIn(folder, walk)) {
      walk.signal.throwIfAborted();
      if (walk.isTruncated) return;
      await visitEntry(folder, name, { below: posix.join(below, name), level }, walk);
    }
  } finally {
    await folder.close();
  }
}

async function visitEntry(
  folder: OpenParent,
  name: string,
  { below, level }: { readonly below: string; readonly level: number },
  walk: Walk,
): Promise<void> {
  // Another process may remove entries meanwhile.
  const found = await fs.lstat(folder.at(name)).catch(() => undefined);
  if (found === undefined) return;
  if (walk.matches(below)) {
    if (walk.found.length >= walk.most) {
      walk.isTruncated = true;
      return;
    }
    walk.found.push(entryOf(walk.shown(below), found));
  }
  if (!found.isDirectory() || level >= walk.depth) return;
  const inner = await openBelow(folder, name).catch((error: unknown) => {
    const code = systemCode(error);
    // A folder that became a link, went away, or may not be read, has no entries to show.
    if (code !== undefined) return undefined;
    throw error;
  });
  if (inner !== undefined) await visit(inner, below, level + 1, walk);
}

async function namesIn(folder: OpenParent, walk: Walk): Promise<readonly string[]> {
  await folder.check();
  const names: string[] = [];
  for await (const { name } of await fs.opendir(folder.at("."))) {
    walk.visited += 1;
    if (walk.visited > mostVisited) {
      walk.isTruncated = true;
      break;
    }
    if (!isBeside(name) && !walk.isLeftOut(posix.join(folder.path, name))) names.push(name);
  }
  return names.toSorted();
}
