/**
 * The second half of every import. It computes the files to write, and keeps people's edits of the
 * last import (`draft-writes.ts`, file by file `merge-file.ts`, value by value `merge-trees.ts`).
 * It also computes the changes since (`compare-imports.ts`), and the record for the next import
 * (`stored-import.ts`).
 */
import type { CatalogComparison } from "../../compiler/compare-tools/compare-catalogs.js";
import { parseTree } from "../../compiler/parse/parse-json.js";
import { maxBytes } from "../../compiler/read/read-file.js";
import { quote } from "../../core/names.js";
import { collectDiagnostics, type Report } from "../../core/report.js";
import type { SkillFiles } from "../skills/print-files.js";
import { compareImports } from "./compare-imports.js";
import { draftWrites, type Present, type WritesDraft } from "./draft-writes.js";
import {
  basePath,
  type ImportKind,
  type ImportRequest,
  plainBasePath,
  printStored,
  readStored,
  recordPath,
  type StoredImport,
} from "./stored-import.js";

/** The result of an import before it is merged with existing files. */
export interface MadeSkills {
  readonly kind: ImportKind;
  /** Name that identifies the import. */
  readonly name: string;
  readonly request: ImportRequest;
  readonly names: StoredImport["names"];
  readonly files: SkillFiles;
  readonly stored: StoredImport | undefined;
  /** The source, for the error that none of its parts becomes a tool. */
  readonly source: ImportSource;
  /** Advice to import less, or to use other names. */
  readonly help: { readonly fewer: string; readonly otherNames: string };
}

interface ImportSource {
  readonly file: string;
  /** Noun for the parts that become tools, such as `operation of the document`. */
  readonly things: string;
  /** Reasons why parts are left out, if no warnings give them. */
  readonly reasons?: string;
}

export interface ImportDraft {
  readonly writes: WritesDraft;
  /** Changes since the last import; undefined for the first one. */
  readonly changes?: CatalogComparison;
  /**
   * True if a file of a tool would change or be removed. Files of the import's own record don't
   * count.
   */
  readonly isDrift: boolean;
}

/**
 * Reads the last import of that name.
 *
 * @returns undefined if there is none; `unusable`, with an error in `report`, if its record can't
 * be used
 */
export function readLastImport(
  kind: ImportKind,
  name: string,
  { nameOf, read }: Present,
  report: Report,
): StoredImport | "unusable" | undefined {
  const stored = readStored(name, read);
  if (stored === undefined || (stored !== "broken" && stored.kind === kind)) return stored;
  report.add({
    code: "import/broken-record",
    span: { file: nameOf(recordPath(name)), start: 0, end: 0 },
    ...(stored === "broken"
      ? {
          message: "skillc can't read the record of the last import",
          help: "restore the record from the last commit; if you can't, remove its folder and the skills of the import",
        }
      : {
          message: `\`skillc import ${stored.kind}\` already made an import with this name`,
          help: "choose another name with `--name`",
        }),
  });
  return "unusable";
}

const noWrites: WritesDraft = {
  changed: new Map(),
  removed: [],
  added: new Set(),
  foreign: [],
  kept: [],
};

/** @returns undefined, with an error in `report`, if nothing may be written */
export function draftImportedFiles(
  made: MadeSkills,
  present: Present,
  report: Report,
): ImportDraft | undefined {
  const { files, help, kind, name, names, request, source, stored } = made;
  if (files.size === 0) {
    // Otherwise, an import would remove all skills if skillc no longer understood the source.
    report.add({
      code: "import/no-tools",
      span: { file: source.file, start: 0, end: 0 },
      message: `no ${source.things} can become a tool`,
      help: `${source.reasons ?? "the warnings give the reasons"}; the import writes and removes nothing`,
    });
    return { isDrift: false, writes: noWrites };
  }
  const errors = report.errorCount();
  for (const [path, text] of files) checkPrinted(present.nameOf(path), text, help.fewer, report);
  const writes = draftWrites(name, files, stored, present, report);
  for (const path of writes.foreign) {
    const other = present.importOf(path);
    report.add({
      code: "import/foreign-file",
      span: { file: present.nameOf(path), start: 0, end: 0 },
      ...(other === undefined
        ? {
            message: "this file already exists, and no import wrote it",
            help: help.otherNames,
          }
        : {
            message: `the import ${quote(other)} already wrote this file`,
            help: `to update that import, write \`--name ${other}\`; or ${help.otherNames}`,
          }),
    });
  }
  if (report.errorCount() > errors) return undefined;
  const before = stored?.base ?? new Map<string, string>();
  const staying = writes.kept.map((path) => [path, before.get(path) ?? ""] as const);
  const base = new Map([...files, ...staying]);
  const kept = printStored(name, { kind, request, names, base, kept: new Set(writes.kept) });
  const record = withRecord(kept, [...before.keys()], name, present);
  return {
    isDrift: writes.changed.size + writes.removed.length > 0,
    writes: {
      ...writes,
      changed: new Map([...writes.changed, ...record.changed]),
      removed: [...writes.removed, ...record.removed],
    },
    ...(stored && { changes: compareImports(writtenBy(stored), files) }),
  };
}

/** Files of the last import, without those that it kept from earlier imports. */
function writtenBy({ base, kept }: StoredImport): SkillFiles {
  return new Map([...base].filter(([path]) => !kept.has(path)));
}

function withRecord(
  kept: ReadonlyMap<string, string>,
  before: readonly string[],
  name: string,
  { read }: Present,
): {
  readonly changed: readonly (readonly [string, string])[];
  readonly removed: readonly string[];
} {
  return {
    changed: [...kept].filter(([path, text]) => read(path) !== text),
    removed: [
      ...before.map((path) => basePath(name, path)).filter((path) => !kept.has(path)),
      ...before.map((path) => plainBasePath(name, path)),
    ].filter((path) => read(path) !== undefined),
  };
}

/** Rejects files that the compiler could not read. */
function checkPrinted(path: string, text: string, help: string, report: Report): void {
  const found = collectDiagnostics();
  const size = Buffer.byteLength(text);
  if (size <= maxBytes && path.endsWith(".yaml")) parseTree({ path, text }, found.report);
  const [first] = found.diagnostics;
  if (size <= maxBytes && first === undefined) return;
  report.add({
    code: "import/too-large",
    span: { file: path, start: 0, end: 0 },
    message: `${quote(path)} would be too large for the compiler: ${first?.message ?? `the file would have more than ${maxBytes / 1024 / 1024} MiB`}`,
    help,
  });
}
