/** The target folder of an import, and its existing files. */
import { lstatSync, readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { readRegularFile, systemCode } from "@skillc/runtime/internal";
import { maxBytes } from "../../compiler/read/read-file.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Present } from "../../import/again/draft-writes.js";
import {
  type ImportKind,
  importsFolder,
  readStored,
  type StoredImport,
} from "../../import/again/stored-import.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { CommandFailure } from "../exit.js";
import { readSettings } from "../project/read-settings.js";

/**
 * Returns the chosen skills folder, relative to the project.
 *
 * @param into argument of the command line
 */
export async function skillsFolder(
  { directory }: CommandContext,
  root: string,
  into: string | undefined,
): Promise<string> {
  if (into === undefined) return (await readSettings(root)).skills;
  const folder = relative(root, join(isAbsolute(into) ? "" : directory, into)).replaceAll(sep, "/");
  if (folder === "" || folder.startsWith("..") || isAbsolute(folder))
    throw CommandFailure.usage(
      `\`${visible(into)}\` is not a folder below the project's folder`,
      "name the skills folder: `--into skills`",
    );
  return posix.normalize(folder);
}

/** Ending of compressed files. */
export const zipped = ".gz";

/** Decompresses a file. Returns no bytes if the file is damaged or too large. */
function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Lists earlier imports of a kind into the folder, by their records. */
export function importedBefore(
  root: string,
  folder: string,
  kind: ImportKind,
): readonly (StoredImport & { readonly name: string })[] {
  return importsIn(root, folder, presentIn(root, folder, "").read).filter(
    (each) => each.kind === kind,
  );
}

function importsIn(
  root: string,
  folder: string,
  read: Present["read"],
): readonly (StoredImport & { readonly name: string })[] {
  const place = join(root, folder, importsFolder);
  const isThere = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const names = isThere
    ? readdirSync(place, { withFileTypes: true }).filter((each) => each.isDirectory())
    : [];
  return names
    .map(({ name }) => name)
    .toSorted()
    .flatMap((name) => {
      const stored = readStored(name, read);
      return stored === undefined || stored === "broken" ? [] : [{ ...stored, name }];
    });
}

/**
 * Lists files of tools and schemas, relative to the folder. Skips folders that start with a dot.
 */
function filesBelow(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:yaml|json|md)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !/(?:^|\/)\./.test(path));
}

/**
 * Reads a skills folder.
 *
 * @param texts receives all texts, to show places in them
 */
export function presentIn(
  root: string,
  folder: string,
  origin: string,
  texts: Map<string, SourceFile> = new Map(),
): Present {
  const nameOf = (path: string): string => posix.join(folder, path);
  let imports: ReturnType<typeof importsIn> | undefined;
  const present: Present = {
    nameOf,
    origin,
    files: () => filesBelow(join(root, folder)),
    importOf: (path) =>
      (imports ??= importsIn(root, folder, present.read)).find(({ base }) => base.has(path))?.name,
    read(path) {
      const name = nameOf(path);
      try {
        const bytes = readRegularFile(join(root, name), { links: false });
        const text = (name.endsWith(zipped) ? unzipped(bytes) : bytes).toString("utf8");
        texts.set(name, { path: name, text });
        return text;
      } catch (error) {
        const code = systemCode(error);
        if (code === "ENOENT" || code === "ENOTDIR") return undefined;
        if (code === undefined) throw error;
        throw CommandFailure.input(`\`${visible(name)}\` can't be read: ${code}`);
      }
    },
  };
  return present;
}
