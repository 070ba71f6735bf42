import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { binding } from "../../../examples/graphql/binding/index.js";
import type { Compilation } from "../../../src/compiler/compilation.js";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { compileFiles, typeCheck } from "../../support/compile.js";

/** Absolute path of the example. */
export const example = fileURLToPath(new URL("../../../examples/graphql", import.meta.url));

/** Compiles files as a part of the example, with its binding kind. */
export function compileHere(files: ProjectFiles): Promise<Compilation> {
  return compileFiles(files, {
    kinds: [binding],
    style: { printWidth: 100 },
    typeCheck: { ...typeCheck, outFolder: `${example.replaceAll("\\", "/")}/generated` },
  });
}

/** Reads all files below a folder of the example. Keys are paths below the example. */
export function filesBelow(folder: string): Record<string, string> {
  const entries = readdirSync(join(example, folder), { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return Object.fromEntries(
    paths.map((path) => [
      path.slice(example.length + 1).replaceAll("\\", "/"),
      readFileSync(path, "utf8"),
    ]),
  );
}
