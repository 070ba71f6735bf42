import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ts } from "ts-morph";
import { entryPointTypes } from "../../../src/cli/project/entry-points.js";
import { createProgram } from "../../../src/compiler/verify/check-types.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** This repository's own, against the runtime as it was built. */
function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.parseConfigFileTextToJson(
    "tsconfig.base.json",
    readFileSync(`${root}tsconfig.base.json`, "utf8"),
  );
  const paths = Object.entries(entryPointTypes()).map(([name, file]) => [name, [file]]);
  const all = { ...config.compilerOptions, types: [], paths: Object.fromEntries(paths) };
  return ts.convertCompilerOptionsFromJson(all, root).options;
}

/** What the TypeScript compiler says of modules that import from the runtime, none of which is ever written to disk. */
export function typeErrors(modules: Readonly<Record<string, string>>): readonly string[] {
  const pathOf = (name: string) => `${root}test/${name}.virtual.ts`;
  const texts = Object.entries(modules).map(([name, text]) => [pathOf(name), text] as const);
  const program = createProgram(new Map(texts), compilerOptions());
  return Object.keys(modules).flatMap((name) => {
    const file = program.getSourceFile(pathOf(name));
    if (file === undefined) throw new Error(`${name} is not in the program`);
    return ts.getPreEmitDiagnostics(program, file).map(({ messageText, start = 0 }) => {
      const line = file.text.split("\n")[file.getLineAndCharacterOfPosition(start).line] ?? "";
      return `${name}.virtual: ${ts.flattenDiagnosticMessageText(messageText, " ")} in ${line.trim()}`;
    });
  });
}
