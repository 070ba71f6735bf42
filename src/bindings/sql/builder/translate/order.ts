/** Translates ORDER BY, LIMIT, OFFSET and FETCH. */
import type { LockingClause, Node, RangeVar, SelectStmt, SortBy } from "@pgsql/types";
import { getOwn } from "../../../../core/json.js";
import {
  call,
  type Chain,
  type ChainType,
  lambda,
  list,
  literal,
  name,
  numberType,
  quotedList,
  template,
  type Words,
  words,
} from "../chain.js";
import { columnRef, namesOfReference, NoWords } from "../nodes.js";
import { type TranslationContext, withBuilder } from "../place.js";
import { isPlain } from "../scope.js";

/** The arguments of `.orderBy`. */
export function orderArguments(by: SortBy, place: TranslationContext): readonly Chain[] {
  if (by.node === undefined) throw new NoWords("ORDER BY without an expression");
  if (by.sortby_dir === "SORTBY_USING") return [withBuilder(orderUsing(by, place), place)];
  const what = orderedValue(by, place);
  const direction = DIRECTIONS[by.sortby_dir ?? ""];
  const nulls = NULLS[by.sortby_nulls ?? ""];
  if (nulls === undefined) return direction === undefined ? [what] : [what, literal(direction)];
  const item = name("item");
  const directed = direction === undefined ? item : call(item, direction);
  return [what, lambda("item", call(directed, nulls))];
}

const DIRECTIONS: Readonly<Record<string, string>> = { SORTBY_ASC: "asc", SORTBY_DESC: "desc" };
const NULLS: Readonly<Record<string, string>> = {
  SORTBY_NULLS_FIRST: "nullsFirst",
  SORTBY_NULLS_LAST: "nullsLast",
};

/** In ORDER BY, a bare name refers to an output column first. */
function orderedValue({ node }: SortBy, place: TranslationContext): Chain {
  if (node === undefined) throw new NoWords("ORDER BY without an expression");
  const output = outputName(columnRef(node), place);
  const what = output ?? place.say.operand(node, place);
  // Kysely splits a string at a space.
  const apart = what.kind === "literal" && String(what.value).includes(" ");
  return withBuilder(apart ? place.say.value(node, place).chain : what, place);
}

export function outputName(
  ref: ReturnType<typeof columnRef>,
  place: TranslationContext,
): Chain | undefined {
  if (ref === undefined) return undefined;
  const { names, star } = namesOfReference(ref);
  const [only, ...others] = names;
  if (star || only === undefined || others.length > 0 || !isPlain(only)) return undefined;
  return place.frame.outputs.has(only) ? literal(only, 1) : undefined;
}

function orderUsing(by: SortBy, place: TranslationContext): Chain {
  const written = place.say.words({ SortBy: by }, place);
  return template(words`${written}`);
}

/** Translates the end of a query: LIMIT, OFFSET, FETCH … WITH TIES, and row locks. */
export function endCalls(on: Chain, select: SelectStmt, place: TranslationContext): Chain {
  const ties = select.limitOption === "LIMIT_OPTION_WITH_TIES";
  const { limitCount, limitOffset } = select;
  const limited =
    limitCount === undefined || ties ? on : call(on, "limit", count(limitCount, place));
  const skipped =
    limitOffset === undefined ? limited : call(limited, "offset", count(limitOffset, place));
  const locks = (select.lockingClause ?? []).map(lockOf);
  const fetched = ties && limitCount !== undefined ? [withTies(limitCount, place)] : [];
  const [only, ...others] = locks;
  // Kysely reorders clauses at the end of a query, so several are emitted as one.
  if (only !== undefined && others.length === 0 && fetched.length === 0)
    return lockCalls(skipped, only);
  const ends = [...fetched, ...locks.map(lockWords)];
  if (ends.length === 0) return skipped;
  const written = ends.flatMap((each, index) => (index === 0 ? each : [" ", ...each]));
  return call(skipped, "modifyEnd", template(written));
}

const COUNT: ChainType = numberType;

function count(node: Node, place: TranslationContext): Chain {
  return withBuilder(place.say.coerced(node, place, COUNT), place);
}

function withTies(node: Node, place: TranslationContext): Words {
  return words`fetch first (${place.say.words(node, place)}) rows with ties`;
}

interface Lock {
  readonly method: string;
  readonly written: string;
  readonly tables: readonly string[];
  readonly wait: string | undefined;
}

const STRENGTHS: Readonly<Record<string, readonly [method: string, written: string]>> = {
  LCS_FORKEYSHARE: ["forKeyShare", "for key share"],
  LCS_FORNOKEYUPDATE: ["forNoKeyUpdate", "for no key update"],
  LCS_FORSHARE: ["forShare", "for share"],
  LCS_FORUPDATE: ["forUpdate", "for update"],
};
const WAITS: Readonly<Record<string, readonly [method: string, written: string]>> = {
  LockWaitError: ["noWait", "nowait"],
  LockWaitSkip: ["skipLocked", "skip locked"],
};

function lockOf(node: Node): Lock {
  const clause: LockingClause = "LockingClause" in node ? node.LockingClause : {};
  const strength = STRENGTHS[clause.strength ?? ""];
  if (strength === undefined) throw new NoWords("this kind of lock");
  const [method, written] = strength;
  const tables = (clause.lockedRels ?? []).map(lockedName);
  return { method, written, tables, wait: clause.waitPolicy };
}

function lockedName(node: Node): string {
  const range: RangeVar = "RangeVar" in node ? node.RangeVar : {};
  if (range.relname === undefined) throw new NoWords("a lock without a table");
  return range.relname;
}

function lockCalls(on: Chain, { method, tables, wait }: Lock): Chain {
  const [only, ...others] = tables.map((each) => literal(each, 1));
  const of = only === undefined ? [] : others.length === 0 ? [only] : [list([only, ...others])];
  const locked = call(on, method, ...of);
  const waiting = getOwn(WAITS, wait ?? "");
  return waiting === undefined ? locked : call(locked, waiting[0]);
}

function lockWords({ written, tables, wait }: Lock): Words {
  const of = tables.length === 0 ? [] : words` of ${quotedList(tables)}`;
  const waiting = getOwn(WAITS, wait ?? "");
  return words`${[written]}${of}${waiting === undefined ? [] : [` ${waiting[1]}`]}`;
}
