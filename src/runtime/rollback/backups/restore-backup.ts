/** Restores what a call has replaced, from its copies. */
import fs from "node:fs";
import { basename, dirname, join, posix, resolve } from "node:path";
import { plainName } from "../../files/judged-path.js";
import { type OwnFolder, refuseObstacle } from "../../files/own-place.js";
import { isIn } from "../../files/project-secrets.js";
import type { RestoredPath, RestoreOutcome, RestoreRequest } from "../restoring.js";
import type { WayBack } from "../way-back.js";
import { applyChanges, openJournal, type OpenJournal } from "./apply-changes.js";
import { backupsOf, callFolder } from "./backup-folder.js";
import { asFault, type BackupFault } from "./backup-fault.js";
import { Breath } from "./breath.js";
import { copyAt } from "./copies.js";
import { digestFile } from "./copy-file.js";
import { differencesOf, restoringChanges } from "./differences.js";
import { sameContent, type Tree } from "./entry-state.js";
import { openKeeper } from "./keeper.js";
import { scanKept } from "./kept-paths.js";
import { readListing, type StoredListing } from "./listing.js";
import type { TreeChange } from "./tree-change.js";

type Refusal = Extract<RestoreOutcome, { readonly status: "refused" }>;

/**
 * Restores files, links and folders as they were before a call: all of them, or none. Changes that a
 * killed process has begun are ended first.
 *
 * @throws the signal's reason, before the first change
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreOutcome> {
  // The project's folder may be reached through links.
  const directory = fs.realpathSync.native(request.directory);
  const backups = backupsOf(directory);
  try {
    const listing = readListing(backups, request.call);
    if (listing === undefined)
      return refused("no-copies", "there are no copies: the call made none, or they were pruned");
    const fault = faultOf(listing, request, directory);
    if (fault !== undefined) return fault;
    const journal = await openJournal(backups, request.call);
    try {
      return await restore({ request, directory, backups, listing, journal });
    } finally {
      journal.release();
    }
  } catch (error) {
    const fault = asFault(error);
    if (fault === undefined) throw error;
    return outcomeOf(fault, directory);
  }
}

interface Restore {
  readonly request: RestoreRequest;
  readonly directory: string;
  readonly backups: OwnFolder;
  readonly listing: StoredListing;
  readonly journal: OpenJournal;
}

function faultOf(
  { isOwn, roots, sha256 }: StoredListing,
  { force, sha256: expected }: RestoreRequest,
  directory: string,
): Refusal | undefined {
  if (expected !== undefined && expected !== sha256)
    return refused("changed-copies", "somebody changed the list of the copies");
  if (isOwn) return undefined;
  const origin = "the copies belong to another project folder, of which this one is a copy";
  if (force !== true) return refused("changed-copies", origin);
  // Somebody's repository may name any path.
  const outer = roots.find((each) => !isIn(directory, each));
  return outer === undefined
    ? undefined
    : refused("changed-copies", `${origin}; \`${outer}\` is outside of the project's folder`);
}

async function restore(at: Restore): Promise<RestoreOutcome> {
  const { backups, directory, journal, listing, request } = at;
  const mark = posix.join(callFolder(backups, request.call), "restored.json");
  refuseObstacle(backups.root, mark, "file");
  const { recovered } = journal;
  if (fs.existsSync(join(backups.root, mark)))
    return refused(
      "rolled-back",
      recovered === "completed"
        ? "an earlier rollback of it was interrupted, and is complete now"
        : "it was rolled back before",
    );
  const chosen = chosenPaths(at);
  if (chosen !== undefined && "status" in chosen) return chosen;
  const isChosen = (path: string): boolean =>
    chosen === undefined || chosen.some((each) => isIn(each, path));
  const now = await presentTree(at, isChosen);
  const states = { now, before: only(listing.before, isChosen), left: leftOf(listing, isChosen) };
  const differences = request.force === true ? [] : differencesOf(states);
  if (differences.length > 0)
    return {
      status: "conflict",
      differences: differences.map(({ path, what }) => ({
        path: plainName(path, directory),
        what,
      })),
    };
  const copies = join(backups.root, callFolder(backups, request.call));
  const changes = restoringChanges(states, (sha256) => copyAt(copies, sha256));
  if (request.paths !== undefined && changes.length === 0)
    return refused("unknown-path", "these paths are as they were before the call");
  if (request.dryRun === true) return restored(at, changes, {});
  request.signal?.throwIfAborted();
  return apply(at, changes, request.paths === undefined ? mark : undefined);
}

/** Restores, after it has kept what it replaces. */
async function apply(
  at: Restore,
  changes: readonly TreeChange[],
  mark: string | undefined,
): Promise<RestoreOutcome> {
  const { directory, journal, listing, request } = at;
  const { by } = request;
  let wayBack: WayBack | undefined;
  const keeper = openKeeper({
    directory,
    call: by,
    maxBytes: request.maxBytes,
    strategy: listing.strategy,
    note: (kept) => (wayBack = kept),
  });
  const paths = changes.map(({ path }) => path);
  await keeper.copyEntries(paths);
  const roots = listing.isListed ? topsOf(paths) : listing.roots;
  const options = {
    roots,
    signal: request.signal,
    ...(mark !== undefined && { mark: { path: mark, text: JSON.stringify({ by }) } }),
  };
  try {
    const { ownersLeft } = await applyChanges(journal, changes, options);
    await keeper.leftAs(new Map(changes.map(({ path, to }) => [path, to])));
    return restored(at, changes, { wayBack, ownersLeft });
  } catch (error) {
    if (asFault(error)?.problem !== "half-done") keeper.discard();
    throw error;
  }
}

function topsOf(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return paths.filter((each) => !all.has(dirname(each)));
}

function restored(
  { directory, journal }: Restore,
  changes: readonly TreeChange[],
  {
    ownersLeft = 0,
    wayBack,
  }: { readonly ownersLeft?: number; readonly wayBack?: WayBack | undefined },
): RestoreOutcome {
  const separated = changes.filter(({ to }) => to.kind === "file" && to.names !== undefined).length;
  return {
    status: "restored",
    changes: changes.flatMap((each) => shown(each, directory)),
    ...(wayBack !== undefined && { wayBack }),
    ...(journal.recovered !== undefined && { recovered: journal.recovered }),
    ...(ownersLeft > 0 && { ownersLeft }),
    ...(separated > 0 && { separated }),
  };
}

/** Changes of times alone are not worth a line. */
function shown({ from, path, to }: TreeChange, directory: string): readonly RestoredPath[] {
  if (sameContent(from, to)) return [];
  const change = from.kind === "absent" ? "created" : to.kind === "absent" ? "removed" : "restored";
  return [{ path: plainName(path, directory), change }];
}

/** Returns the absolute paths that the request names; undefined for all. */
function chosenPaths({
  directory,
  listing,
  request,
}: Restore): readonly string[] | Refusal | undefined {
  const { paths } = request;
  if (paths === undefined) return undefined;
  const chosen = paths.map((path) => withRealParent(resolve(directory, path)));
  const known = [...listing.before.keys(), ...(listing.left ?? new Map<string, never>()).keys()];
  const unknown = chosen.findIndex((path) => !known.some((each) => isIn(path, each)));
  return unknown === -1
    ? chosen
    : refused("unknown-path", `the call has kept no copy of \`${paths[unknown]}\``);
}

function withRealParent(path: string): string {
  try {
    return join(fs.realpathSync.native(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

/** Reads the present states of what the call has kept. */
async function presentTree(
  { directory, listing }: Restore,
  isChosen: (path: string) => boolean,
): Promise<Tree> {
  const breath = new Breath();
  const content = (fd: number) => digestFile(fd, breath);
  return only(await scanKept(directory, listing, { breath, content }), isChosen);
}

/** Returns the states after the call; undefined if nobody knows them. */
function leftOf(
  { before, left }: StoredListing,
  isChosen: (path: string) => boolean,
): Tree | undefined {
  return left && only(new Map([...before, ...left]), isChosen);
}

function only(tree: Tree, isChosen: (path: string) => boolean): Tree {
  return new Map([...tree].filter(([path]) => isChosen(path)));
}

function refused(reason: Refusal["reason"], message: string): Refusal {
  return { status: "refused", reason, message };
}

function outcomeOf({ message, paths, problem }: BackupFault, directory: string): RestoreOutcome {
  if (problem === "half-done") return { status: "half-done", message };
  const shownPaths = paths.map((path) => plainName(path, directory));
  if (problem === "differs" && paths.length > 0)
    return {
      status: "conflict",
      differences: shownPaths.map((path) => ({ path, what: message })),
    };
  const at = shownPaths.length === 0 ? "" : `: \`${shownPaths.join("`, `")}\``;
  if (problem === "missing") return refused("no-copies", message);
  return refused(problem === "damaged" ? "changed-copies" : "not-possible", message + at);
}
