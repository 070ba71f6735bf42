import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import picomatch from "picomatch";
import { filesOfSettings } from "../../bindings/kind-settings.js";
import { ignored, parseConfig } from "../../compiler/config/parse-config.js";
import { configFileName } from "../../compiler/read/find-root.js";
import { maxBytes } from "../../compiler/read/read-file.js";
import type { ProjectConfig } from "../../core/project.js";
import { CommandFailure } from "../exit.js";
import { type BlobEntry, filesOf, readBlobs, type Repository } from "./git.js";
import { writeEntries } from "./write-entries.js";

/** Files of a project in a commit. */
export interface RevisionFiles {
  readonly repository: Repository;
  /** The user's name for the revision. */
  readonly name: string;
  readonly entries: readonly BlobEntry[];
  /** Settings in the commit's skillc.yaml. */
  readonly config: ProjectConfig;
}

/** @param written the user's name for the revision */
export async function readRevision(
  repository: Repository,
  commit: string,
  written: string,
): Promise<RevisionFiles> {
  const entries = await filesOf(repository, commit);
  const { prefix } = repository;
  if (prefix !== "" && entries.length === 0)
    throw CommandFailure.input(
      `\`${written}\` has no folder \`${prefix.replace(/\/$/, "")}\``,
      "name a revision that has the project where it is now",
    );
  const file = entries.find(({ path }) => path === configFileName);
  if (file?.kind === "link")
    throw CommandFailure.input(
      `\`${configFileName}\` of \`${written}\` is a link, which skillc does not follow`,
      "check the revision out and name its folder",
    );
  const text = file && (await textOf({ repository, entries }, configFileName));
  const config = parseConfig(
    text === undefined ? undefined : { path: configFileName, text },
    ignored,
  );
  return { repository, name: written, entries, config };
}

/** Text of one file; undefined if the commit doesn't have it. */
export async function textOf(
  { entries, repository }: Pick<RevisionFiles, "entries" | "repository">,
  path: string,
): Promise<string | undefined> {
  const entry = entries.find((each) => each.path === path && each.kind === "file");
  if (entry === undefined) return undefined;
  const blobs = await readBlobs(repository, [entry.id]);
  return blobs.get(entry.id)?.toString("utf8");
}

/**
 * Writes the commit's files of skills to a temporary folder, runs `work` on it, and removes it.
 * Reading the folder gives the same result as a checkout. No code of the commit is run.
 */
export async function withFiles<Result>(
  revision: RevisionFiles,
  work: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "skillc-compare-")));
  try {
    await writeWanted(root, revision);
    return await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Limit of the files that are in memory at once, in bytes. */
const maxTotalBytes = 256 * 1024 * 1024;

async function writeWanted(
  root: string,
  { config, entries, name, repository }: RevisionFiles,
): Promise<void> {
  const wanted = entries.filter(({ path }) => isOrdinary(path)).filter(mayMatterTo(config));
  // Larger files are skipped: their readers reject them, whatever the content.
  const readable = wanted.filter(({ size }) => size <= maxBytes);
  const total = readable.reduce((sum, { size }) => sum + size, 0);
  if (total > maxTotalBytes)
    throw CommandFailure.input(
      `the revision's skills are more than ${maxTotalBytes / 1024 / 1024} MiB`,
      "check the revision out and name its folder",
    );
  const blobs = await readBlobs(
    repository,
    readable.map(({ id }) => id),
  );
  writeEntries(root, wanted, blobs, name);
}

/** Checks a path. A path that is not UTF-8, or not valid on every system, belongs to no skill. */
function isOrdinary(path: string): boolean {
  return !/[\\\ufffd]/.test(path);
}

/** Selects files of the skills folder, and files that settings name. It may select too many. */
function mayMatterTo(config: ProjectConfig): (entry: BlobEntry) => boolean {
  const bases = filesOfSettings(config).map((each) => picomatch.scan(each).base);
  const places = [config.skills, ...bases].map((each) => posix.normalize(each).replace(/\/$/, ""));
  return ({ path }) =>
    path === configFileName ||
    (!path.split("/").includes("node_modules") &&
      places.some((each) => each === "." || path === each || path.startsWith(`${each}/`)));
}
