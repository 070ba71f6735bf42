import { statSync } from "node:fs";
import { createRequire } from "node:module";
import type { CompileCache } from "../../compiler/compile-cache.js";
import type { TypeCheckSettings } from "../../compiler/verify/check-types.js";
import { sha256 } from "../../core/hash.js";
import { readRegularFile } from "@skillc/runtime/internal";
import { CommandFailure } from "../exit.js";
import { entryPointTypes } from "./entry-points.js";

/**
 * Returns type-check settings like those of the user's own `tsc`: the options of the nearest
 * tsconfig.json. `@skillc/runtime` resolves to this process's copy, which the project must share.
 *
 * @param outFolder absolute
 * @param cache stores the options while all their files are unchanged, because TypeScript takes
 * longer to load than the rest of a run without changes
 * @throws CommandFailure if TypeScript is not installed for this machine
 */
export async function readTypeCheckSettings(
  root: string,
  outFolder: string,
  cache?: CompileCache,
): Promise<TypeCheckSettings> {
  requireTypeScript();
  const { compilerOptions } = cachedOptions(root, cache) ?? (await parsedOptions(root, cache));
  return {
    outFolder: outFolder.replaceAll("\\", "/"),
    compilerOptions: { ...compilerOptions, paths: { ...compilerOptions.paths, ...ownPaths() } },
  };
}

/**
 * Checks that TypeScript is installed. It is a native program in an optional package of
 * `typescript`.
 */
function requireTypeScript(): void {
  const machine = `${process.platform}-${process.arch}`;
  try {
    const inTypeScript = createRequire(import.meta.url).resolve("typescript/package.json");
    createRequire(inTypeScript).resolve(`@typescript/typescript-${machine}/package.json`);
  } catch {
    throw CommandFailure.input(
      `TypeScript for ${machine} is not installed, but skillc type-checks generated code with it`,
      "install skillc with its optional packages: `npm install --include=optional`",
    );
  }
}

interface CachedOptions {
  readonly compilerOptions: TypeCheckSettings["compilerOptions"] & {
    readonly paths: TypeCheckSettings["compilerOptions"];
  };
  /** Hashes of the requested files, null for a missing one. */
  readonly read: { readonly [path: string]: string | null };
}

const keyOf = (root: string): string => sha256(`tsconfig.json ${root}`);

function cachedOptions(root: string, cache: CompileCache | undefined): CachedOptions | undefined {
  const text = cache?.get(keyOf(root));
  if (text === undefined) return undefined;
  // The cache returns only what is stored below.
  const kept = JSON.parse(text) as CachedOptions;
  return Object.entries(kept.read).every(([path, hash]) => hashAt(path) === hash)
    ? kept
    : undefined;
}

async function parsedOptions(
  root: string,
  cache: CompileCache | undefined,
): Promise<CachedOptions> {
  const { parseTsconfig } = await import("./parse-tsconfig.js");
  const { compilerOptions, read } = parseTsconfig(root);
  const kept = {
    compilerOptions,
    read: Object.fromEntries([...read].map((path) => [path, hashAt(path)])),
  };
  cache?.set(keyOf(root), JSON.stringify(kept));
  return kept;
}

function hashAt(path: string): string | null {
  try {
    return statSync(path).isFile() ? sha256(readRegularFile(path).toString("utf8")) : null;
  } catch {
    return null;
  }
}

function ownPaths(): TypeCheckSettings["compilerOptions"] {
  return Object.fromEntries(
    Object.entries(entryPointTypes()).map(([name, file]) => [name, [file]]),
  );
}
