import { posix } from "node:path";
import type { ts as Ts } from "ts-morph";
import { Project, ts } from "../../core/typescript.js";

/** What was parsed before, by path. A file is used again as long as its text is the same. */
type Parsed = Map<string, Ts.SourceFile>;

/** By the options of the programs: some of them decide how a file is parsed and bound. */
const parsedWith = new Map<string, Parsed>();

/**
 * A program of files that need not be on disk, and of all that they import. What programs with the same options have in common, above all the
 * language's own declarations, is parsed once in a process: parsing takes far longer than checking a module.
 *
 * @param texts by absolute path, with `/`
 * @param options with the names of files in `lib`: `lib.es2023.d.ts`
 */
export function createProgram(
  texts: ReadonlyMap<string, string>,
  options: Ts.CompilerOptions,
): Ts.Program {
  const key = JSON.stringify(options);
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
 * The version alone. Whether the nearest package.json makes a module of CommonJS is left open: generated code is written for bundlers and loaders
 * too, which don't ask.
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
