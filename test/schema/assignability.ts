import { ts } from "ts-morph";
import type { ProgramFault } from "../../src/compiler/verify/open-program.js";
import { lineAt } from "../support/line-at.js";
import { programFaults } from "../support/program-faults.js";
import { literal, printCode } from "../../src/core/code.js";
import type { JsonValue } from "../../src/core/json.js";

/** A type and the values to assign to it. */
export interface Trial {
  /** Declarations of the type `Root` and the types that it uses. */
  readonly declarations: string;
  readonly values: readonly JsonValue[];
}

export interface TrialResult {
  /** Type errors in the declarations themselves. */
  readonly faults: readonly string[];
  /** TypeScript's error for each value as a literal; undefined if the value is assignable. */
  readonly literalRefusals: readonly (string | undefined)[];
  /**
   * TypeScript's error for each value from elsewhere, in which TypeScript allows undeclared
   * properties; undefined if the value is assignable. TypeScript's rule against weak types is
   * switched off. It forbids values that share no property with a type of only optional ones.
   */
  readonly refusals: readonly (string | undefined)[];
}

/** Compiler options for checks of generated code. */
export const options = {
  lib: ["es2023"],
  target: "es2023",
  module: "esnext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  types: [],
};

/**
 * Finds out which values TypeScript accepts, with the compiler options of generated code. All
 * trials share one program.
 */
export function tryAssign(trials: readonly Trial[]): readonly TrialResult[] {
  const texts = trials.flatMap(({ declarations, values }, index): [string, string][] => {
    const literals = values.map(
      (value, at) => `export const v${at}: Root = ${printCode(literal(value))};`,
    );
    const others = values.map(
      (value, at) => `export const v${at}: Root = null! as ${typeOf(value)};`,
    );
    return [
      [`/literals${index}.ts`, [...literals, declarations].join("\n")],
      [`/others${index}.ts`, [...others, withoutWeakTypes(declarations)].join("\n")],
    ];
  });
  const byPath = new Map(texts);
  const faultsBy = programFaults(byPath, options);
  return trials.map(({ values }, index) => {
    const messages = (path: string) =>
      messagesOf(faultsBy.get(path) ?? [], byPath.get(path) ?? "", values.length);
    const literals = messages(`/literals${index}.ts`);
    const others = messages(`/others${index}.ts`);
    return {
      faults: [...literals.faults, ...others.faults],
      literalRefusals: literals.refusals,
      refusals: others.refusals,
    };
  });
}

function messagesOf(
  found: readonly ProgramFault[],
  text: string,
  count: number,
): { readonly faults: readonly string[]; readonly refusals: readonly (string | undefined)[] } {
  const refusals = Array.from({ length: count }, (): string | undefined => undefined);
  const faults: string[] = [];
  for (const { says, start } of found) {
    const line = lineAt(text, start);
    if (line < count) refusals[line] = says;
    else faults.push(says);
  }
  return { faults, refusals };
}

/** Prints the narrowest type of a value. */
function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((each: JsonValue) => typeOf(each)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return printCode(literal(value));
  const members = Object.entries(value).map(
    ([name, each]) => `${printCode(literal(name))}: ${typeOf(each)};`,
  );
  return `{ ${members.join(" ")} }`;
}

/** Adds an index signature to each type that has only optional properties. */
function withoutWeakTypes(declarations: string): string {
  const file = ts.createSourceFile("types.ts", declarations, ts.ScriptTarget.ES2023);
  const { transformed } = ts.transform(file, [
    (context) => (root) => {
      const open = (node: ts.Node): ts.Node => {
        const inner = ts.visitEachChild(node, open, context);
        if (ts.isTypeLiteralNode(inner) && isWeak(inner.members))
          return ts.factory.createTypeLiteralNode([...inner.members, anyOthers]);
        if (ts.isInterfaceDeclaration(inner) && isWeak(inner.members))
          return ts.factory.createInterfaceDeclaration(
            inner.modifiers,
            inner.name,
            inner.typeParameters,
            inner.heritageClauses,
            [...inner.members, anyOthers],
          );
        return inner;
      };
      return ts.visitEachChild(root, open, context);
    },
  ]);
  return transformed.map((each) => ts.createPrinter().printFile(each)).join("");
}

function isWeak(members: readonly ts.TypeElement[]): boolean {
  return (
    members.length > 0 &&
    members.every((each) => ts.isPropertySignature(each) && each.questionToken !== undefined)
  );
}

const { factory } = ts;
const anyOthers = factory.createIndexSignature(
  undefined,
  [
    factory.createParameterDeclaration(
      undefined,
      undefined,
      "k",
      undefined,
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ),
  ],
  factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword),
);
