/**
 * Reads revisions from git. The working tree, the index and the repository are not changed. Only
 * objects are read, without filters, hooks or text conversions, because a repository could make
 * those run programs.
 */
import { CommandFailure } from "../exit.js";
import type { Io } from "../io.js";
import { type GitAnswer, runGit } from "../project/run-git.js";

/** A Git repository, seen from one of its folders. */
export interface Repository {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Path of the folder in the repository: empty, or with a trailing `/`. */
  readonly prefix: string;
  readonly env: Io["env"];
}

/** A file of a revision. */
export interface BlobEntry {
  /** Path relative to the repository's folder. */
  readonly path: string;
  /** `link`: the text of the file is the link's target. */
  readonly kind: "file" | "link";
  readonly id: string;
  /** Size in bytes. */
  readonly size: number;
}

/** A commit and its repository. */
export interface FoundCommit {
  readonly commit: string;
  readonly repository: Repository;
}

/**
 * Finds the commit of a revision; undefined if there is none.
 *
 * @throws CommandFailure if the folder is not in a readable repository, or Git is missing
 */
export async function findCommit(
  folder: string,
  env: Io["env"],
  revision: string,
): Promise<FoundCommit | undefined> {
  const answer = mayBeRevision(revision)
    ? await ask({ folder, env }, [...showPrefix, "--verify", "--quiet", `${revision}^{commit}`])
    : undefined;
  const lines = answer?.kind === "done" ? answer.stdout.toString("utf8").split("\n") : [];
  const commit = lines.at(-2) ?? "";
  if (/^[0-9a-f]{40,64}$/.test(commit))
    return { commit, repository: { folder, env, prefix: lines.slice(0, -2).join("\n") } };
  await failOutsideRepository(folder, env);
  return undefined;
}

const showPrefix = ["rev-parse", "--show-prefix"];

/**
 * Checks a revision. Git would treat a leading `-` as an option, and no revision has the other
 * characters.
 */
function mayBeRevision(text: string): boolean {
  return text !== "" && !/^-|[\0\n]/.test(text);
}

async function failOutsideRepository(folder: string, env: Io["env"]): Promise<void> {
  const answer = await ask({ folder, env }, showPrefix);
  if (answer.kind === "done") return;
  throw CommandFailure.input(
    `git can't read revisions here: ${answer.reason}`,
    "outside a git repository, name folders or files that `skillc catalog --json` printed",
  );
}

/** Lists the files of a commit below the repository's folder, in Git's order. */
export async function filesOf(
  repository: Repository,
  commit: string,
): Promise<readonly BlobEntry[]> {
  const { prefix } = repository;
  const below = prefix === "" ? [] : ["--", prefix];
  const args = ["ls-tree", "-r", "-z", "-l", "--full-tree", commit, ...below];
  const listed = await done(repository, args);
  return listed
    .toString("utf8")
    .split("\0")
    .flatMap((line) => entryOf(line, prefix));
}

/**
 * Parses a line such as `100644 blob <id>    <size>\t<path>`. Skips submodules, which have no files
 * here. If the repository lacks an object, its size is `BAD`, and reading it fails later.
 */
function entryOf(line: string, prefix: string): readonly BlobEntry[] {
  const [, mode = "", id = "", size = "", path = ""] =
    /^(\d{6}) blob ([0-9a-f]+) +(\d+|BAD)\t(.+)$/s.exec(line) ?? [];
  const kinds = { "100644": "file", "100664": "file", "100755": "file", "120000": "link" } as const;
  const kind = Object.entries(kinds).find(([each]) => each === mode)?.[1];
  if (kind === undefined || !path.startsWith(prefix)) return [];
  return [{ path: path.slice(prefix.length), kind, id, size: size === "BAD" ? 0 : Number(size) }];
}

/** Reads the contents of blobs, by id. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Buffer>();
  if (wanted.length === 0) return found;
  const all = await done(repository, ["cat-file", "--batch"], `${wanted.join("\n")}\n`);
  let at = 0;
  while (at < all.length) {
    const end = all.indexOf("\n", at);
    const [id = "", type, size] = all.toString("latin1", at, end).split(" ");
    if (end < 0 || type !== "blob") break;
    const start = end + 1;
    const length = Number(size);
    found.set(id, all.subarray(start, start + length));
    at = start + length + 1;
  }
  const missing = wanted.find((id) => !found.has(id));
  if (missing === undefined) return found;
  throw CommandFailure.input(
    `git has no object ${missing}`,
    "`git fsck` lists missing objects; in a partial clone, check the revision out and name its folder",
  );
}

async function done(
  repository: Repository,
  args: readonly string[],
  input?: string,
): Promise<Buffer> {
  const asked = await ask(repository, args, input);
  if (asked.kind === "done") return asked.stdout;
  throw CommandFailure.input(`\`git ${args[0] ?? ""}\` failed: ${asked.reason}`);
}

function ask(
  { env, folder }: Pick<Repository, "env" | "folder">,
  args: readonly string[],
  input = "",
): Promise<GitAnswer> {
  return runGit({ env, folder, args: ["--literal-pathspecs", ...args], input });
}
