import type { KindRegistry } from "../bindings/registry.js";
import type { SkillPlan } from "../core/emit-plan.js";
import { sha256 } from "../core/hash.js";
import type { OutputFile } from "../core/output.js";
import { schemaText } from "../core/schema-text.js";
import type { SchemaModel, SharedSchema, ToolModel } from "../core/skill-model.js";
import type { Style } from "../core/style.js";
import type { SchemaForm } from "../schema/form.js";
import { sharedByName } from "../schema/place-at.js";
import { aloneOf } from "../schema/shared-uses.js";
import type { SkillCache } from "./compile-cache.js";
import { distinctUses, emitShared, moduleOf, type SharedUse } from "./emit/shared-schema.js";
import { begin, type Printer } from "./print/printer.js";
import { isTypeChecked, type PrintedFiles, printDrafts } from "./print-drafts.js";
import type { Stopwatch } from "./stopwatch.js";
import type { PrintedModule } from "./unit.js";
import { checkedCode, keyOfTypeCheck } from "./verify/checked-code.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

interface SharedPrinting {
  readonly kinds: KindRegistry;
  readonly printer: Printer;
  readonly stopwatch: Stopwatch;
  readonly style: Style;
  readonly typeCheck: TypeCheckSettings;
}

export interface PrintedShared {
  readonly files: readonly OutputFile[];
  /** Those made in this run. */
  readonly modules: readonly PrintedModule[];
  /** Keys under which it is kept that they have no type problem. */
  readonly checks: readonly string[];
  /** Hash of the types that modules which take these are type-checked with. */
  typesOf(uses: readonly SharedUse[]): string;
}

/** The modules of one schema in one form. */
interface PrintedSchema {
  readonly files: readonly OutputFile[];
  /** Hash of its code that others are type-checked with. */
  readonly types: string;
  readonly uses: readonly (readonly [name: string, form: SchemaForm])[];
}

interface Printed {
  readonly types: string;
  readonly uses: readonly SharedUse[];
  /** Waits for its files. */
  readonly printed: () => Promise<Pick<PrintedFiles, "files" | "modules">>;
}

/** What a run has printed, whichever skill asked first. */
const printedBefore = new WeakMap<SharedSchema, Map<string, PrintedSchema>>();

/**
 * The modules of the schemas that a skill's tools share, and of all that these take. One that says
 * the same as in an earlier run is not printed again.
 */
export async function printShared(
  { tools }: SkillPlan,
  printing: SharedPrinting,
  cache: SkillCache,
): Promise<PrintedShared> {
  const { kinds } = printing;
  const all = new Map<string, SharedSchema>();
  for (const { tool } of tools)
    for (const schema of schemasOf(tool, kinds))
      for (const each of schema.shared ?? []) all.set(each.name, each);
  if (all.size === 0) return { files: [], modules: [], checks: [], typesOf: () => "" };
  const { usesOfTool } = await import("./emit/tool-module.js");
  const uses = tools.flatMap((each) => {
    const kind = kinds.find(each.tool.binding.type);
    return kind === undefined ? [] : usesOfTool(each, kind);
  });
  return printUses(uses, [...all.values()], printing, cache);
}

/** Every schema of a tool. */
function schemasOf(
  { binding, parameters, returns }: ToolModel,
  kinds: KindRegistry,
): readonly SchemaModel[] {
  const others = kinds.find(binding.type)?.schemas(binding.config) ?? {};
  return [parameters, ...(returns ? [returns] : []), ...Object.values(others)];
}

/** @param all shared schemas that the uses are of, with all that these refer to */
async function printUses(
  wanted: readonly SharedUse[],
  all: readonly SharedSchema[],
  printing: SharedPrinting,
  cache: SkillCache,
): Promise<PrintedShared> {
  const found = new Map<string, Printed>();
  const waiting = [...wanted];
  for (const use of waiting) {
    const module = moduleOf(use);
    if (found.has(module)) continue;
    const each = await printOne(use, all, printing, cache);
    found.set(module, each);
    waiting.push(...each.uses);
  }
  const typesOf = (uses: readonly SharedUse[]) => typesBehind(uses, found);
  const files: OutputFile[] = [];
  const modules: PrintedModule[] = [];
  for (const { printed, uses } of found.values()) {
    const made = await printed();
    files.push(...made.files);
    modules.push(...made.modules.map((each) => ({ ...each, environment: typesOf(uses) })));
  }
  return {
    files,
    modules,
    checks: modules.map((each) => keyOfTypeCheck(each, printing.typeCheck)),
    typesOf,
  };
}

/** Of the modules, and of all that they import. */
function typesBehind(uses: readonly SharedUse[], found: ReadonlyMap<string, Printed>): string {
  const types = new Map<string, string>();
  const waiting = [...uses];
  for (const use of waiting) {
    const module = moduleOf(use);
    const each = found.get(module);
    if (each === undefined || types.has(module)) continue;
    types.set(module, each.types);
    waiting.push(...each.uses);
  }
  return types.size === 0 ? "" : sha256(JSON.stringify([...types].toSorted()));
}

async function printOne(
  use: SharedUse,
  all: readonly SharedSchema[],
  { printer, style, stopwatch }: SharedPrinting,
  cache: SkillCache,
): Promise<Printed> {
  const { form, shared } = use;
  const names = sharedByName(all);
  const key = sha256(
    JSON.stringify(["shared", form, style, shared.span.file, closureHash(use, all)]),
  );
  const asUses = ({ uses }: PrintedSchema): readonly SharedUse[] =>
    uses.flatMap(([name, each]) => {
      const of = names.get(name);
      return of === undefined ? [] : [{ shared: of, form: each }];
    });
  const before = printedBefore.get(shared) ?? new Map<string, PrintedSchema>();
  printedBefore.set(shared, before);
  const text = before.has(key) ? undefined : cache.get(key);
  // The cache gives back only what is put in below.
  const known =
    before.get(key) ?? (text === undefined ? undefined : (JSON.parse(text) as PrintedSchema));
  if (known !== undefined) {
    before.set(key, known);
    cache.keep(key);
    const files = { files: known.files, modules: [] };
    return { types: known.types, uses: asUses(known), printed: async () => files };
  }
  const { drafts, uses } = await stopwatch.time("emit", () => emitShared(use, all));
  const checked = drafts.filter(({ body }) => isTypeChecked(body));
  const types = sha256(checked.map(({ body }) => checkedCode(body.code)).join("\n"));
  const printed = await begin(printer, async () => {
    const made = await printDrafts(drafts, { style, stopwatch, printer });
    const taken = distinctUses(uses).map((each) => [each.shared.name, each.form] as const);
    const schema: PrintedSchema = { files: made.files, types, uses: taken };
    before.set(key, schema);
    cache.put({ key, value: JSON.stringify(schema) });
    return made;
  });
  return { types, uses: distinctUses(uses), printed };
}

function closureHash({ shared }: SharedUse, all: readonly SharedSchema[]): string {
  return sha256(schemaText(aloneOf(shared, all)));
}
