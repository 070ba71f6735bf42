import { posix } from "node:path";
import { readRegularFile } from "@skillc/runtime/internal";
import { type Code, piecesOf, printCode } from "../../core/code.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import type { OutputFile } from "../../core/output.js";
import type { Span } from "../../core/span.js";
import { openProgram, type ProgramFault, type TypeProgram } from "./open-program.js";
import { wordsOf } from "./read-back.js";

/** Settings of the type check, which match the user's own `tsc`. */
export interface TypeCheckSettings {
  /** Absolute path of the output folder, with `/`. */
  readonly outFolder: string;
  /** `compilerOptions` as in tsconfig.json, with absolute paths. */
  readonly compilerOptions: JsonObject;
}

export interface Checked {
  readonly file: OutputFile;
  readonly draft: Code;
}

/** TypeScript's message about a module. */
export interface TypeFault extends ProgramFault {
  /** Path of the module, below the output folder. */
  readonly path: string;
}

/** A type problem of a module. */
export interface TypeProblem {
  /** Path of the module, below the output folder. */
  readonly path: string;
  /** Diagnostic at the author's line that caused the code. */
  readonly diagnostic: UnratedDiagnostic;
}

/**
 * Type-checks new modules with everything that they import.
 *
 * @param fresh modules to check
 * @param all every generated file, for imports
 */
export async function checkTypes(
  fresh: readonly Checked[],
  all: readonly OutputFile[],
  settings: TypeCheckSettings,
): Promise<readonly TypeProblem[]> {
  const modules = new Map(fresh.map((each) => [each.file.path, each]));
  const faults = await findTypeFaults(
    [...modules.values()].map(({ file }) => file),
    all,
    settings,
  );
  return faults.flatMap((fault) => {
    const module = modules.get(fault.path);
    return module === undefined ? [] : [typeProblem(module, fault)];
  });
}

/** Finds problems in texts alone, with offsets in the texts. */
export async function findTypeFaults(
  fresh: readonly OutputFile[],
  all: readonly OutputFile[],
  settings: TypeCheckSettings,
): Promise<readonly TypeFault[]> {
  if (fresh.length === 0) return [];
  try {
    return await askOnce(fresh, all, settings);
  } catch {
    // A terminal's signal also ends the TypeScript process, while this one finishes its work.
    return askOnce(fresh, all, settings);
  }
}

async function askOnce(
  fresh: readonly OutputFile[],
  all: readonly OutputFile[],
  settings: TypeCheckSettings,
): Promise<readonly TypeFault[]> {
  const program = programOf(fresh, all, settings);
  try {
    return fresh.flatMap(({ path }) =>
      program.faultsIn(`${settings.outFolder}/${path}`).map((fault) => ({ ...fault, path })),
    );
  } finally {
    await program.close();
  }
}

/** Converts a fault to a problem at the author's line that caused the code. */
export function typeProblem(checked: Checked, { path, says, start }: TypeFault): TypeProblem {
  const diagnostic: UnratedDiagnostic = {
    code: "generate/type-error",
    span: placeOf(checked, start),
    message: `the generated \`${path}\` does not type-check: ${says}`,
    help: "skillc made the code from this place; if the text here is correct, please report a bug of skillc",
  };
  return { path, diagnostic };
}

/**
 * Options of generated modules, which use neither Node.js nor the DOM. Loading those declarations
 * would take longer than all the rest.
 */
const ownOptions: JsonObject = {
  types: [],
  lib: ["es2023"],
  noEmit: true,
  skipLibCheck: true,
  incremental: false,
  composite: false,
};

/** Opens a program of the new modules and their imports. The output may not be on disk yet. */
function programOf(
  fresh: readonly OutputFile[],
  all: readonly OutputFile[],
  { compilerOptions, outFolder }: TypeCheckSettings,
): TypeProgram {
  const texts = Array.from(textsOf(fresh, all), ([path, text]): [string, string] => [
    `${outFolder}/${path}`,
    text,
  ]);
  const options = { ...compilerOptions, ...ownOptions };
  return openProgram(outFolder, new Map(texts), options, packageOfModules(outFolder));
}

/**
 * Makes a package.json of ES modules for the output. The user's `type` is ignored, because
 * generated code is also for bundlers and loaders, which ignore it too.
 */
function packageOfModules(outFolder: string): ReadonlyMap<string, string> {
  for (let folder = outFolder; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, "package.json");
    const found = packageAt(path);
    if (found !== undefined) return new Map([[path, JSON.stringify({ ...found, type: "module" })]]);
    if (folder === posix.dirname(folder))
      return new Map([[posix.join(outFolder, "package.json"), '{ "type": "module" }']]);
  }
}

function packageAt(path: string): JsonObject | undefined {
  try {
    // JSON.parse returns a JSON value.
    const found = JSON.parse(readRegularFile(path).toString("utf8")) as JsonValue;
    return isJsonObject(found) ? found : {};
  } catch (error) {
    return error instanceof SyntaxError ? {} : undefined;
  }
}

/**
 * Collects the full texts of the files, and the declarations of all their imports from the output.
 */
function textsOf(
  fresh: readonly OutputFile[],
  all: readonly OutputFile[],
): ReadonlyMap<string, string> {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const texts = new Map(fresh.map(({ path, text }) => [path, text]));
  for (const [path, text] of texts) {
    for (const [, specifier = ""] of text.matchAll(
      /(?: from |\bimport\(\s*)["'](\.[^"']+)\.js["']/g,
    )) {
      const found = byPath.get(posix.join(posix.dirname(path), `${specifier}.ts`));
      if (found !== undefined && !texts.has(found.path))
        texts.set(found.path, declarationsOf(found.text));
    }
  }
  return texts;
}

/**
 * Returns the declarations that importers of an unchecked module see. In unchecked files
 * (validators and catalogs, by far the largest part of the output), these are the annotations of
 * their exports, each on one line. In a tool's module, the contract is private and the largest
 * part. Nothing else in the module imports the validators.
 */
function declarationsOf(text: string): string {
  if (!unchecked.test(text)) {
    const found = contract.exec(text)?.[0];
    // Templates contain author text, which may have any lines.
    if (found === undefined || found.includes("`")) return text;
    return text.replace(found, "").replace(validatorImport, "");
  }
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const found = /^export const (\w+): (.+?) = /.exec(line);
    if (found !== null) return [`export declare const ${found[1]}: ${found[2]};`];
    return line.startsWith("import ") ? [line] : [];
  });
  return lines.join("\n");
}

/** Matches a module with `@ts-nocheck` below its header. */
const unchecked = /^\/\/ .*\r?\n\r?\n\/\/ @ts-nocheck/;

/** Matches the contract in the form of the template and prettier. */
const contract = /^const \w+ = defineTool<[^]*?^\}\);?$/m;
const validatorImport = /^import \{[^}]*\} from ["'][^"']*\.validate\.js["'];?$/gm;

/**
 * Finds the author's place for an offset of the file: that of the same word in the draft, or of the
 * nearest word before it.
 */
function placeOf({ file, draft }: Checked, offset: number): Span {
  const fromEnd = wordsOf(file.text)
    .toReversed()
    .findIndex((word) => word.start <= offset);
  // The file has words of the header before those of the draft, so words pair up from the end.
  const start = wordsOf(printCode(draft)).at(-1 - fromEnd)?.start ?? 0;
  let end = 0;
  let place: Span | undefined;
  for (const piece of piecesOf(draft)) {
    place = piece.span ?? place;
    end += piece.text.length;
    if (start < end) break;
  }
  return place ?? { file: file.path, start: 0, end: 0 };
}
