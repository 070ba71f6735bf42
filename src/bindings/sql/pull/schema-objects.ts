/** Reads all objects of a database beyond PostgreSQL's own, each after those that it needs. */
import { groupBy } from "../../../core/group-by.js";
import { compareText } from "../../../core/report.js";
import type { Engine } from "../database/engine.js";
import type { Snapshot } from "../database/snapshot.js";
import {
  AGGREGATES,
  ALIASES,
  COLLATIONS,
  FUNCTIONS,
  MEMBERS,
  NEEDS,
  type ObjectRow,
  OPERATORS,
  PARTS,
  SCHEMAS,
  TABLES,
  TEXT_SEARCH,
  TYPES,
  VIEWS,
} from "./object-queries.js";

/** An object of a schema, with the SQL that creates it. */
export interface SchemaObject {
  /** Kind: `table`, `stand-in of the type`. */
  readonly kind: string;
  /** Kind and name, on one line: `table public.orders`. */
  readonly label: string;
  /** Its statements, separated by `;`. */
  readonly sql: string;
}

/**
 * One query for each kind, in the order in which kinds usually depend on each other. An object's
 * own dependencies take precedence.
 */
const QUERIES = [
  SCHEMAS,
  COLLATIONS,
  TEXT_SEARCH,
  TYPES,
  TABLES,
  FUNCTIONS,
  AGGREGATES,
  OPERATORS,
  VIEWS,
  PARTS,
  MEMBERS,
];

/** Kinds that never need a table. A part may be printed inside its table if it needs only these. */
const EARLY: ReadonlySet<string> = new Set([
  "schema",
  "extension",
  "stand-in of the collation",
  "enum",
  "sequence",
]);

/**
 * A server for foreign tables, which need one. Nothing of the real servers is kept, because their
 * options contain hosts and passwords.
 */
const STAND_IN_SERVER: SchemaObject = {
  kind: "stand-in of the servers",
  label: "stand-in of the servers of foreign tables",
  sql: "CREATE FOREIGN DATA WRAPPER skillc_stand_in;\nCREATE SERVER skillc_stand_in FOREIGN DATA WRAPPER skillc_stand_in",
};

interface ObjectCandidate {
  readonly key: string;
  readonly kind: string;
  readonly label: string;
  readonly rank: number;
  readonly row: ObjectRow;
}

/**
 * Reads all objects beyond PostgreSQL's own, in an order in which they can be created. The order
 * depends only on names.
 *
 * @param engine with only `pg_catalog` on its search path
 * @param snapshot the same engine's snapshot
 */
export async function readSchemaObjects(
  engine: Pick<Engine, "rows">,
  snapshot: Snapshot,
): Promise<readonly SchemaObject[]> {
  const found: ObjectCandidate[] = [];
  for (const [rank, query] of QUERIES.entries())
    found.push(...(await engine.rows(query)).map((row) => foundIn(row, rank)));
  found.sort((a, b) => a.rank - b.rank || compareText(a.label, b.label));
  const byKey = new Map(found.map((each) => [each.key, each]));
  const needs = await readNeeds(engine, found);
  const parts = groupBy(
    found.filter((each) => mayBeWithin(each, byKey, needs)),
    ({ row }) => row["part_of"] ?? "",
  );
  const within = new Map([...parts].flatMap(([key, all]) => all.map((part) => [part.key, key])));
  const nodes = found
    .filter(({ key }) => !within.has(key))
    .map((each) => {
      const own = parts.get(each.key) ?? [];
      const needed = [each, ...own].flatMap(({ key }) => [...(needs.get(key) ?? [])]);
      const value = objectOf(each, own, snapshot);
      return { key: each.key, value, needs: needed.map((key) => within.get(key) ?? key) };
    });
  const isForeign = found.some(({ kind }) => kind === "foreign table");
  return [...(isForeign ? [STAND_IN_SERVER] : []), ...inOrder(nodes)];
}

function foundIn(row: ObjectRow, rank: number): ObjectCandidate {
  const kind = row["kind"] ?? "";
  return {
    key: `${row["class"]}:${row["oid"]}`,
    kind,
    label: `${kind} ${onOneLine(row["name"] ?? "")}`,
    rank,
    row,
  };
}

/**
 * Escapes control characters. Names may contain any character, and must not begin a new line or
 * hide the text that follows.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\\" ? "\\\\" : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Needs of each object, by keys of objects. */
async function readNeeds(
  engine: Pick<Engine, "rows">,
  found: readonly ObjectCandidate[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const keys = new Set(found.map(({ key }) => key));
  const aliases = new Map(
    (await engine.rows(ALIASES)).map((row) => [row["alias"] ?? "", row["object"] ?? ""]),
  );
  const objectAt = (key: string): string | undefined => {
    let at: string | undefined = key;
    for (let step = 0; at !== undefined && step < 5; step += 1) {
      if (keys.has(at)) return at;
      at = aliases.get(at);
    }
    return undefined;
  };
  const needs = new Map<string, Set<string>>();
  const note = (object: string, needed: string): void => {
    const [one, other] = [objectAt(object), objectAt(needed)];
    if (one === undefined || other === undefined || one === other) return;
    needs.set(one, (needs.get(one) ?? new Set()).add(other));
  };
  for (const { key, row } of found) if (row["part_of"] != null) note(key, row["part_of"]);
  for (const row of await engine.rows(NEEDS)) note(row["object"] ?? "", row["needs"] ?? "");
  return needs;
}

/** True if a part may be printed inside its object: it needs nothing that may come later. */
function mayBeWithin(
  { key, row }: ObjectCandidate,
  byKey: ReadonlyMap<string, ObjectCandidate>,
  needs: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const needed = [...(needs.get(key) ?? [])];
  const isHere = (other: string): boolean =>
    other === row["part_of"] || EARLY.has(byKey.get(other)?.kind ?? "");
  return row["inline"] != null && needed.every(isHere);
}

function objectOf(
  { kind, label, row }: ObjectCandidate,
  parts: readonly ObjectCandidate[],
  snapshot: Snapshot,
): SchemaObject {
  const sql = row["sql"] ?? "";
  if (row["columns"] === undefined || kind === "sequence") {
    const checks = parts.map((part) => `\n  ${part.row["inline"]}`);
    return { kind, label, sql: [sql, ...checks].join("") };
  }
  const constraints = parts.filter((part) => part.kind === "constraint");
  const lines = [
    ...columnDefinitions(row, parts, snapshot),
    ...constraints.map((part) => part.row["inline"]),
  ];
  const body = lines.length === 0 ? "()" : `(\n  ${lines.join(",\n  ")}\n)`;
  return { kind, label, sql: `${sql} ${body}${row["tail"] ?? ""}` };
}

/** A column of a table, as the query returns it. */
type ColumnRow = readonly [name: string, quoted: string, type: string, made: string];

/**
 * Prints columns. NOT NULL is printed only if the column is NOT NULL in every child too. Before
 * PostgreSQL 18 a child may lack it, but the embedded one requires the same in all.
 */
function columnDefinitions(
  row: ObjectRow,
  parts: readonly ObjectCandidate[],
  { relations }: Snapshot,
): readonly string[] {
  const relation = relations.find(({ oid }) => oid === Number(row["oid"]));
  const written: readonly ColumnRow[] = JSON.parse(row["columns"] ?? "[]");
  return written.map(([name, quoted, type, made]) => {
    const isNotNull = relation?.columns.find((each) => each.name === name)?.notNull === true;
    const own = parts.find((part) => part.kind === "default" && part.row["of_column"] === name);
    const value = own === undefined ? made : ` DEFAULT ${own.row["inline"]}`;
    return `${quoted} ${type}${value}${isNotNull ? " NOT NULL" : ""}`;
  });
}

/** A value that needs others, by their keys. */
interface Node<Value> {
  readonly key: string;
  readonly value: Value;
  readonly needs: readonly string[];
}

/**
 * Sorts values so that each comes after those that it needs, and otherwise keeps their order.
 * Cycles are broken, and unknown keys ignored.
 */
export function inOrder<Value>(nodes: readonly Node<Value>[]): readonly Value[] {
  const byKey = new Map(nodes.map((each, index) => [each.key, { ...each, index }]));
  const seen = new Set<string>();
  const ordered: Value[] = [];
  for (const { key } of nodes) {
    const waiting = [{ key, isReady: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = byKey.get(next.key);
      if (node === undefined) continue;
      if (next.isReady) ordered.push(node.value);
      if (next.isReady || seen.has(node.key)) continue;
      seen.add(node.key);
      waiting.push({ key: node.key, isReady: true });
      const needed = node.needs.flatMap((each) => byKey.get(each) ?? []);
      // The stack returns the last pushed first.
      for (const each of needed.toSorted((a, b) => b.index - a.index))
        waiting.push({ key: each.key, isReady: false });
    }
  }
  return ordered;
}
