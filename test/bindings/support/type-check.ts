import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { entryPointTypes } from "../../../src/cli/project/entry-points.js";
import { lineAt } from "../../support/line-at.js";
import { programFaults } from "../../support/program-faults.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Compiler options of this repository, with the built runtime. */
function compilerOptions() {
  const base = JSON.parse(readFileSync(`${root}tsconfig.base.json`, "utf8"));
  const paths = Object.entries(entryPointTypes()).map(([name, file]) => [name, [file]]);
  return { ...base.compilerOptions, types: [], paths: Object.fromEntries(paths) };
}

/** Type errors of in-memory modules that import from the runtime. */
export function typeErrors(modules: Readonly<Record<string, string>>): readonly string[] {
  const pathOf = (name: string) => `${root}test/${name}.virtual.ts`;
  const texts = Object.entries(modules).map(([name, text]) => [pathOf(name), text] as const);
  const faults = programFaults(new Map(texts), compilerOptions(), `${root}test`);
  return Object.entries(modules).flatMap(([name, text]) =>
    (faults.get(pathOf(name)) ?? []).map(({ says, start }) => {
      const line = text.split("\n")[lineAt(text, start)] ?? "";
      return `${name}.virtual: ${says} in ${line.trim()}`;
    }),
  );
}
