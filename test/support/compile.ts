import { fileURLToPath } from "node:url";
import type { BindingKind } from "../../src/kit/binding.js";
import { createRegistry, type KindRegistry } from "../../src/bindings/registry.js";
import { diagnosticEntriesOf } from "../../src/compiler/diagnostics.js";
import type { Compilation, CompileInput } from "../../src/compiler/compilation.js";
import { compile } from "../../src/compiler/compile.js";
import { parseConfig } from "../../src/compiler/config/parse-config.js";
import { createStopwatch } from "../../src/compiler/stopwatch.js";
import type { Project } from "../../src/core/project.js";
import type { SourceFile } from "../../src/core/source-file.js";
import { compareText, createReport, inSourceOrder } from "../../src/core/report.js";
import { entryPointTypes } from "../../src/cli/project/entry-points.js";
import { sharedSqlBinding } from "./shared-sql.js";

export interface CompileOptions extends Partial<
  Pick<CompileInput, "cache" | "previous" | "style" | "typeCheck">
> {
  readonly kinds?: readonly BindingKind[];
  /** Replaces the SQL kind with shared engines. */
  readonly sql?: BindingKind;
  /** Files that the skills link to, by the skill's folder. */
  readonly linked?: Project["linked"];
}

const root = fileURLToPath(new URL("../..", import.meta.url))
  .replaceAll("\\", "/")
  .replace(/\/$/, "");

/** Settings for type checks of generated code: strict, and against the built runtime. */
export const typeCheck = {
  outFolder: `${root}/in-memory/generated`,
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    typeRoots: [`${root}/node_modules/@types`],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    paths: Object.fromEntries(
      Object.entries(entryPointTypes()).map(([specifier, file]) => [specifier, [file]]),
    ),
  },
};

/** A registry in which the SQL kind with shared engines counts as built in. */
function kindsOf(sql: BindingKind, custom: readonly BindingKind[]): KindRegistry {
  return {
    ...createRegistry([sql, ...custom]),
    isCustom: (type) => custom.some((kind) => kind.type === type),
  };
}

/**
 * The registry for all compilations. Caches use the registry as their key, so a run also has only
 * one.
 */
const usualKinds = kindsOf(sharedSqlBinding, []);

/** Runs the whole compiler over files in memory: path relative to the project → text. */
export async function compileFiles(
  files: Readonly<Record<string, string>>,
  options: CompileOptions = {},
): Promise<Compilation> {
  const { kinds: custom = [], linked, sql = sharedSqlBinding, ...rest } = options;
  const isUsual = custom.length === 0 && sql === sharedSqlBinding;
  const kinds = isUsual ? usualKinds : kindsOf(sql, custom);
  const report = createReport(diagnosticEntriesOf(kinds));
  const { "skillc.yaml": configText, ...others } = files;
  const config = parseConfig(
    configText === undefined ? undefined : { path: "skillc.yaml", text: configText },
    report,
  );
  const entries = Object.entries(others)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([path, text]): [string, SourceFile] => [path, { path, text }]);
  const compilation = await compile({
    project: { files: new Map(entries), ...(linked && { linked }) },
    config,
    kinds,
    style: {},
    previous: new Map(),
    typeCheck,
    stopwatch: createStopwatch(() => 0),
    ...rest,
  });
  return {
    ...compilation,
    diagnostics: inSourceOrder([...report.diagnostics(), ...compilation.diagnostics]),
  };
}

/** Prints each diagnostic as `skills/a/SKILL.md:3:5 error http/bad-method: message`. */
export function linesOf(
  { diagnostics }: Pick<Compilation, "diagnostics">,
  files: Readonly<Record<string, string>>,
): readonly string[] {
  return diagnostics.map(({ code, message, severity, span }) => {
    const before = (files[span.file] ?? "").slice(0, span.start).split(/\r\n|\n/);
    const column = (before.at(-1)?.length ?? 0) + 1;
    return `${span.file}:${before.length}:${column} ${severity} ${code}: ${message}`;
  });
}
