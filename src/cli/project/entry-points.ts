import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface PackageExports {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

const root = new URL("../../../", import.meta.url);

/** Whether this runs from TypeScript source, as tests do, or from what was built. */
const fromSource = import.meta.url.endsWith(".ts");

/** What other packages may import of this one: specifier → path below the package, as its package.json says. */
function exported(): readonly (readonly [specifier: string, path: string])[] {
  // Our own package.json, whose exports are plain paths.
  const { name, exports } = JSON.parse(
    readFileSync(new URL("package.json", root), "utf8"),
  ) as PackageExports;
  return Object.entries(exports)
    .filter(([, path]) => path.endsWith(".js"))
    .map(([key, path]) => [`${name}${key.slice(1)}`, fromSource ? asSource(path) : path]);
}

function asSource(path: string): string {
  return path.replace("/dist/", "/src/").replace(/\.js$/, ".ts");
}

/** Specifier → absolute path of the file that declares its types. */
export function entryPointTypes(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    exported().map(([specifier, path]) => [
      specifier,
      fileURLToPath(new URL(fromSource ? path : path.replace(/\.js$/, ".d.ts"), root)),
    ]),
  );
}

/** The modules behind specifiers that start with `prefix`, as this process has them. */
export async function loadEntryPoints(prefix: string): Promise<Readonly<Record<string, unknown>>> {
  const wanted = exported().filter(([specifier]) => specifier.startsWith(prefix));
  const loaded = wanted.map(async ([specifier, path]): Promise<readonly [string, unknown]> => {
    const module: unknown = await import(new URL(path, root).href);
    return [specifier, module];
  });
  return Object.fromEntries(await Promise.all(loaded));
}
