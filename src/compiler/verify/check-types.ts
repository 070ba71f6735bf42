import { posix } from "node:path";
import type { ts as Ts } from "ts-morph";
import { type Code, piecesOf, printCode } from "../../core/code.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { JsonObject } from "../../core/json.js";
import type { OutputFile } from "../../core/output.js";
import type { Span } from "../../core/span.js";
import { Project } from "../../core/typescript-project.js";
import { ts } from "../../core/typescript.js";
import { wordsOf } from "./read-back.js";

/** How the generated code is type-checked: as the user's own `tsc` would see it. */
export interface TypeCheckSettings {
  /** Absolute path of the output folder, with `/`. */
  readonly outFolder: string;
  /** `compilerOptions` as in tsconfig.json; paths in them absolute. */
  readonly compilerOptions: JsonObject;
}

interface Checked {
  readonly file: OutputFile;
  readonly draft: Code;
}

/** What TypeScript says of a module. */
export interface TypeProblem {
  /** Of the module, below the output folder. */
  readonly path: string;
  /** At the author's line that caused the code. */
  readonly diagnostic: UnratedDiagnostic;
}

/**
 * Type-checks new modules with everything that they import.
 *
 * @param fresh the modules to look into
 * @param all every generated file, for imports
 */
export function checkTypes(
  fresh: readonly Checked[],
  all: readonly OutputFile[],
  settings: TypeCheckSettings,
): readonly TypeProblem[] {
  if (fresh.length === 0) return [];
  const program = programOf(fresh, all, settings);
  return fresh.flatMap((each) => {
    const { path } = each.file;
    const source = program.getSourceFile(`${settings.outFolder}/${path}`);
    if (source === undefined) throw new Error(`${path} is not in the program`);
    const problems = program.getSemanticDiagnostics(source);
    return problems.map((problem) => ({ path, diagnostic: diagnosticOf(each, problem) }));
  });
}

/**
 * Generated modules use nothing of Node or the DOM by themselves; loading those declarations would
 * take longer than all the rest.
 */
const ownOptions: Ts.CompilerOptions = {
  types: [],
  lib: ["lib.es2023.d.ts"],
  noEmit: true,
  skipLibCheck: true,
  incremental: false,
  composite: false,
};

/**
 * A program of the new modules and what they import of the output, which may not be on disk yet.
 */
function programOf(
  fresh: readonly Checked[],
  all: readonly OutputFile[],
  settings: TypeCheckSettings,
): Ts.Program {
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    settings.compilerOptions,
    settings.outFolder,
  );
  const problem = errors[0];
  if (problem !== undefined)
    throw new Error(`tsconfig.json: ${ts.flattenDiagnosticMessageText(problem.messageText, " ")}`);
  const inFull = new Set(fresh.map((each) => each.file));
  const texts = Array.from(withImports(fresh, all), (file): [string, string] => [
    `${settings.outFolder}/${file.path}`,
    inFull.has(file) ? file.text : declarationsOf(file.text),
  ]);
  return createProgram(new Map(texts), { ...options, ...ownOptions });
}

/** The files and, transitively, all that they import of the output. */
function withImports(fresh: readonly Checked[], all: readonly OutputFile[]): Iterable<OutputFile> {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const reached = new Set(fresh.map((each) => each.file));
  for (const file of reached) {
    for (const [, specifier = ""] of file.text.matchAll(
      /(?: from |\bimport\(\s*)["'](\.[^"']+)\.js["']/g,
    )) {
      const found = byPath.get(posix.join(posix.dirname(file.path), `${specifier}.ts`));
      if (found !== undefined) reached.add(found);
    }
  }
  return reached;
}

/**
 * What importers see of a module that is not to be checked itself. Of another library's code (Ajv's
 * is by far the largest part of the output) that is the annotations of its exports; each of its
 * statements stands on a line of its own.
 */
function declarationsOf(text: string): string {
  if (!text.includes("\n// @ts-nocheck")) return text;
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const found = /^export const (\w+): (.+?) = /.exec(line);
    if (found !== null) return [`export declare const ${found[1]}: ${found[2]};`];
    return line.startsWith("import ") ? [line] : [];
  });
  return lines.join("\n");
}

function diagnosticOf(checked: Checked, problem: Ts.Diagnostic): UnratedDiagnostic {
  const message = ts.flattenDiagnosticMessageText(problem.messageText, " ");
  return {
    code: "generate/type-error",
    span: placeOf(checked, problem.start ?? 0),
    message: `the generated \`${checked.file.path}\` does not type-check: TS${problem.code}: ${message}`,
    help: "the code was made from this place; if what stands here is right, please report it as a bug of skillc",
  };
}

/**
 * The author's place behind an offset of the file: that of the same word in the draft, or of the
 * nearest word before it.
 */
function placeOf({ file, draft }: Checked, offset: number): Span {
  const fromEnd = wordsOf(file.text)
    .toReversed()
    .findIndex((word) => word.start <= offset);
  // The file has the words of the header before those of the draft, so they pair up from the end.
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

/** What was parsed before, by path. A file is used again as long as its text is the same. */
type Parsed = Map<string, Ts.SourceFile>;

/**
 * By the options of the programs, but for those that say where things are: others decide how a file
 * is parsed and bound.
 */
const parsedWith = new Map<string, Parsed>();

/** Options that say where things are, and nothing of how a file is read. */
const places: ReadonlySet<string> = new Set([
  "baseUrl",
  "configFilePath",
  "outDir",
  "paths",
  "pathsBasePath",
  "rootDir",
  "typeRoots",
]);

/**
 * A program of files that need not be on disk, and of all that they import. What programs with the
 * same options have in common, above all the language's own declarations, is parsed once in a
 * process: parsing takes far longer than checking a module.
 *
 * @param texts by absolute path, with `/`
 * @param options with the names of files in `lib`: `lib.es2023.d.ts`
 */
export function createProgram(
  texts: ReadonlyMap<string, string>,
  options: Ts.CompilerOptions,
): Ts.Program {
  const others = Object.entries(options).filter(([name]) => !places.has(name));
  const key = JSON.stringify(others);
  const parsed = parsedWith.get(key) ?? parseLibrary(options);
  parsedWith.set(key, parsed);
  return ts.createProgram([...texts.keys()], options, hostOf(texts, options, parsed));
}

/** Not a folder on disk: ts-morph carries the language's declarations inside its own code. */
const libraryFolder = "/node_modules/typescript/lib";

function parseLibrary(options: Ts.CompilerOptions): Parsed {
  const project = new Project({ compilerOptions: options, skipAddingFilesFromTsConfig: true });
  // A program without any file loads no declarations.
  project.createSourceFile("/any.ts", "export {};");
  const files = project.getProgram().compilerObject.getSourceFiles();
  const library = files.filter((file) => isLibrary(file.fileName));
  return new Map(library.map((file) => [file.fileName, file]));
}

function isLibrary(path: string): boolean {
  return posix.dirname(path) === libraryFolder;
}

function hostOf(
  texts: ReadonlyMap<string, string>,
  options: Ts.CompilerOptions,
  parsed: Parsed,
): Ts.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const folders = foldersOf(texts.keys());
  const readFile = (path: string) => texts.get(path) ?? disk.readFile(path);
  return {
    ...disk,
    getDefaultLibFileName: () => `${libraryFolder}/${ts.getDefaultLibFileName(options)}`,
    getDefaultLibLocation: () => libraryFolder,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    directoryExists: (path) => folders.has(path) || ts.sys.directoryExists(path),
    readFile,
    getSourceFile(path, target) {
      const before = parsed.get(path);
      if (isLibrary(path)) return before;
      const text = readFile(path);
      if (text === undefined) return undefined;
      if (text === before?.text) return before;
      const file = ts.createSourceFile(path, text, versionOf(target));
      // What is not on disk is rarely asked for twice.
      if (!texts.has(path)) parsed.set(path, file);
      return file;
    },
  };
}

/**
 * The version alone. Whether the nearest package.json makes a module of CommonJS is left open:
 * generated code is written for bundlers and loaders too, which don't ask.
 */
function versionOf(target: Ts.ScriptTarget | Ts.CreateSourceFileOptions): Ts.ScriptTarget {
  return typeof target === "object" ? target.languageVersion : target;
}

function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = posix.dirname(path); !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder);
  }
  return folders;
}
