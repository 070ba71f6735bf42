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

export interface Checked {
  readonly file: OutputFile;
  readonly draft: Code;
}

/** What TypeScript says of a module, at an offset of its text. */
export interface TypeFault {
  /** Of the module, below the output folder. */
  readonly path: string;
  readonly start: number;
  /** `TS2322: Type …` */
  readonly says: string;
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
  const modules = new Map(fresh.map((each) => [each.file.path, each]));
  const faults = findTypeFaults(
    [...modules.values()].map(({ file }) => file),
    all,
    settings,
  );
  return faults.flatMap((fault) => {
    const module = modules.get(fault.path);
    return module === undefined ? [] : [typeProblem(module, fault)];
  });
}

/** The same as plain data, of texts alone: what a thread can answer. */
export function findTypeFaults(
  fresh: readonly OutputFile[],
  all: readonly OutputFile[],
  settings: TypeCheckSettings,
): readonly TypeFault[] {
  if (fresh.length === 0) return [];
  const program = programOf(fresh, all, settings);
  return fresh.flatMap(({ path }) => {
    const source = program.getSourceFile(`${settings.outFolder}/${path}`);
    if (source === undefined) throw new Error(`${path} is not in the program`);
    return program.getSemanticDiagnostics(source).map(({ code, messageText, start = 0 }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, " ");
      return { path, start, says: `TS${code}: ${message}` };
    });
  });
}

/** A fault at the author's line that caused the code. */
export function typeProblem(checked: Checked, { path, says, start }: TypeFault): TypeProblem {
  const diagnostic: UnratedDiagnostic = {
    code: "generate/type-error",
    span: placeOf(checked, start),
    message: `the generated \`${path}\` does not type-check: ${says}`,
    help: "the code was made from this place; if what stands here is right, please report it as a bug of skillc",
  };
  return { path, diagnostic };
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
  fresh: readonly OutputFile[],
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
  const inFull = new Set(fresh);
  const texts = Array.from(withImports(fresh, all), (file): [string, string] => [
    `${settings.outFolder}/${file.path}`,
    inFull.has(file) ? file.text : declarationsOf(file.text),
  ]);
  const once = new Set(fresh.map(({ path }) => `${settings.outFolder}/${path}`));
  return createProgram(new Map(texts), { ...options, ...ownOptions }, once);
}

/** The files and, transitively, all that they import of the output. */
function withImports(
  fresh: readonly OutputFile[],
  all: readonly OutputFile[],
): Iterable<OutputFile> {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const reached = new Set(fresh);
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
 * What importers see of a module that is not to be checked itself. Where TypeScript is told not to
 * look (validators and catalogs are by far the largest part of the output) that is the annotations
 * of its exports; each of these stands on a line of its own. A tool's contract is its module's own,
 * and most of that.
 */
function declarationsOf(text: string): string {
  // Authors' statements stand in templates, which may have any lines.
  if (!unchecked.test(text))
    return text.replace(contract, (found) => (found.includes("`") ? found : ""));
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const found = /^export const (\w+): (.+?) = /.exec(line);
    if (found !== null) return [`export declare const ${found[1]}: ${found[2]};`];
    return line.startsWith("import ") ? [line] : [];
  });
  return lines.join("\n");
}

/** A module whose first words, below its header, are that TypeScript is not to look into it. */
const unchecked = /^\/\/ .*\r?\n\r?\n\/\/ @ts-nocheck/;

/** As the template of a tool's module writes it, and prettier lays it out. */
const contract = /^const \w+ = defineTool<[^]*?^\}\);?$/m;

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
 * @param once texts that no other program is likely to ask for
 */
export function createProgram(
  texts: ReadonlyMap<string, string>,
  options: Ts.CompilerOptions,
  once: ReadonlySet<string> = new Set(texts.keys()),
): Ts.Program {
  const others = Object.entries(options).filter(([name]) => !places.has(name));
  const key = JSON.stringify(others);
  const parsed = parsedWith.get(key) ?? parseLibrary(options);
  parsedWith.set(key, parsed);
  return ts.createProgram([...texts.keys()], options, hostOf({ texts, once }, options, parsed));
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
  {
    once,
    texts,
  }: { readonly texts: ReadonlyMap<string, string>; readonly once: ReadonlySet<string> },
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
      if (!once.has(path)) parsed.set(path, file);
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
