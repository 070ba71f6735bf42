/**
 * Chooses tests by a record of the functions that they run. A changed function affects the tests
 * that ran it. A changed value affects the functions and values that mention it, in its module and
 * in modules that import it.
 */
import type { ImportGraph, Resolve } from "./import-graph.js";
import { type ChangedUnits, mentions, type ModuleUnits } from "./module-units.js";
import type { Ran, Reach } from "./reach-record.js";

export interface Reached {
  readonly reaches: ReadonlyMap<string, Reach>;
  readonly graph: ImportGraph;
  readonly resolve: Resolve;
  /** Returns the units of the present module; no units if the module is gone. */
  readonly unitsOf: (module: string) => ModuleUnits;
  /** Returns whether the module had the function when the record was made. */
  readonly wasRecorded: (module: string, name: string) => boolean;
}

/** If at most this number of tests run a function while modules load, all of them are chosen. */
const fewTests = 10;

export function reachedTests(
  reached: Reached,
  changes: ReadonlyMap<string, ChangedUnits>,
): ReadonlySet<string> {
  const search = new Search(reached);
  for (const [module, { functions, values, rest }] of changes) {
    for (const name of functions) search.changeFunction(module, name);
    for (const name of values) search.changeValue(module, name);
    if (rest) search.changeRest(module);
  }
  return search.chosen;
}

class Search {
  readonly chosen = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #reached: Reached;
  readonly #importers = new Map<string, string[]>();
  /** Names of functions that each test ran in bundles. A bundle hides their modules. */
  readonly #inBundles: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(reached: Reached) {
    this.#reached = reached;
    for (const [file, imports] of reached.graph)
      for (const each of new Set(imports))
        this.#importers.set(each, [...(this.#importers.get(each) ?? []), file]);
    this.#inBundles = new Map(
      [...reached.reaches].map(([test, reach]) => [test, namesInBundles(reach)]),
    );
  }

  changeFunction(module: string, name: string): void {
    if (this.#isSeen("function", module, name)) return;
    this.#choose(this.#testsThat("inTests", module, name));
    if (module.startsWith("src/"))
      for (const [test, names] of this.#inBundles) if (names.has(name)) this.chosen.add(test);
    this.#changeAtLoad(module, name);
    if (this.#reached.wasRecorded(module, name)) return;
    // The record can't contain the callers of a new function.
    for (const owner of this.#ownersOf(module, name)) this.changeValue(module, owner);
  }

  changeValue(module: string, name: string): void {
    this.#followUses("value", module, name);
  }

  /** Chooses all tests that load the module, because its statements may have any effect on them. */
  changeRest(module: string): void {
    for (const [test, reach] of this.#reached.reaches) if (reach.has(module)) this.chosen.add(test);
  }

  /**
   * Follows a function that runs while modules load, because values of its callers hold its
   * results.
   */
  #changeAtLoad(module: string, name: string): void {
    const tests = this.#testsThat("atLoad", module, name);
    if (tests.length <= fewTests) return this.#choose(tests);
    for (const owner of this.#ownersOf(module, name)) this.#followUses("load", module, owner);
  }

  /** @param when "load" if only a use while modules load matters */
  #followUses(when: "value" | "load", module: string, name: string): void {
    if (this.#isSeen(when, module, name)) return;
    if (name === "") return this.changeRest(module);
    this.#changeUsers(when, module, name, name);
    for (const importer of this.#importers.get(module) ?? []) {
      const imports = this.#reached
        .unitsOf(importer)
        .imports.filter(({ specifier }) => this.#reached.resolve(importer, specifier) === module);
      // `await import()` and `new URL()` name no imports.
      if (imports.length === 0) this.#changeUsers(when, importer, name);
      for (const { name: imported, local, isReexport } of imports)
        if (imported !== name && imported !== "*") continue;
        else if (isReexport) this.#followUses(when, importer, local === "*" ? name : local);
        else this.#changeUsers(when, importer, local);
    }
  }

  /** Changes the units of a module that mention a name. */
  #changeUsers(when: "value" | "load", module: string, name: string, but?: string): void {
    const { functions, values, rest } = this.#reached.unitsOf(module);
    for (const [each, unit] of functions)
      if (!mentions(unit, name)) continue;
      else if (when === "load") this.#changeAtLoad(module, each);
      else this.changeFunction(module, each);
    for (const [each, unit] of values)
      if (each !== but && mentions(unit, name)) this.changeValue(module, each);
    if (!mentions(rest, name)) return;
    if (module.endsWith(".test.ts")) this.chosen.add(module);
    else this.changeRest(module);
  }

  #ownersOf(module: string, name: string): Iterable<string> {
    return this.#reached.unitsOf(module).functions.get(name)?.owners ?? [];
  }

  #testsThat(phase: keyof Ran, module: string, name: string): readonly string[] {
    return [...this.#reached.reaches].flatMap(([test, reach]) =>
      reach.get(module)?.[phase].has(name) ? test : [],
    );
  }

  #choose(tests: Iterable<string>): void {
    for (const test of tests) this.chosen.add(test);
  }

  #isSeen(kind: string, module: string, name: string): boolean {
    const key = `${kind} ${module} ${name}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }
}

/**
 * Collects the names of functions in bundles, each with and without the number that esbuild may
 * append to a repeated name.
 */
function namesInBundles(reach: Reach): ReadonlySet<string> {
  const names = [...reach].flatMap(([module, { inTests }]) =>
    /^(?:dist\/bundle|packages\/runtime\/dist)\//.test(module) ? [...inTests] : [],
  );
  return new Set(names.flatMap((name) => [name, name.replace(/\d+$/, "")]));
}
