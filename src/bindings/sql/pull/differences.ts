/** Compares two snapshots object by object, by the names in their statements. */
import type { ColumnDef, CreateFunctionStmt, Node } from "@pgsql/types";
import { groupBy } from "../../../core/group-by.js";
import { readHeader, type SnapshotHeader } from "../database/snapshot-header.js";
import { readOffsets } from "../statement/lexer.js";
import { bodyOf, everyNode, fieldsOf } from "../statement/tree.js";
import { type LabelledStatement, leftOutLine, readBlocks } from "./snapshot-file.js";

/** One difference between a snapshot and an earlier one. */
export interface Difference {
  /** A sentence without its full stop. */
  readonly what: string;
  /** Unqualified name of the changed object; undefined if statements can't name it. */
  readonly subject?: string | undefined;
  /** A column of that table that is gone or has changed. */
  readonly column?: string;
}

/** A snapshot's file, split into statements. */
export interface ReadSnapshot {
  readonly header: SnapshotHeader;
  readonly statements: readonly LabelledStatement[];
  readonly text: string;
}

/**
 * Reads a snapshot's file; undefined if `skillc db pull` did not write it, or if it can't be
 * parsed.
 */
export async function readSnapshotFile(written: string): Promise<ReadSnapshot | undefined> {
  const text = written.replaceAll("\r\n", "\n");
  const header = readHeader(text);
  const statements = header && (await readBlocks(text));
  return header && statements && { header, statements, text };
}

/**
 * Describes how the second snapshot differs from the first: removed objects, then new and changed
 * ones.
 */
export function differences(before: ReadSnapshot, now: ReadSnapshot): readonly Difference[] {
  const [old, own] = [objectsIn(before), objectsIn(now)];
  const gone = [...old]
    .filter(([label]) => !own.has(label))
    .map(([label, each]) => difference(`${label} was removed`, each));
  const others = [...own].flatMap(([label, each]): readonly Difference[] => {
    const other = old.get(label);
    if (other === undefined) return [difference(`${label} is new`, each)];
    return other.sql === each.sql ? [] : changesOf(label, other, each);
  });
  const found = [...headerChanges(before.header, now.header), ...gone, ...others];
  if (found.length > 0 || before.text === now.text) return found;
  return [{ what: "somebody edited the file, or another version of skillc wrote it" }];
}

interface ObjectText {
  readonly sql: string;
  readonly text: string;
  /** Tree of its first statement. */
  readonly tree?: Node;
}

/** Maps labels to objects, including those that the file could not hold. */
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
      : [{ what: `the server is PostgreSQL ${now.server}; it was ${before.server}` }]),
    ...(old === own
      ? []
      : [{ what: `the search path is ${own || "empty"}; it was ${old || "empty"}` }]),
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
      if (is === undefined) return [{ what: `${part} was removed`, ...at }];
      return [{ what: `${part} is \`${is.text}\`; it was \`${was.text}\``, ...at }];
    },
  );
  return parts.length > 0 ? parts : [difference(`${label} has changed`, now)];
}

interface Part {
  readonly text: string;
  readonly column?: string;
}

/**
 * The parts of an object by name: columns and constraints of a table, labels of an enum, the
 * contract of a function. Empty for other objects.
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

/** The contract of a function besides its arguments. */
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
 * Unqualified names in a tree: of tables, columns, functions, types and operators. `*` stands for
 * all columns; a natural join and a table's name in place of a column mean that too.
 */
export function mentionedNames(tree: Node): ReadonlySet<string> {
  const seen = new Set<string>();
  const rows = new Set<unknown>();
  const alone = new Set<unknown>();
  const add = (name: unknown): void => {
    if (typeof name === "string") seen.add(name);
  };
  for (const { body, kind } of everyNode(tree)) {
    const { fields, isNatural, name, relation, sval }: Fields = { ...body };
    // The target table is under `relation`, without the name of its node kind.
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

/** Names of the types in a tree. */
export function mentionedTypes(tree: Node): ReadonlySet<string> {
  const types = everyNode(tree).filter(({ kind }) => kind === "TypeName");
  return new Set(types.flatMap(({ body }) => [...mentionedNames({ TypeName: body })]));
}

/** Columns in the statement that creates a table or a composite type. */
export function columnsIn(tree: Node): readonly ColumnDef[] {
  return elementsOf(tree).flatMap((each) => ("ColumnDef" in each ? [each.ColumnDef] : []));
}

/**
 * Columns and constraints in the statement that creates a table, or columns of a composite type.
 */
function elementsOf(tree: Node): readonly Node[] {
  if ("CreateStmt" in tree) return tree.CreateStmt.tableElts ?? [];
  if ("CreateForeignTableStmt" in tree) return tree.CreateForeignTableStmt.base?.tableElts ?? [];
  return "CompositeTypeStmt" in tree ? (tree.CompositeTypeStmt.coldeflist ?? []) : [];
}

/**
 * Unqualified name of the table, type or function that a statement of a snapshot creates or alters;
 * undefined for any other.
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
