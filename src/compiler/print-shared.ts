import type { KindRegistry } from "../bindings/registry.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import { sha256 } from "../core/hash.js";
import type { OutputFile } from "../core/output.js";
import { schemaText } from "../core/schema-text.js";
import type { SchemaModel, SharedSchema, ToolModel } from "../core/skill-model.js";
import type { Style } from "../core/style.js";
import type { SchemaForm } from "../schema/form.js";
import { sharedByName } from "../schema/place-at.js";
import { aloneOf } from "../schema/shared-uses.js";
import type { SkillCache } from "./compile-cache.js";
import { emitShared } from "./emit/shared-schema.js";
import { distinctUses, moduleOf, type SharedUse } from "./emit/shared-use.js";
import type { Runner } from "./runner.js";
import { isTypeChecked, type PrintedFiles, printDrafts } from "./print-drafts.js";
import type { Stopwatch } from "./stopwatch.js";
import type { PrintedModule } from "./unit.js";
import { checkedCode, keyOfTypeCheck } from "./verify/checked-code.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

interface SharedPrinting {
  readonly kinds: KindRegistry;
  readonly runner: Runner;
  readonly stopwatch: Stopwatch;
  readonly style: Style;
  readonly typeCheck: TypeCheckSettings;
}

export interface PrintedSchemas {
  readonly files: readonly OutputFile[];
  /** Modules made in this run. */
  readonly modules: readonly PrintedModule[];
  /** Cache keys for modules without type problems. */
  readonly checks: readonly string[];
}

/** The modules of the schemas that a skill's tools share. */
export interface SharedModules {
  /** Waits for the printed modules. */
  printed(): Promise<PrintedSchemas>;
  /** Hash of the types that affect the type check of modules that import these schemas. */
  typesOf(uses: readonly SharedUse[]): string;
}

/** The cached modules of one schema in one form. */
interface PrintedSchema {
  readonly files: readonly OutputFile[];
  /** Hash of the code that affects type checks of other modules. */
  readonly types: string;
  readonly uses: readonly (readonly [name: string, form: SchemaForm])[];
}

/** Modules of a schema that may still be in print. */
interface Printing extends Omit<PrintedSchema, "files"> {
  /** Waits for the files. */
  readonly printed: () => Promise<PrintedFiles>;
}

/** Schemas that this run has printed or is printing, for whichever skill was first. */
const begun = new WeakMap<SharedSchema, Map<string, Printing>>();

/**
 * Prints the modules of the schemas that a skill's tools share, and of all that these import. Does
 * not print a schema again that is unchanged since an earlier run.
 */
export async function printShared(
  { tools }: LoweredSkill,
  printing: SharedPrinting,
  cache: SkillCache,
): Promise<SharedModules> {
  const { kinds } = printing;
  const all = new Map<string, SharedSchema>();
  for (const { tool } of tools)
    for (const schema of schemasOf(tool, kinds))
      for (const each of schema.shared ?? []) all.set(each.name, each);
  if (all.size === 0)
    return { printed: async () => ({ files: [], modules: [], checks: [] }), typesOf: () => "" };
  const { usesOfTool } = await import("./emit/tool-module.js");
  const uses = tools.flatMap((each) => {
    const kind = kinds.find(each.tool.binding.type);
    return kind === undefined ? [] : usesOfTool(each, kind);
  });
  return printUses(uses, [...all.values()], printing, cache);
}

/** Returns every schema of a tool. */
function schemasOf(
  { binding, parameters, returns }: ToolModel,
  kinds: KindRegistry,
): readonly SchemaModel[] {
  const others = kinds.find(binding.type)?.schemas(binding.config) ?? {};
  return [parameters, ...(returns ? [returns] : []), ...Object.values(others)];
}

/** @param all shared schemas of the uses, with all that they refer to */
async function printUses(
  wanted: readonly SharedUse[],
  all: readonly SharedSchema[],
  printing: SharedPrinting,
  cache: SkillCache,
): Promise<SharedModules> {
  const found = new Map<string, ModuleForUse>();
  const names = sharedByName(all);
  const waiting = [...wanted];
  for (const use of waiting) {
    const module = moduleOf(use);
    if (found.has(module)) continue;
    const { printed, types, uses: named } = await printOne(use, all, printing, cache);
    const uses = named.flatMap(([name, form]) => {
      const shared = names.get(name);
      return shared === undefined ? [] : [{ shared, form }];
    });
    found.set(module, { printed, types, uses });
    waiting.push(...uses);
  }
  const typesOf = (uses: readonly SharedUse[]) => typesBehind(uses, found);
  return {
    typesOf,
    async printed() {
      const files: OutputFile[] = [];
      const modules: PrintedModule[] = [];
      for (const { printed, uses } of found.values()) {
        const made = await printed();
        files.push(...made.files);
        modules.push(...made.modules.map((each) => ({ ...each, environment: typesOf(uses) })));
      }
      const checks = modules.map((each) => keyOfTypeCheck(each, printing.typeCheck));
      return { files, modules, checks };
    },
  };
}

interface ModuleForUse extends Omit<Printing, "uses"> {
  readonly uses: readonly SharedUse[];
}

/** Hash of the types of the modules, and of all modules that they import. */
function typesBehind(uses: readonly SharedUse[], found: ReadonlyMap<string, ModuleForUse>): string {
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
  { runner, style, stopwatch }: SharedPrinting,
  cache: SkillCache,
): Promise<Printing> {
  const { form, shared } = use;
  const key = sha256(
    JSON.stringify(["shared", form, style, shared.span.file, closureHash(use, all)]),
  );
  const before = begun.get(shared) ?? new Map<string, Printing>();
  begun.set(shared, before);
  const known = before.get(key) ?? cachedPrinting(cache.get(key));
  if (known !== undefined) {
    cache.keep(key);
    before.set(key, known);
    return known;
  }
  const { drafts, uses: taken } = await stopwatch.time("emit", () => emitShared(use, all));
  const checked = drafts.flatMap(({ body }) => (isTypeChecked(body) ? [body.code] : []));
  const types = sha256(checked.map(checkedCode).join("\n"));
  const uses = distinctUses(taken).map((each) => [each.shared.name, each.form] as const);
  const printed = await runner.begin(async () => {
    const made = await printDrafts(drafts, { style, stopwatch, runner });
    const { files } = made;
    cache.put({ key, value: JSON.stringify({ files, types, uses } satisfies PrintedSchema) });
    return made;
  });
  // The modules aren't new for later callers.
  const withoutModules = async () => ({ files: (await printed()).files, modules: [] });
  before.set(key, { types, uses, printed: withoutModules });
  return { types, uses, printed };
}

function cachedPrinting(text: string | undefined): Printing | undefined {
  if (text === undefined) return undefined;
  // The cache returns only what is stored above.
  const { files, types, uses } = JSON.parse(text) as PrintedSchema;
  return { types, uses, printed: async () => ({ files, modules: [] }) };
}

function closureHash({ shared }: SharedUse, all: readonly SharedSchema[]): string {
  return sha256(schemaText(aloneOf(shared, all)));
}
