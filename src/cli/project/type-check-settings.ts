import { dirname, isAbsolute, join } from "node:path";
import { ts } from "ts-morph";
import type { JsonObject, JsonValue } from "../../core/json.js";
import type { TypeCheckSettings } from "../../compiler/verify/check-types.js";
import { entryPointTypes } from "./entry-points.js";

/**
 * How the user's own `tsc` would look at generated code: the options of the nearest tsconfig.json. `skillc/runtime` and the like are this
 * copy's, which the code is generated for.
 *
 * @param outFolder absolute
 */
export function readTypeCheckSettings(root: string, outFolder: string): TypeCheckSettings {
  const found = ts.findConfigFile(root, ts.sys.fileExists);
  const options = found === undefined ? withoutTsconfig : optionsIn(found);
  const paths = { ...asPaths(options.paths, pathsBase(options, root)), ...ownPaths() };
  return {
    outFolder: outFolder.replaceAll("\\", "/"),
    compilerOptions: { ...checkingOptions(options), paths },
  };
}

/** What a project without a tsconfig.json most likely runs on. */
const withoutTsconfig: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
};

function optionsIn(file: string): ts.CompilerOptions {
  // A tsconfig.json with mistakes is for `tsc` to report; what can be read of it counts here.
  const host: ts.ParseConfigHost = { ...ts.sys, readFile, readDirectory: () => [] };
  try {
    const { config } = ts.readConfigFile(file, readFile);
    return ts.parseJsonConfigFileContent(config ?? {}, host, dirname(file), {}, file).options;
  } catch (error) {
    // TypeScript's reader calls itself for every level: what nests too deep ends `tsc` in the same way.
    if (error instanceof RangeError) return withoutTsconfig;
    throw error;
  }
}

/** What `extends` names may be a pipe or a device too. */
function readFile(path: string): string | undefined {
  return ts.sys.fileExists(path) ? ts.sys.readFile(path) : undefined;
}

function pathsBase(options: ts.CompilerOptions, root: string): string {
  const base = options["pathsBasePath"];
  return options.baseUrl ?? (typeof base === "string" ? base : root);
}

function asPaths(paths: ts.CompilerOptions["paths"], base: string): JsonObject {
  return Object.fromEntries(
    Object.entries(paths ?? {}).map(([name, targets]) => [
      name,
      targets.map((target) => (isAbsolute(target) ? target : join(base, target))),
    ]),
  );
}

function ownPaths(): JsonObject {
  return Object.fromEntries(
    Object.entries(entryPointTypes()).map(([name, file]) => [name, [file]]),
  );
}

/** Options that decide whether code type-checks, in the form that tsconfig.json has them. */
function checkingOptions(options: ts.CompilerOptions): JsonObject {
  const { target, module, moduleResolution, lib, types, customConditions } = options;
  const named: Record<string, JsonValue | undefined> = {
    target: target === undefined ? undefined : ts.ScriptTarget[target],
    module: module === undefined ? undefined : ts.ModuleKind[module],
    moduleResolution:
      moduleResolution === undefined ? undefined : ts.ModuleResolutionKind[moduleResolution],
    lib: lib?.map((file) => file.replace(/^lib\.(.*)\.d\.ts$/, "$1")),
    types,
    customConditions,
  };
  const flags = checkingFlags.map((name) => [name, options[name]] as const);
  return Object.fromEntries(
    [...Object.entries(named), ...flags].filter((entry): entry is [string, JsonValue] =>
      isSet(entry[1]),
    ),
  );
}

function isSet(value: unknown): boolean {
  return typeof value === "boolean" || typeof value === "string" || Array.isArray(value);
}

const checkingFlags = [
  "strict",
  "alwaysStrict",
  "exactOptionalPropertyTypes",
  "isolatedDeclarations",
  "isolatedModules",
  "noImplicitAny",
  "noImplicitOverride",
  "noImplicitReturns",
  "noImplicitThis",
  "noPropertyAccessFromIndexSignature",
  "noUncheckedIndexedAccess",
  "noUnusedLocals",
  "noUnusedParameters",
  "resolveJsonModule",
  "strictBindCallApply",
  "strictBuiltinIteratorReturn",
  "strictFunctionTypes",
  "strictNullChecks",
  "strictPropertyInitialization",
  "useUnknownInCatchVariables",
  "verbatimModuleSyntax",
] as const;
