import { ts } from "ts-morph";
import { createProgram } from "../../src/compiler/verify/create-program.js";
import { literal, printCode } from "../../src/core/code.js";
import type { JsonValue } from "../../src/core/json.js";

/** One type and the values to try on it. */
export interface Trial {
  /** Declarations of the type `Root` and all it needs. */
  readonly declarations: string;
  readonly values: readonly JsonValue[];
}

export interface TrialResult {
  /** Faults in the declarations themselves. */
  readonly faults: readonly string[];
  /** For each value, why TypeScript refuses it; undefined when it is assignable. */
  readonly refusals: readonly (string | undefined)[];
}

const options: ts.CompilerOptions = {
  lib: ["lib.es2023.d.ts"],
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  types: [],
};

/** Asks TypeScript, with the options that generated code is checked with, which values are assignable. One program for all. */
export function tryAssign(trials: readonly Trial[]): readonly TrialResult[] {
  const texts = trials.map(({ declarations, values }, index): [string, string] => {
    const lines = values.map(
      (value, at) => `export const v${at}: Root = ${printCode(literal(value))};`,
    );
    return [`/t${index}.ts`, [...lines, declarations].join("\n")];
  });
  const program = createProgram(new Map(texts), options);
  return trials.map(({ values }, index) => {
    const file = program.getSourceFile(`/t${index}.ts`);
    if (file === undefined) throw new Error("the program lost a file");
    const refusals: (string | undefined)[] = values.map(() => undefined);
    const faults: string[] = [];
    for (const each of [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]) {
      const line = file.getLineAndCharacterOfPosition(each.start ?? 0).line;
      const message = ts.flattenDiagnosticMessageText(each.messageText, "\n");
      if (line < values.length) refusals[line] = message;
      else faults.push(message);
    }
    return { faults, refusals };
  });
}
