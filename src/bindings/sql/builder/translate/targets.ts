/** Translates output columns of SELECT and RETURNING. */
import type { Node, ResTarget, ReturningClause } from "@pgsql/types";
import { outputName } from "../../statement/output-name.js";
import {
  call,
  type Chain,
  type ChainType,
  joinWords,
  list,
  literal,
  mentions,
  quoted,
  template,
  type Words,
  words,
} from "../chain.js";
import { columnRef, namesOfReference, NoWords } from "../nodes.js";
import { type TranslationContext, type Query, withBuilder } from "../place.js";
import { type Columns, extend, isPlain, type Source } from "../scope.js";
import { resolveText } from "./reference.js";

/** Output columns of SELECT or RETURNING. */
interface Outputs {
  readonly calls: (on: Chain) => Chain;
  /** Columns in order; undefined if unknown. */
  readonly columns?: Columns | undefined;
}

interface OutputWords {
  /** Method for listed columns: `select`, `returning`. */
  readonly some: string;
  /** Method for all columns: `selectAll`, `returningAll`. */
  readonly all: string;
}

export const SELECT: OutputWords = { some: "select", all: "selectAll" };
const RETURNING: OutputWords = { some: "returning", all: "returningAll" };

type Target =
  | { readonly kind: "star"; readonly of?: Source | undefined }
  | {
      readonly kind: "one";
      readonly name: string;
      readonly chain: Chain;
      readonly type?: ChainType | undefined;
    };

/** Reads the output columns, and groups those that Kysely takes in one call. */
export function readTargets(
  nodes: readonly Node[],
  say: OutputWords,
  place: TranslationContext,
): Outputs {
  const targets = nodes.map((each) => readTarget(each, place));
  const runs = targets.reduce<readonly (readonly Target[])[]>((all, target) => {
    const last = all.at(-1);
    const joins = last !== undefined && target.kind === "one" && last[0]?.kind === "one";
    return joins ? [...all.slice(0, -1), [...last, target]] : [...all, [target]];
  }, []);
  const calls = (on: Chain) => runs.reduce((chain, run) => callOf(chain, run, say, place), on);
  return { calls, columns: columnsOfTargets(targets, place) };
}

function readTarget(node: Node, place: TranslationContext): Target {
  if (!("ResTarget" in node) || node.ResTarget.val === undefined)
    throw new NoWords("a malformed output column");
  const { val } = node.ResTarget;
  const ref = columnRef(val);
  if (ref === undefined || !namesOfReference(ref).star)
    return readColumn(node.ResTarget, val, place);
  const { names } = namesOfReference(ref);
  if (names.length === 0) return { kind: "star" };
  const named = names.join(".");
  const source = place.frame.sources.find(({ alias, key }) =>
    names.length === 1 ? alias === named : key === named,
  );
  if (source === undefined || source.absent || !names.every(isPlain))
    throw new NoWords(`all columns of a table outside FROM`);
  return { kind: "star", of: source };
}

function readColumn(target: ResTarget, val: Node, place: TranslationContext): Target {
  const name = outputName(target);
  if (name === undefined) throw new NoWords("an output column without a name");
  const ref = columnRef(val);
  const found = ref === undefined ? undefined : resolveText(ref, place);
  if (found !== undefined && isPlain(name)) {
    // PostgreSQL gives the column this name in any case.
    const own = found.text === name || found.text.endsWith(`.${name}`);
    const text = own ? found.text : `${found.text} as ${name}`;
    return { kind: "one", name, chain: literal(text, found.sees), type: found.type };
  }
  const { chain, type } = place.say.value(val, place);
  return { kind: "one", name, chain: call(chain, "as", literal(name)), type };
}

function callOf(
  on: Chain,
  run: readonly Target[],
  say: OutputWords,
  place: TranslationContext,
): Chain {
  const [first] = run;
  if (first?.kind === "star")
    return first.of === undefined ? call(on, say.all) : call(on, say.all, literal(first.of.key, 1));
  const chains = run.flatMap((each) => (each.kind === "one" ? [each.chain] : []));
  const [only] = chains;
  if (chains.length === 1 && only !== undefined && !mentions(only, place.frame.eb))
    return call(on, say.some, only);
  return call(on, say.some, withBuilder(list(chains), place));
}

function columnsOfTargets(
  targets: readonly Target[],
  place: TranslationContext,
): Columns | undefined {
  const columns = new Map<string, ChainType | undefined>();
  for (const target of targets) {
    const added = addedBy(target, place);
    if (added === undefined) return undefined;
    for (const [name, type] of added)
      // If two columns have the same name, Kysely's type combines both.
      columns.set(name, columns.has(name) ? undefined : type);
  }
  return columns;
}

function addedBy(target: Target, place: TranslationContext): Columns | undefined {
  if (target.kind === "one") return new Map([[target.name, target.type]]);
  if (target.of !== undefined) return target.of.partial ? undefined : target.of.columns;
  const all = place.frame.sources
    .filter(({ qualifiedOnly }) => !qualifiedOnly)
    .map(({ columns, partial }) => (partial ? undefined : columns));
  if (!all.every((each) => each !== undefined)) return undefined;
  const merged = new Map<string, ChainType | undefined>();
  for (const [name, type] of all.flatMap((each) => [...each]))
    merged.set(name, merged.has(name) ? undefined : type);
  return merged;
}

/** Translates RETURNING, in which the old and the new row are visible. */
export function returningCalls(
  on: Chain,
  clause: ReturningClause | undefined,
  place: TranslationContext,
): Query {
  if (clause === undefined) return { chain: on };
  const rows: readonly Source[] = ["old", "new"].map((each) => hidden(each));
  const seen = { ...place, frame: extend(place.frame, rows) };
  if (clause.options !== undefined) return spelledOut(on, clause, place);
  const { calls, columns } = readTargets(clause.exprs ?? [], RETURNING, seen);
  return { chain: calls(on), columns };
}

/**
 * Translates RETURNING of an INSERT. There Kysely returns all columns only without the table's
 * name.
 */
export function insertedCalls(
  on: Chain,
  clause: ReturningClause | undefined,
  place: TranslationContext,
): Query {
  const named = clause?.exprs?.some((each) => {
    const ref = "ResTarget" in each ? columnRef(each.ResTarget.val) : undefined;
    const fields = ref === undefined ? undefined : namesOfReference(ref);
    return fields?.star === true && fields.names.length > 0;
  });
  return clause !== undefined && named
    ? spelledOut(on, clause, place)
    : returningCalls(on, clause, place);
}

function hidden(alias: string): Source {
  return { alias, key: alias, types: "hidden", qualifiedOnly: true };
}

/**
 * `RETURNING WITH (OLD AS o)`, which Kysely can't express. At the end of a statement it has no
 * builder either.
 */
function spelledOut(
  on: Chain,
  { options = [], exprs = [] }: ReturningClause,
  place: TranslationContext,
): Query {
  const sources = place.frame.sources.map((source) => ({ ...source, types: "hidden" as const }));
  const unchecked = { ...place, frame: { ...place.frame, sources } };
  const named = options.map((each): Words => {
    const { option, value = "" } = "ReturningOption" in each ? each.ReturningOption : {};
    return words`${[option === "RETURNING_OPTION_OLD" ? "old" : "new"]} as ${quoted(value)}`;
  });
  const outputs = exprs.map((each): Words => {
    if (!("ResTarget" in each) || each.ResTarget.val === undefined)
      throw new NoWords("a malformed output column");
    const written = unchecked.say.words(each.ResTarget.val, unchecked);
    const { name } = each.ResTarget;
    return name === undefined ? written : words`${written} as ${quoted(name)}`;
  });
  const rows = named.length === 0 ? [] : words`with (${joinWords(named, ", ")}) `;
  const returning = words`returning ${rows}${joinWords(outputs, ", ")}`;
  return { chain: call(on, "modifyEnd", template(returning)) };
}
