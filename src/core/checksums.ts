import { posix } from "node:path";
import { shortHash, shortLength } from "./hash.js";
import { hashOfOutput, type OutputFile } from "./output.js";
import { compareText } from "./report.js";

/**
 * Checksums of generated files when they were written, by path below the output folder. They reveal
 * edits by hand. After a merge that kept both sides' lines, a file has two checksums.
 */
export type Checksums = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The file of each folder that holds the checksums of the others in it; those of `databases/` stand
 * in the output folder's own.
 */
export const versionsFile = "versions.ts";

/** Checksum of a text with line feeds, because git may change line ends. */
export function checksumOf(text: string): string {
  return shortHash(text.replaceAll("\r\n", "\n"));
}

/** Computes the checksums of files, by path. */
export function checksumsOf(files: readonly OutputFile[]): ReadonlyMap<string, string> {
  return new Map(files.map((file) => [file.path, checksumOfFile(file)]));
}

function checksumOfFile(file: OutputFile): string {
  const { text } = file;
  return text.includes("\r\n") ? checksumOf(text) : hashOfOutput(file).slice(0, shortLength);
}

/**
 * Checksums as lines, sorted, one for files that differ in their endings alone, as a tool's do:
 * `get-order .ts 9c56cc51b374c3ba .validate.ts 2c624232cc4e1d5a`.
 *
 * @param folder which the paths are written from; empty for the output folder
 */
export function checksumLines(
  folder: string,
  checksums: ReadonlyMap<string, string>,
): readonly string[] {
  const lines = new Map<string, string>();
  for (const [path, checksum] of [...checksums].toSorted(([a], [b]) => compareText(a, b))) {
    const [stem, ending] = partsOf(posix.relative(folder, path));
    lines.set(stem, `${lines.get(stem) ?? stem} ${ending} ${checksum}`);
  }
  return [...lines.values()];
}

function partsOf(path: string): readonly [stem: string, ending: string] {
  const dot = path.indexOf(".", path.lastIndexOf("/"));
  return dot === -1 ? [path, noEnding] : [path.slice(0, dot), path.slice(dot)];
}

/** Reads the checksums in the output folder. Other lines, such as merge markers, are skipped. */
export function readChecksums(output: ReadonlyMap<string, string>): Checksums {
  const found = new Map<string, Set<string>>();
  for (const [path, text] of output) {
    if (posix.basename(path) !== versionsFile) continue;
    for (const [, stem = "", rest = ""] of text.matchAll(line)) {
      for (const [, ending = "", checksum = ""] of rest.matchAll(/ (\.\S*) ([0-9a-f]{16})/g)) {
        const name = stem + (ending === noEnding ? "" : ending);
        const file = posix.join(posix.dirname(path), name);
        found.set(file, (found.get(file) ?? new Set()).add(checksum));
      }
    }
  }
  return found;
}

const line = /^ \* (\S+)((?: \.\S* [0-9a-f]{16})+)$/gm;

/** Ending of a copied file whose name has no dot. */
const noEnding = ".";
