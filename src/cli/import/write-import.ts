/** Writes the draft of an import, or compares the draft with the files in the project. */
import { posix, relative } from "node:path";
import { gzipSync } from "node:zlib";
import type { ReportLog } from "../../core/report.js";
import type { ImportDraft } from "../../import/again/draft-import.js";
import type { Present, WritesDraft } from "../../import/again/draft-writes.js";
import { importsFolder } from "../../import/again/stored-import.js";
import { visible } from "../console/visible.js";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";
import { writeFiles } from "../output/write-files.js";
import { zipped } from "./import-folder.js";
import { completeWrites, pendingSteps } from "../output/write-journal.js";
import { WriteFailure } from "../output/write-output.js";

/**
 * Reports each file that the import would write or remove, as an error. @param command the command
 * that writes it
 */
export function reportDrift(
  { writes }: Pick<ImportDraft, "writes">,
  { nameOf, origin }: Present,
  command: string,
  report: ReportLog,
): void {
  const paths = [...writes.changed.keys(), ...writes.removed];
  for (const path of paths.filter((each) => !each.startsWith(`${importsFolder}/`))) {
    const isNew = writes.added.has(path);
    const isGone = writes.removed.includes(path);
    report.add({
      code: "import/out-of-date",
      span: { file: nameOf(path), start: 0, end: 0 },
      message: isGone
        ? `${origin} no longer has this, so an import would remove the file`
        : `this file ${isNew ? "is missing" : "is out of date"}`,
      help: `run \`${command}\``,
    });
  }
}

/**
 * Reports the remaining steps of a killed import, as errors. @param command the command that
 * completes them
 */
export function reportCutShort(
  root: string,
  folder: string,
  command: string,
  report: ReportLog,
): void {
  const pending = orSayWhatIsInTheWay(() => pendingSteps(root, folder));
  for (const { after, path } of pending)
    report.add({
      code: "import/out-of-date",
      span: { file: path, start: 0, end: 0 },
      message: `an import stopped before it ${after === null ? "removed" : "wrote"} this file`,
      help: `run \`${command}\``,
    });
}

/** Completes killed imports into the folder. */
export function completeImports(root: string, folder: string): void {
  orSayWhatIsInTheWay(() => completeWrites(root, folder));
}

/** Joins the writes of imports that are written together. Two that write one file are an error. */
export function joinWrites(
  drafts: readonly ImportDraft[],
  { nameOf }: Pick<Present, "nameOf">,
  report: ReportLog,
): WritesDraft {
  const changed = new Map<string, string>();
  for (const { writes } of drafts)
    for (const [path, text] of writes.changed) {
      if (changed.has(path) && changed.get(path) !== text)
        report.add({
          code: "import/foreign-file",
          span: { file: nameOf(path), start: 0, end: 0 },
          message: "two documents of this import would write this file",
          help: "import one of them first, with names of its own: `skillc import openapi api.yaml --name crm --prefix crm-`",
        });
      changed.set(path, text);
    }
  const all = drafts.map(({ writes }) => writes);
  return {
    changed,
    removed: all.flatMap(({ removed }) => removed),
    added: new Set(all.flatMap(({ added }) => [...added])),
    foreign: all.flatMap(({ foreign }) => foreign),
    kept: all.flatMap(({ kept }) => kept),
  };
}

/** Writes all files, or none. */
export function writeImport(
  root: string,
  folder: string,
  { writes }: Pick<ImportDraft, "writes">,
): void {
  const at = (path: string): string => posix.join(folder, path);
  const changed = new Map(
    [...writes.changed].map(([path, text]) => [
      at(path),
      path.endsWith(zipped) ? gzipSync(text) : text,
    ]),
  );
  try {
    orSayWhatIsInTheWay(() =>
      writeFiles(root, folder, { changed, removed: writes.removed.map(at) }),
    );
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error;
    const path = visible(relative(root, error.path));
    throw CommandFailure.input(
      `\`${path}\` can't be written: ${error.message.replaceAll(`${root}/`, "")}`,
      "the import changed nothing",
    );
  }
}
