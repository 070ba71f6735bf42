import type { SelectStmt } from "@pgsql/types";
import { call, type Chain, lambda, mentions, name, neverType, typedCall } from "../chain.js";
import { NoWords } from "../nodes.js";
import type { Query, QueryStart } from "../place.js";
import { frameAt } from "../place.js";
import { template, words } from "../words.js";
import { columnsType, hiddenRow } from "./columns.js";
import { inParentheses } from "./fragment.js";
import { endCalls } from "./limit.js";
import { fragmentPlace, orderCalls, placeOf } from "./select.js";

const METHODS: Readonly<Record<string, string>> = {
  SETOP_EXCEPT: "except",
  SETOP_INTERSECT: "intersect",
  SETOP_UNION: "union",
};

/** UNION, INTERSECT and EXCEPT. */
export function setOperation(select: SelectStmt, start: QueryStart): Query {
  const { larg, rarg, op, all } = select;
  const word = METHODS[op ?? ""];
  if (larg === undefined || rarg === undefined || word === undefined)
    throw new NoWords("a set operation of nothing");
  const left = start.say.query(larg, start);
  const chain =
    standsOpen(larg, op) && left.chain.kind !== "template"
      ? call(left.chain, all ? `${word}All` : word, operand(rarg, start))
      : fragment(left, `${word}${all ? " all" : ""}`, rarg, start);
  return endOf({ ...left, chain }, select, start);
}

/** Whether a query may stand on the left without parentheses. */
function standsOpen(left: SelectStmt, op: string | undefined): boolean {
  const ended = left.sortClause ?? left.limitCount ?? left.limitOffset ?? left.lockingClause;
  if (ended !== undefined || left.withClause !== undefined) return false;
  const tighter = op === "SETOP_INTERSECT";
  return left.op === "SETOP_NONE" || !tighter || left.op === "SETOP_INTERSECT";
}

/** Kysely puts no parentheses around what follows the word: only a plain query stands without. */
function operand(right: SelectStmt, start: QueryStart): Chain {
  const eb = frameAt(start.depth, undefined, false).eb;
  const inner: QueryStart = {
    ...start,
    names: { ...start.names, start: name(eb) },
    seesOuter: false,
    depth: start.depth + 1,
  };
  const { chain } = start.say.query(right, inner);
  const plain = right.op === "SETOP_NONE" && standsOpen(right, undefined);
  // PostgreSQL matches the columns by their places, whatever they are called: the types have no say.
  const typed =
    chain.kind !== "template" && plain
      ? typedCall(chain, "$castTo", [neverType])
      : template(words`${inParentheses(chain)}`, neverType);
  return mentions(typed, eb) ? lambda(eb, typed) : typed;
}

/** Where the left side has to stand in parentheses. */
function fragment(left: Query, word: string, right: SelectStmt, start: QueryStart): Chain {
  fragmentPlace(start);
  const { chain } = start.say.query(right, start);
  const row = left.columns === undefined ? hiddenRow : columnsType(left.columns);
  return template(words`${inParentheses(left.chain)}${[` ${word} `]}${inParentheses(chain)}`, row);
}

function endOf(query: Query, select: SelectStmt, start: QueryStart): Query {
  const place = placeOf(start);
  const { sortClause, limitCount, limitOffset, lockingClause } = select;
  if (!(sortClause ?? limitCount ?? limitOffset ?? lockingClause)) return query;
  if (query.chain.kind === "template") return { ...query, chain: saidAtEnd(query, select, start) };
  const outputs = new Set(query.columns?.keys());
  const ordered = orderCalls(query.chain, sortClause, {
    ...place,
    frame: { ...place.frame, outputs },
  });
  return { ...query, chain: endCalls(ordered, select, place) };
}

/** ORDER BY and LIMIT behind a fragment: the words of a query that has nothing else. */
function saidAtEnd({ chain, columns }: Query, select: SelectStmt, start: QueryStart): Chain {
  const place = fragmentPlace(start);
  const { sortClause, limitCount, limitOffset, limitOption, lockingClause } = select;
  const said = start.say.words(
    {
      SelectStmt: {
        targetList: [{ ResTarget: { val: { A_Const: { ival: { ival: 1 } } } } }],
        ...(sortClause && { sortClause }),
        ...(limitCount && { limitCount }),
        ...(limitOffset && { limitOffset }),
        ...(limitOption && { limitOption }),
        ...(lockingClause && { lockingClause }),
        op: "SETOP_NONE",
      },
    },
    place,
  );
  const [first = "", ...rest] = said;
  if (typeof first !== "string" || !first.startsWith("SELECT 1"))
    throw new NoWords("the end of a set operation");
  const row = columns === undefined ? hiddenRow : columnsType(columns);
  return template([...words`${chain}`, first.slice("SELECT 1".length), ...rest], row);
}
