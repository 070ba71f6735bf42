/** Chooses the tests that a change may affect, by the record of `npm run test:record`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { aliases } from "./aliases.js";
import { chosenTests } from "./chosen-tests.js";
import { type ImportGraph, importGraph, importResolver, loadedBy } from "./import-graph.js";
import { type ChangedUnits, changedUnits, moduleUnits, typesOf } from "./module-units.js";
import type { ReachRecord } from "./reach-record.js";
import { reachedTests } from "./reached-tests.js";

/**
 * Returns the text of a file in one version of the repository; undefined if the version lacks the
 * file.
 */
export type Version = (file: string) => string | undefined;

export interface Versions {
  readonly before: Version;
  readonly after: Version;
  /** Version of the files in the record. */
  readonly recorded: Version;
}

/** @param changed paths relative to the repository of files that differ between the two versions */
export function recordedChoice(
  repository: string,
  changed: readonly string[],
  { reaches }: ReachRecord,
  { before, after, recorded }: Versions,
): readonly string[] {
  const graph = importGraph(repository, aliases);
  const isModule = (file: string) => /^(?:bench|examples|generated|src|test)\/.*\.ts$/.test(file);
  const modules = changed.filter(isModule);
  const now: Version = (file) => readText(join(repository, file));
  const unitsOf = remembered((file) => moduleUnits(now(file) ?? ""));
  const unitsThen = remembered((file) => {
    const text = recorded(file);
    return text === now(file) ? unitsOf(file) : moduleUnits(text ?? "");
  });
  const changes = new Map<string, ChangedUnits>(
    modules.map((file) => [
      file,
      changedUnits(moduleUnits(before(file) ?? ""), moduleUnits(after(file) ?? "")),
    ]),
  );
  const chosen = new Set([
    ...reachedTests(
      {
        reaches,
        graph,
        resolve: importResolver(repository, aliases),
        unitsOf,
        wasRecorded: (file, name) => unitsThen(file).functions.has(name),
      },
      changes,
    ),
    ...chosenTests(
      repository,
      changed.filter((file) => !isModule(file)),
    ),
    ...chosenTests(repository, modules).filter((test) => !reaches.has(test)),
    ...modules.filter((file) => file.endsWith(".test.ts")),
    ...modules.flatMap((file) => testsThatName(file, graph, now)),
    ...typeTests(
      repository,
      modules.filter((file) => typesOf(before(file) ?? "") !== typesOf(after(file) ?? "")),
      reaches,
    ),
    ...(modules.length > 0 ? ["test/architecture.test.ts"] : []),
  ]);
  return [...chosen].filter((test) => existsSync(join(repository, test))).toSorted();
}

/** Finds tests that read the text of a module. */
function testsThatName(module: string, graph: ImportGraph, now: Version): readonly string[] {
  return [...graph.keys()].filter(
    (file) => file.endsWith(".test.ts") && file !== module && now(file)?.includes(module) === true,
  );
}

/** Finds tests that type-check against the types of modules. */
function typeTests(
  repository: string,
  modules: readonly string[],
  reaches: ReachRecord["reaches"],
): readonly string[] {
  if (modules.length === 0) return [];
  const graph = importGraph(repository, aliases, { withTypes: true });
  const files = [...graph.keys()];
  const loads = (roots: readonly string[]) => {
    const loaded = loadedBy(graph, roots);
    return modules.some((file) => loaded.has(file));
  };
  const entries = aliases.map(({ replacement }) => replacement.slice(repository.length));
  const tests = (module: string, name: string) =>
    [...reaches].flatMap(([test, reach]) =>
      reach.get(module)?.inTests.has(name) === true ? test : [],
    );
  return [
    ...(loads(files.filter((file) => file.startsWith("test/types/")))
      ? files.filter((file) => /^test\/types\/.*\.test\.ts$/.test(file))
      : []),
    ...(loads(entries) ? tests("test/support/tsc.ts", "tsc") : []),
    // The compiler checks generated modules, which import only the runtime.
    ...(loads(entries.filter((file) => file !== "src/bindings/public.ts"))
      ? tests("src/compiler/verify/check-types.ts", "checkTypes")
      : []),
  ];
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function remembered<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
