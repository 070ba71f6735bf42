import type { SelectStmt } from "@pgsql/types";
import { rewrite } from "./name-everything.js";
import { writtenStars } from "./written-stars.js";

/**
 * The tree without what makes no difference. Both trees go through it, the author's and the one of the compiled SQL; what they differ in after it,
 * they differ in.
 *
 * - Places in the text.
 * - `LATERAL` before a function in FROM, which PostgreSQL calls a noise word: functions see what is before them in any case.
 * - `foo.bar AS bar`: an alias that is the table's own name.
 * - A comma in FROM and CROSS JOIN: `a, b` is by definition `a CROSS JOIN b`, and no condition stands between them that could see less.
 * - `SELECT *` and `SELECT a.*, b.*` from `a, b`.
 */
export function withoutHarmless(tree: unknown): unknown {
  return rewrite(tree, (node) => crossJoined(starless(ownAlias(noiseless(withoutPlaces(node))))));
}

const PLACES: ReadonlySet<string> = new Set([
  "list_end",
  "list_start",
  "location",
  "name_location",
  "rexpr_list_end",
  "rexpr_list_start",
  "stmt_len",
  "stmt_location",
]);

function withoutPlaces(node: object): object {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !PLACES.has(key)));
}

function noiseless(node: object): object {
  const kind =
    "RangeFunction" in node
      ? "RangeFunction"
      : "RangeTableFunc" in node
        ? "RangeTableFunc"
        : "JsonTable";
  if (!(kind in node)) return node;
  const { lateral: _, ...fields } = Object(Reflect.get(node, kind));
  return { [kind]: fields };
}

function ownAlias(node: object): object {
  if (!("relname" in node) || !("alias" in node)) return node;
  const { aliasname, colnames } = Object(node.alias);
  if (aliasname !== node.relname || colnames !== undefined) return node;
  const { alias: _, ...fields } = node;
  return fields;
}

function starless(node: object): object {
  if (!("targetList" in node) || !("fromClause" in node) || !("op" in node)) return node;
  // Only SELECT has these three.
  const { fromClause = [], targetList = [] } = node as SelectStmt;
  const written = writtenStars(targetList, fromClause);
  return written === undefined ? node : { ...node, targetList: written };
}

const LISTS = ["fromClause", "usingClause"] as const;

function crossJoined(node: object): object {
  const key = LISTS.find((each) => each in node);
  const list: unknown = key === undefined ? undefined : Reflect.get(node, key);
  // USING of a join is a list of names.
  if (key === undefined || !Array.isArray(list) || "jointype" in node) return node;
  const joined = list.reduce((larg: unknown, rarg: unknown) => ({
    JoinExpr: { jointype: "JOIN_INNER", larg, rarg },
  }));
  return { ...node, [key]: [joined] };
}
