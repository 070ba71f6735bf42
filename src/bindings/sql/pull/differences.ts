/** How two snapshots differ, object by object, by the names that their statements have. */
import type { ColumnDef, CreateFunctionStmt, Node } from "@pgsql/types";
import { groupBy } from "../../../core/group-by.js";
import { readHeader, type SnapshotHeader } from "../database/snapshot-header.js";
import { readOffsets } from "../statement/lexer.js";
import { bodyOf, everyNode, fieldsOf } from "../statement/tree.js";
import { type LabelledStatement, leftOutLine, readBlocks } from "./snapshot-file.js";

/** One way in which a snapshot differs from an earlier one. */
export interface Difference {
  /** A sentence without its full stop. */
  readonly what: string;
  /**
   * The name of what has changed, without its schema; undefined where it has none that statements
   * say.
   */
  readonly subject?: string | undefined;
  /** A column of that table which is gone or is another now. */
  readonly column?: string;
}

/** A snapshot's file, taken apart. */
export interface ReadSnapshot {
  readonly header: SnapshotHeader;
  readonly statements: readonly LabelledStatement[];
  readonly text: string;
}

/** Undefined for a file that `skillc db pull` did not write, or that was broken since. */
export async function readSnapshotFile(written: string): Promise<ReadSnapshot | undefined> {
  const text = written.replaceAll("\r\n", "\n");
  const header = readHeader(text);
  const statements = header && (await readBlocks(text));
  return header && statements && { header, statements, text };
}

/**
 * How the second snapshot differs from the first, in words: what is gone, then what is new or has
 * changed.
 */
export function differences(before: ReadSnapshot, now: ReadSnapshot): readonly Difference[] {
  const [old, own] = [objectsIn(before), objectsIn(now)];
  const gone = [...old]
    .filter(([label]) => !own.has(label))
    .map(([label, each]) => difference(`${label} is gone`, each));
  const others = [...own].flatMap(([label, each]): readonly Difference[] => {
    const other = old.get(label);
    if (other === undefined) return [difference(`${label} is new`, each)];
    return other.sql === each.sql ? [] : changesOf(label, other, each);
  });
  const found = [...headerChanges(before.header, now.header), ...gone, ...others];
  if (found.length > 0 || before.text === now.text) return found;
  return [{ what: "the file was edited, or written by another version of skillc" }];
}

interface ObjectText {
  readonly sql: string;
  readonly text: string;
  /** Of its first statement. */
  readonly tree?: Node;
}

/** By label; what the file could not hold has a place there too. */
function objectsIn({ statements, text }: ReadSnapshot): ReadonlyMap<string, ObjectText> {
  const made = [...groupBy(statements, ({ label }) => label)].map(
    ([label, own]): [string, ObjectText] => [
      label,
      { sql: own.map(({ sql }) => sql).join(";\n"), text, ...(own[0] && { tree: own[0].tree }) },
    ],
  );
  const header = text.slice(0, statements[0]?.start ?? text.length).split("\n");
  const refused = header.flatMap((line, index): [string, ObjectText][] =>
    line.startsWith(leftOutLine)
      ? [[line.slice(leftOutLine.length), { sql: header[index + 2] ?? "", text }]]
      : [],
  );
  return new Map([...made, ...refused]);
}

function difference(what: string, { tree }: ObjectText): Difference {
  return { what, subject: tree && subjectOf(tree) };
}

function headerChanges(before: SnapshotHeader, now: SnapshotHeader): readonly Difference[] {
  const [old, own] = [before, now].map(({ searchPath }) => searchPath.join(", "));
  return [
    ...(before.server === now.server
      ? []
      : [{ what: `the server is PostgreSQL ${now.server}, and was ${before.server}` }]),
    ...(old === own
      ? []
      : [{ what: `names are looked up in ${own || "no schema"}, and were in ${old || "none"}` }]),
  ];
}

function changesOf(label: string, before: ObjectText, now: ObjectText): readonly Difference[] {
  const [old, own] = [partsOfObject(before), partsOfObject(now)];
  const parts = [...new Set([...old.keys(), ...own.keys()])].flatMap(
    (name): readonly Difference[] => {
      const [was, is] = [old.get(name), own.get(name)];
      if (was?.text === is?.text) return [];
      const part = `${label}: ${name}`;
      const column = is?.column ?? was?.column;
      const at = {
        subject: now.tree && subjectOf(now.tree),
        ...(column !== undefined && { column }),
      };
      if (was === undefined) return [{ what: `${part} is new`, ...at }];
      if (is === undefined) return [{ what: `${part} is gone`, ...at }];
      return [{ what: `${part} is \`${is.text}\`, and was \`${was.text}\``, ...at }];
    },
  );
  return parts.length > 0 ? parts : [difference(`${label} has changed`, now)];
}

interface Part {
  readonly text: string;
  readonly column?: string;
}

/**
 * The columns and constraints of a table, the labels of an enum, what a function promises, by what
 * they are called; none for what has no parts.
 */
function partsOfObject({ sql, text, tree }: ObjectText): ReadonlyMap<string, Part> {
  if (tree === undefined) return new Map();
  if ("CreateEnumStmt" in tree)
    return new Map(
      (tree.CreateEnumStmt.vals ?? []).flatMap((each) =>
        "String" in each ? [labelOf(each.String.sval ?? "")] : [],
      ),
    );
  if ("CreateFunctionStmt" in tree) return partsOfFunction(tree.CreateFunctionStmt, sql);
  const elements = elementsOf(tree);
  const offsets = readOffsets(text);
  const starts = elements.map((each) => offsets.ofByte(locationOfElement(each)));
  return new Map(
    elements.flatMap((each, index): [string, Part][] => {
      const end = starts[index + 1] ?? text.indexOf("\n)", starts[index]);
      const own = text.slice(starts[index], end).replace(/,?\s*$/, "");
      if ("ColumnDef" in each) {
        const column = each.ColumnDef.colname ?? "";
        return [[`the column ${column}`, { text: own, column }]];
      }
      return "Constraint" in each
        ? [[`the constraint ${each.Constraint.conname ?? ""}`, { text: own }]]
        : [];
    }),
  );
}

/** What its callers see of a function, beside its arguments. */
function partsOfFunction({ options }: CreateFunctionStmt, sql: string): ReadonlyMap<string, Part> {
  const optionNamed = (name: string): Node | undefined =>
    (options ?? []).map((each) => fieldsOf(each, "DefElem")).find((each) => each?.defname === name)
      ?.arg;
  const result = sql.slice(sql.lastIndexOf("\n  RETURNS "), sql.lastIndexOf("\n  LANGUAGE "));
  const volatility = fieldsOf(optionNamed("volatility"), "String")?.sval ?? "volatile";
  return new Map([
    ["the result", { text: result.trim() }],
    ["the volatility", { text: volatility.toUpperCase() }],
    ["the answer to NULL", { text: optionNamed("strict") ? "STRICT" : "CALLED ON NULL INPUT" }],
  ]);
}

function labelOf(label: string): [string, Part] {
  return [`the label ${label}`, { text: label }];
}

function locationOfElement(element: Node): number {
  if ("ColumnDef" in element) return element.ColumnDef.location ?? 0;
  return "Constraint" in element ? (element.Constraint.location ?? 0) : 0;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Names that a tree says, without their schemas: of tables, columns, functions, types and
 * operators; `*` where it takes all columns, as a natural join and a table's name in the place of a
 * column do too.
 */
export function namesSaid(tree: Node): ReadonlySet<string> {
  const seen = new Set<string>();
  const rows = new Set<unknown>();
  const alone = new Set<unknown>();
  const add = (name: unknown): void => {
    if (typeof name === "string") seen.add(name);
  };
  for (const { body, kind } of everyNode(tree)) {
    const { fields, isNatural, name, relation, sval }: Fields = { ...body };
    // What a statement writes to stands under `relation`, without its kind's name.
    const table = kind === "RangeVar" ? body : relation;
    add(fieldOf(table, "relname"));
    rows.add(fieldOf(table, "relname")).add(fieldOf(fieldOf(table, "alias"), "aliasname"));
    if (kind === "String") add(sval);
    if (kind === "ResTarget") add(name);
    if (kind === "A_Star" || isNatural === true) add("*");
    if (kind === "ColumnRef" && Array.isArray(fields) && fields.length === 1)
      alone.add(fieldOf(fieldOf(fields[0], "String"), "sval"));
  }
  if ([...alone].some((each) => each !== undefined && rows.has(each))) add("*");
  return seen;
}

/** Names of the types that a tree says. */
export function typesSaid(tree: Node): ReadonlySet<string> {
  const types = everyNode(tree).filter(({ kind }) => kind === "TypeName");
  return new Set(types.flatMap(({ body }) => [...namesSaid({ TypeName: body })]));
}

/** The columns that a statement makes a table of, or a composite type. */
export function columnsIn(tree: Node): readonly ColumnDef[] {
  return elementsOf(tree).flatMap((each) => ("ColumnDef" in each ? [each.ColumnDef] : []));
}

/** The columns and constraints that a statement makes a table of, and those of a composite type. */
function elementsOf(tree: Node): readonly Node[] {
  if ("CreateStmt" in tree) return tree.CreateStmt.tableElts ?? [];
  if ("CreateForeignTableStmt" in tree) return tree.CreateForeignTableStmt.base?.tableElts ?? [];
  return "CompositeTypeStmt" in tree ? (tree.CompositeTypeStmt.coldeflist ?? []) : [];
}

/**
 * The name, without its schema, of the table, type or function that a statement of a snapshot makes
 * or adds to; undefined for what is none of them.
 */
export function subjectOf(tree: Node): string | undefined {
  const fields: Fields = { ...bodyOf(tree) };
  const { base, into, relations } = fields;
  const relation =
    fields["relation"] ??
    fields["view"] ??
    fields["table"] ??
    fields["typevar"] ??
    fields["sequence"] ??
    fieldOf(into, "rel") ??
    fieldOf(base, "relation") ??
    fieldOf(Array.isArray(relations) ? relations[0] : undefined, "RangeVar");
  const named = fieldOf(relation, "relname");
  if (typeof named === "string") return named;
  const names =
    fields["funcname"] ?? fields["domainname"] ?? fields["typeName"] ?? fields["defnames"];
  const last = fieldOf(fieldOf(Array.isArray(names) ? names.at(-1) : undefined, "String"), "sval");
  return typeof last === "string" ? last : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
