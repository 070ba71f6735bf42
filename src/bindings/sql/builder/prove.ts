import { isDeepStrictEqual } from "node:util";
import type { Node } from "@pgsql/types";
import { parseSql } from "../statement/parser.js";
import { constructOfKind } from "./construct-names.js";
import { type CompiledChain } from "./evaluate.js";
import { withoutHarmless } from "./harmless.js";
import { nameEverything, rewrite } from "./name-everything.js";

/**
 * Whether the SQL that Kysely made says what the statement says: PostgreSQL's tree of it is the same, parameters by name, constants, aliases and order
 * included. What may differ is listed in `nameEverything` and `withoutHarmless`. Gives the reason when it is not proved.
 */
export function whyDifferent(
  tree: Node,
  parameters: readonly string[],
  compiled: CompiledChain,
): string | undefined {
  const parsed = parseSql(compiled.sql);
  if (parsed.kind === "fault") return "what Kysely makes of it can't be read back";
  const [only, ...others] = parsed.statements;
  if (only?.stmt === undefined || others.length > 0)
    return "what Kysely makes of it is not one statement";
  if (compiled.parameters.includes(undefined)) return "a constant became a bound value";
  const meant = withoutHarmless(byName(nameEverything(tree), parameters));
  const made = withoutHarmless(byName(nameEverything(only.stmt), compiled.parameters));
  if (isDeepStrictEqual(meant, made)) return undefined;
  return `Kysely's SQL differs at ${constructOfKind(kindOf(meant, made))}`;
}

/** Parameters by the names that they have in the statement. */
function byName(tree: Node, names: readonly (string | undefined)[]): unknown {
  return rewrite(tree, (node) => {
    if (!("ParamRef" in node)) return node;
    const { number = 0 } = Object(node.ParamRef);
    return { ParamRef: { name: names[number - 1] ?? "", known: names[number - 1] !== undefined } };
  });
}

/** The kind of the innermost node around the first difference. */
function kindOf(meant: unknown, made: unknown, around = ""): string {
  if (typeof meant !== "object" || typeof made !== "object" || meant === null || made === null)
    return around;
  const keys = new Set([...Object.keys(meant), ...Object.keys(made)]);
  for (const key of keys) {
    const [a, b]: readonly unknown[] = [Reflect.get(meant, key), Reflect.get(made, key)];
    if (!isDeepStrictEqual(a, b)) return kindOf(a, b, /^[A-Z]/.test(key) ? key : around);
  }
  return around;
}
