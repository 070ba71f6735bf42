/** Chooses the tests that a change of files may affect. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { aliases } from "./aliases.js";
import { importersOf, importGraph } from "./import-graph.js";

/** Files on which every test depends. */
const ofAll =
  /^(?:package(?:-lock)?\.json|tsconfig.*|vitest\.config\.ts|packages\/.*\.(?:js|json)|bundle\.js)$/;

/**
 * @param changed paths relative to the repository; a file that is gone counts by its name
 * @returns test files, sorted
 */
export function chosenTests(repository: string, changed: readonly string[]): readonly string[] {
  const graph = importGraph(repository, aliases);
  const tests = [...graph.keys()].filter((file) => file.endsWith(".test.ts")).toSorted();
  if (changed.some((file) => ofAll.test(file))) return tests;
  const texts = new Map(
    [...graph.keys()].map((file) => [file, readFileSync(join(repository, file), "utf8")]),
  );
  const reached = importersOf(
    graph,
    changed.flatMap((file) => (graph.has(file) ? [file] : readersOf(file, texts))),
  );
  return tests.filter((file) => reached.has(file));
}

/**
 * Lists the modules that name a file. If none does, lists those that name the nearest folder above
 * it.
 */
function readersOf(file: string, texts: ReadonlyMap<string, string>): readonly string[] {
  if (file.startsWith("templates/")) return readersOfWord("load-template.js", texts);
  for (let at = file; at !== "."; at = dirname(at)) {
    const readers = [...beside(at, texts), ...readersOfWord(wordOf(at), texts)];
    if (readers.length > 0) return readers;
  }
  return [];
}

/**
 * Returns the last name of a path. For a file in a hidden folder, such as `.ci/run`, returns both
 * names, because many texts contain `run`.
 */
function wordOf(path: string): string {
  return /(?:^|\/)(\.[^/]+\/[^/.]+)$/.exec(path)?.[1] ?? basename(path);
}

function readersOfWord(word: string, texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts].filter(([, text]) => text.includes(word)).map(([file]) => file);
}

/** Finds the test with the same name as a folder: `test/cases.test.ts` reads `test/cases`. */
function beside(path: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const test = `${path}.test.ts`;
  return texts.has(test) ? [test] : [];
}
