/** Effects as an approver sees them: complete, short, and without secrets. */
import { isUtf8 } from "node:buffer";
import { relative } from "node:path";
import { openJudged } from "../../../../runtime/files/open-judged.js";
import { readUpTo } from "../../../../runtime/files/regular-file.js";
import type { EntryState } from "../../../../runtime/rollback/backups/entry-state.js";
import type { TreeChange } from "../../../../runtime/rollback/backups/tree-change.js";
import type {
  ShownEffect,
  TrialDetails,
  TrialOptions,
} from "../../../../runtime/rollback/trial.js";
import { isIn } from "../../../../runtime/files/project-secrets.js";
import { UnusableEffects } from "./unusable-effects.js";

/** Maximum number of effects in a request. */
const maxShown = 1000;

/** Maximum size of a file whose text is compared, in bytes. */
const maxTextBytes = 64 * 1024;

/** Maximum size of all diffs of a request, in characters. */
const maxDiffs = 64 * 1024;

/** Maximum number of changed lines of a diff. Beyond, comparing takes too long. */
const maxEdits = 2000;

/**
 * Shows effects. A folder that is deleted as a whole is one effect, which counts its files.
 *
 * @param effects a folder comes before its entries
 * @param directory the project's folder
 * @throws UnusableEffects if there are more deletions than an approver can see
 */
export async function showEffects(
  effects: readonly TreeChange[],
  directory: string,
  options: TrialOptions,
): Promise<Pick<TrialDetails, "effects" | "more">> {
  const folded = foldDeletions(effects);
  const deleted = folded.filter(({ effect }) => isDeletion(effect));
  if (deleted.length > maxShown)
    throw new UnusableEffects(
      `it deletes in more than ${maxShown} places, which nobody could review`,
    );
  const others = folded.filter(({ effect }) => !isDeletion(effect));
  const room = maxShown - deleted.length;
  const kept = new Set([...deleted, ...others.slice(0, room)]);
  const compare = options.hidesContent ? undefined : await comparer(options);
  const shown: ShownEffect[] = [];
  let diffRoom = maxDiffs;
  for (const each of folded.filter((one) => kept.has(one))) {
    const diff = (compare && (await compare(each.effect))) ?? "";
    const isShown = diff !== "" && diff.length <= diffRoom;
    if (isShown) diffRoom -= diff.length;
    shown.push({ ...describe(each, directory, options), ...(isShown && { diff }) });
  }
  const more = others.length - Math.min(room, others.length);
  return { effects: shown, ...(more > 0 && { more }) };
}

/** An effect, with the number and size of the files that are deleted together with it. */
interface Folded {
  readonly effect: TreeChange;
  files: number;
  bytes: number;
}

function foldDeletions(effects: readonly TreeChange[]): readonly Folded[] {
  const folded: Folded[] = [];
  let around: Folded | undefined;
  for (const effect of effects) {
    const bytes = effect.from.kind === "file" ? effect.from.bytes : 0;
    if (around !== undefined && isIn(around.effect.path, effect.path)) {
      if (effect.from.kind !== "folder") around.files += 1;
      around.bytes += bytes;
      continue;
    }
    const each: Folded = { effect, files: 0, bytes };
    folded.push(each);
    around = isDeletedFolder(effect) ? each : undefined;
  }
  return folded;
}

function isDeletion(effect: TreeChange): boolean {
  return effect.to.kind === "absent" || isDeletedFolder(effect);
}

/** A folder that is replaced by something else is deleted with all that it has. */
function isDeletedFolder({ from, to }: TreeChange): boolean {
  return from.kind === "folder" && to.kind !== "folder";
}

function describe(
  { bytes, effect, files }: Folded,
  directory: string,
  { shown }: TrialOptions,
): Omit<ShownEffect, "diff"> {
  const { from, path, to } = effect;
  const inside = isIn(directory, path) ? relative(directory, path) || "." : path;
  const before = isDeletedFolder(effect)
    ? `a folder with ${files} ${files === 1 ? "file" : "files"} of ${bytes} bytes`
    : wordsOf(from);
  const change = from.kind === "absent" ? "created" : to.kind === "absent" ? "deleted" : "changed";
  const what =
    change === "created"
      ? `${wordsOf(to)}, mode ${modeOf(to)}`
      : change === "deleted"
        ? before
        : `${before} becomes ${wordsOf(to)}${modeChange(from, to)}`;
  return { change, path: shown(inside), what: shown(what) };
}

function wordsOf(state: EntryState): string {
  switch (state.kind) {
    case "file":
      return `a file of ${state.bytes} bytes`;
    case "folder":
      return "a folder";
    case "link":
      return `a link to \`${state.target}\``;
    default:
      return "nothing";
  }
}

function modeOf(state: EntryState): string {
  return "mode" in state ? state.mode.toString(8) : "";
}

function modeChange(from: EntryState, to: EntryState): string {
  const [before, after] = [modeOf(from), modeOf(to)];
  return before === after || from.kind === "link" || to.kind === "link"
    ? ""
    : `, mode ${before} becomes ${after}`;
}

/** Returns a function that compares texts; undefined if the package `diff` is not installed. */
async function comparer({
  shown,
}: TrialOptions): Promise<((effect: TreeChange) => Promise<string | undefined>) | undefined> {
  const diff = await import("diff").catch(() => undefined);
  if (diff === undefined) return undefined;
  return async ({ from, path, source, to }) => {
    if (to.kind !== "file" || source === undefined) return undefined;
    const after = textIn(readUpTo(source, maxTextBytes, { links: false }));
    const before = from.kind === "file" ? textIn(await readJudged(path)) : "";
    if (before === undefined || after === undefined) return undefined;
    // A diff divides a secret of several lines, so nobody could find the secret in the diff.
    const [old, now] = [shown(before), shown(after)];
    const patch = diff.structuredPatch("", "", old, now, "", "", { maxEditLength: maxEdits });
    return patch?.hunks
      .flatMap(({ lines, newLines, newStart, oldLines, oldStart }) => [
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
        ...lines,
      ])
      .join("\n");
  };
}

async function readJudged(path: string): Promise<Buffer | undefined> {
  const handle = await openJudged({ path });
  try {
    const { size } = await handle.stat();
    return size > maxTextBytes ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Returns undefined if the bytes are no text. */
function textIn(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || !isUtf8(bytes) || bytes.includes(0)) return undefined;
  return bytes.toString("utf8");
}
