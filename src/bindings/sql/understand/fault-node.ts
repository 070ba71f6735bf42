import type { Node } from "@pgsql/types";
import { bodyOf, childrenOf, type Kind, kindOf, locationOf } from "../statement/tree.js";
import type { SqlFault } from "../database/engine.js";
import { parseSql } from "../statement/parser.js";

/** The node that PostgreSQL points at, and those around it, outermost first. */
export interface FaultNode {
  readonly node: Node;
  readonly around: readonly Node[];
}

/**
 * The node at the position of a fault, of the first of these kinds that stands there: several may begin at one place. What a fault is about is read
 * off the tree, as its words are in the server's language.
 *
 * @param sql what was refused
 */
export function nodeAtFault(
  { position }: SqlFault,
  sql: string,
  ...kinds: readonly Kind[]
): FaultNode | undefined {
  const parsed = position === undefined ? undefined : parseSql(sql);
  const root = parsed?.kind === "parsed" ? parsed.statements[0]?.stmt : undefined;
  if (root === undefined || position === undefined) return undefined;
  const byte = Buffer.byteLength([...sql].slice(0, position - 1).join(""));
  for (const kind of kinds) {
    const found = find(
      root,
      [],
      (node) => kindOf(node) === kind && (locationOf(bodyOf(node)) ?? 0) === byte,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function find(
  node: Node,
  around: readonly Node[],
  isIt: (node: Node) => boolean,
): FaultNode | undefined {
  if (isIt(node)) return { node, around };
  for (const child of childrenOf(node)) {
    const found = find(child, [...around, node], isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}
