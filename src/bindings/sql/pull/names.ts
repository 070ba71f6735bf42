import type { ColumnDef, Node } from "@pgsql/types";
import { bodyOf, everyNode } from "../statement/tree.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Names that a tree says, without their schemas: of tables, columns, functions, types and operators; `*` where it takes all columns, as a natural join and a
 * table's name in the place of a column do too.
 */
export function namesSaid(tree: Node): ReadonlySet<string> {
  const said = new Set<string>();
  const rows = new Set<unknown>();
  const alone = new Set<unknown>();
  const add = (name: unknown): void => {
    if (typeof name === "string") said.add(name);
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
  return said;
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
export function elementsOf(tree: Node): readonly Node[] {
  if ("CreateStmt" in tree) return tree.CreateStmt.tableElts ?? [];
  if ("CreateForeignTableStmt" in tree) return tree.CreateForeignTableStmt.base?.tableElts ?? [];
  return "CompositeTypeStmt" in tree ? (tree.CompositeTypeStmt.coldeflist ?? []) : [];
}

/** The name, without its schema, of the table, type or function that a statement of a snapshot makes or adds to; undefined for what is none of them. */
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
