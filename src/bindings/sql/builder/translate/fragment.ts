import type { Node, SubLink } from "@pgsql/types";
import { deparseSync } from "pgsql-deparser";
import type { Chain } from "../chain.js";
import { constructName } from "../construct-names.js";
import { NoWords } from "../nodes.js";
import { type Place, startInside } from "../place.js";
import { template, type Words, words } from "../words.js";
import { isGrouped } from "./grouping-words.js";
import { parameterHole } from "./parameter.js";
import { referenceValue } from "./reference.js";
import { specialWords } from "./special-forms.js";

/**
 * SQL text for any expression or clause, for what Kysely has no word for: every column, parameter and subquery below it becomes a hole. They are put
 * aside under names that nothing else has, the rest is printed by the deparser, and the text is split at the names.
 */
export function fragmentWords(node: Node, place: Place): Words {
  const own = holeFor(node, place);
  if (own !== undefined) return own;
  const holes: Words[] = [];
  const marked = markHoles(node, place, holes);
  return splitAtHoles(deparse(marked), holes);
}

/** The words of a list of nodes, each by itself. */
export function fragmentList(nodes: readonly Node[] | undefined, place: Place): readonly Words[] {
  return (nodes ?? []).map((each) => place.say.words(each, place));
}

function deparse(node: Node): string {
  try {
    return deparseSync(node, { pretty: false });
  } catch (error) {
    throw new NoWords(constructName(node), { cause: error });
  }
}

function markHoles(root: Node, place: Place, holes: Words[]): Node {
  const add = (hole: Words): Node => {
    holes.push(hole);
    return markerNode(holes.length - 1);
  };
  const marked = (value: unknown, parent: Node, field: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => marked(each, parent, field));
    if (typeof value !== "object" || value === null) return value;
    // A holder of fields, or a node: only nodes have the names that are asked for here.
    const node = value as Node;
    const hole = node === root ? undefined : holeFor(node, place);
    if (hole !== undefined) return add(hole);
    if (node !== root && isGrouped(node, parent, field))
      return add(words`(${place.say.words(node, place)})`);
    const around = isNode(node) && !("List" in node) ? node : parent;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, marked(each, around, key)]),
    );
  };
  // The same tree with columns where holes will be.
  return marked(root, root, "") as Node;
}

function isNode(value: object): boolean {
  return /^[A-Z]/.test(Object.keys(value)[0] ?? "");
}

/** Quoted, and in no statement: the brackets are private characters. */
const MARK = /"\ue000(\d+)\ue001"/;

function markerNode(index: number): Node {
  return { ColumnRef: { fields: [{ String: { sval: `\ue000${index}\ue001` } }] } };
}

function splitAtHoles(text: string, holes: readonly Words[]): Words {
  const pieces = text.split(MARK);
  if (pieces.length !== holes.length * 2 + 1)
    throw new NoWords("a part of the statement is lost in print");
  return pieces.flatMap((piece, index) =>
    index % 2 === 0 ? [piece] : (holes[Number(piece)] ?? []),
  );
}

function holeFor(node: Node, place: Place): Words | undefined {
  if ("ColumnRef" in node) return words`${referenceValue(node.ColumnRef, place).chain}`;
  if ("ParamRef" in node) return words`${parameterHole(node.ParamRef, place)}`;
  if ("SubLink" in node) return subqueryWords(node.SubLink, place);
  return specialWords(node, place);
}

const COMPARED: Readonly<Record<string, string>> = { ANY_SUBLINK: "any", ALL_SUBLINK: "all" };

function subqueryWords(link: SubLink, place: Place): Words {
  const query = subqueryChain(link, place);
  if (link.subLinkType === "EXPR_SUBLINK") return words`${query}`;
  if (link.subLinkType === "EXISTS_SUBLINK") return words`(exists ${query})`;
  if (link.subLinkType === "ARRAY_SUBLINK") return words`array${query}`;
  const compared = COMPARED[link.subLinkType ?? ""];
  if (compared === undefined || link.testexpr === undefined)
    throw new NoWords("a comparison with a query");
  const test = place.say.words(link.testexpr, place);
  if (link.operName === undefined) return words`((${test}) in ${query})`;
  const operator = deparse({
    A_Expr: { kind: "AEXPR_OP", name: link.operName, lexpr: markerNode(0), rexpr: markerNode(1) },
  }).split(MARK)[2];
  return words`((${test})${[operator ?? ""]}${[compared]} ${query})`;
}

/** A query in an expression, in parentheses. */
export function subqueryChain(link: SubLink, place: Place): Chain {
  if (link.subselect === undefined || !("SelectStmt" in link.subselect))
    throw new NoWords("a query that is no SELECT");
  const { chain } = place.say.query(link.subselect.SelectStmt, startInside(place));
  return inParentheses(chain);
}

/** Kysely puts its own queries in parentheses inside others; a fragment has to bring them. */
export function inParentheses(chain: Chain): Chain {
  return chain.kind === "template" ? template(words`(${chain})`, chain.type) : chain;
}
