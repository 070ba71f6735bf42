import type { Node } from "@pgsql/types";
import { shown } from "../../../core/names.js";
import { didYouMean, nearestName, suggestion } from "../../../schema/suggestion.js";
import { pgCatalogOf, relationOf } from "../database/pg-catalog.js";
import type { Snapshot } from "../database/snapshot.js";
import { fieldsOf, namesIn, walk } from "../statement/tree.js";
import type { SqlErrorContext } from "./input.js";
import { type NodeAtError, nodeAtError, type TableInSight, tablesInSight } from "./scope.js";

/**
 * Explanation of an unknown name. The message uses PostgreSQL's English words, so that it is the
 * same for every server language.
 */
export interface SqlErrorExplanation {
  /** Undefined if PostgreSQL's own message says more. */
  readonly message?: string | undefined;
  readonly help?: string | undefined;
  /** The name, if the error has no position. */
  readonly name?: string;
}

/** Explains 42P01: an unknown table, or an unknown qualifier of columns. */
export function explainUnknownTable({
  error,
  snapshot,
  statement,
}: SqlErrorContext): SqlErrorExplanation {
  const found = nodeAtError(error, statement.sql, "ColumnRef", "RangeVar");
  if (found === undefined) return {};
  const { around, node } = found;
  const range = fieldsOf(node, "RangeVar");
  const sight = tablesInSight(around, pgCatalogOf(snapshot)).flat();
  if (range === undefined) {
    const name =
      namesIn(fieldsOf(node, "ColumnRef")?.fields).at(-2) ?? namesOfStar(node).at(-1) ?? "";
    const isThere = sight.some((each) => each.alias === name || each.name === name);
    const message = isThere ? undefined : `missing FROM-clause entry for table "${name}"`;
    return { message, help: aliasHelp(name, sight) };
  }
  const { relname = "", schemaname } = range;
  if (around.some((each) => "LockingClause" in each)) return { help: aliasHelp(relname, sight) };
  const name = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  return {
    message: `relation "${name}" does not exist`,
    help: meantAmong(name, snapshot.relations, snapshot),
  };
}

/** The names of `o.*`. */
function namesOfStar(node: Node): readonly string[] {
  const fields = fieldsOf(node, "ColumnRef")?.fields ?? [];
  return fields.some((each) => "A_Star" in each) ? namesIn(fields) : [];
}

/**
 * Explains 42704: an unknown type, or an unknown constraint in ON CONFLICT, for which PostgreSQL
 * gives no position.
 */
export function explainUnknownType({
  error,
  snapshot,
  statement,
}: SqlErrorContext): SqlErrorExplanation {
  const found = nodeAtError(error, statement.sql, "TypeName");
  const type = fieldsOf(found?.node, "TypeName");
  if (type === undefined) {
    const constraint = error.position === undefined ? constraintIn(statement.tree) : undefined;
    return constraint === undefined ? {} : { name: constraint };
  }
  const name = namesIn(type.names).join(".");
  const isBare = !(type.arrayBounds ?? type.typmods ?? type.setof);
  return {
    message: isBare ? `type "${name}" does not exist` : undefined,
    help: meantAmong(name, snapshot.types, snapshot),
  };
}

function constraintIn(tree: Node): string | undefined {
  return fieldsOf(tree, "InsertStmt")?.onConflictClause?.infer?.conname;
}

/** Help for 42883 for a function. Only PostgreSQL's message states the argument types. */
export function functionHelp({ error, snapshot, statement }: SqlErrorContext): string | undefined {
  const found = nodeAtError(error, statement.sql, "FuncCall");
  const path = namesIn(fieldsOf(found?.node, "FuncCall")?.funcname);
  if (path.length === 0 || pgCatalogOf(snapshot).functions(path).length > 0) return undefined;
  return meantAmong(path.join("."), snapshot.functions, snapshot);
}

/** Explains 42703: an unknown column that is read, written, or used in a join. */
export function explainUnknownColumn(context: SqlErrorContext): SqlErrorExplanation {
  const { error, snapshot, statement } = context;
  if (error.position === undefined) return explainUnknownJoinColumn(context);
  const found = nodeAtError(error, statement.sql, "ColumnRef", "ResTarget");
  if (found === undefined) return {};
  const target = fieldsOf(found.node, "ResTarget");
  if (target !== undefined) return explainUnknownTarget(target.name ?? "", found, snapshot);
  const names = namesIn(fieldsOf(found.node, "ColumnRef")?.fields);
  const [name = "", qualifier] = names.toReversed();
  const written = qualifier === undefined ? `"${name}"` : `${qualifier}.${name}`;
  const sight = tablesInSight(found.around, pgCatalogOf(snapshot));
  return {
    message: names.length > 2 ? undefined : `column ${written} does not exist`,
    help:
      columnHelp(name, qualifier, sight) ??
      (error.detail === undefined ? columnsHelp(qualifier, sight) : undefined),
  };
}

/** Largest difference for a suggestion, as in PostgreSQL's own hints. */
const maxDifferent = (name: string): number => Math.min(3, Math.floor(name.length / 2));

/** The nearest column of the innermost statement that has one, qualified as PostgreSQL does. */
function columnHelp(
  name: string,
  qualifier: string | undefined,
  sight: readonly (readonly TableInSight[])[],
): string | undefined {
  for (const tables of sight) {
    const own = tables.filter(({ alias }) => qualifier === undefined || alias === qualifier);
    const near = nearestName(
      name,
      own.flatMap(({ columns }) => columns.map((each) => each.name)),
      maxDifferent,
    );
    const having = own.filter(({ columns }) => columns.some((each) => each.name === near));
    const [first] = having;
    if (near !== undefined && first !== undefined) {
      const all = having.slice(0, 2).map(({ alias }) => `\`${shown(`${alias}.${near}`)}\``);
      return `did you mean ${all.join(" or ")}?`;
    }
  }
  return undefined;
}

/**
 * Lists the columns if none is similar. PostgreSQL's own hint then names a column that has little
 * in common.
 */
function columnsHelp(
  qualifier: string | undefined,
  sight: readonly (readonly TableInSight[])[],
): string | undefined {
  const tables =
    qualifier === undefined ? sight[0] : sight.flat().filter(({ alias }) => alias === qualifier);
  const [table, ...others] = tables?.filter(({ columns }) => columns.length > 0) ?? [];
  return table === undefined || others.length > 0 ? undefined : listColumns(table);
}

function listColumns({ alias, columns }: TableInSight): string {
  const all = columns.slice(0, 12).map(({ name }) => `\`${shown(name)}\``);
  return `\`${shown(alias)}\` has ${all.join(", ")}${columns.length > 12 ? ", …" : ""}`;
}

function explainUnknownTarget(
  name: string,
  { around }: NodeAtError,
  snapshot: Snapshot,
): SqlErrorExplanation {
  // The target is listed first.
  const [table] = tablesInSight(around, pgCatalogOf(snapshot))[0] ?? [];
  if (table === undefined) return {};
  return {
    message: `column "${name}" of relation "${table.name}" does not exist`,
    help:
      didYouMean(
        name,
        table.columns.map((each) => each.name),
      ) ?? listColumns(table),
  };
}

/** A column for a join must be in two of the tables. */
function explainUnknownJoinColumn({ snapshot, statement }: SqlErrorContext): SqlErrorExplanation {
  const columns = tablesNamed({ snapshot, statement }).flatMap((each) =>
    each.columns.map((column) => column.name),
  );
  const shared = [...new Set(columns.filter((each, at) => columns.indexOf(each) !== at))];
  const name = joinedBy(statement.tree).find((each) => !shared.includes(each));
  if (name === undefined) return {};
  if (shared.length === 0)
    return {
      name,
      help: "no column name occurs in two tables of the statement: write `ON …`",
    };
  const all = shared.map((each) => `\`${shown(each)}\``).join(", ");
  return {
    name,
    help: didYouMean(name, shared) ?? `tables have in common ${all}; or write \`ON …\``,
  };
}

function joinedBy(tree: Node): readonly string[] {
  const names: string[] = [];
  walk(tree, (node) => {
    names.push(...namesIn(fieldsOf(node, "JoinExpr")?.usingClause));
  });
  return names;
}

/** The tables that the statement names. */
function tablesNamed({
  snapshot,
  statement,
}: Pick<SqlErrorContext, "snapshot" | "statement">): Snapshot["relations"] {
  const found = new Set<Snapshot["relations"][number]>();
  walk(statement.tree, (node) => {
    const relation =
      "RangeVar" in node ? relationOf(node.RangeVar, pgCatalogOf(snapshot)) : undefined;
    if (relation !== undefined) found.add(relation);
  });
  return [...found];
}

/**
 * Help for 42501 for a schema that the role may not use. Only a server has schemas of other roles.
 */
export function schemaHelp({ error, statement }: SqlErrorContext): string | undefined {
  const found = nodeAtError(error, statement.sql, "RangeVar", "FuncCall", "TypeName");
  const schema =
    fieldsOf(found?.node, "RangeVar")?.schemaname ??
    namesIn(fieldsOf(found?.node, "FuncCall")?.funcname).at(-2) ??
    namesIn(fieldsOf(found?.node, "TypeName")?.names).at(-2);
  if (schema === undefined) return undefined;
  return `the role of the connection needs \`GRANT USAGE ON SCHEMA ${shown(schema)}\``;
}

interface Named {
  readonly schema: string;
  readonly name: string;
}

/**
 * Suggests the object of that name in another schema, or of a similar name, qualified if necessary.
 */
function meantAmong(
  written: string,
  things: readonly Named[],
  { searchPath }: Snapshot,
): string | undefined {
  const full = ({ name, schema }: Named) =>
    searchPath.includes(schema) ? name : `${schema}.${name}`;
  const own = things.filter(({ schema }) => isOwn(schema));
  const last = written.split(".").at(-1) ?? written;
  const elsewhere = new Set(own.filter(({ name }) => name === last).map(full));
  if (elsewhere.size > 0)
    return `did you mean ${[...elsewhere].map((each) => `\`${shown(each)}\``).join(" or ")}?`;
  const near = didYouMean(written, [...new Set([...own.map(full), ...namesFor(written, things)])]);
  const meant = own.find(
    ({ name }) =>
      name ===
      nearestName(
        last,
        own.map((each) => each.name),
      ),
  );
  return near ?? (meant && suggestion(shown(full(meant))));
}

/** PostgreSQL's own objects are suggested unqualified. */
function namesFor(written: string, things: readonly Named[]): readonly string[] {
  if (written.includes(".")) return [];
  return things.filter(({ schema }) => schema === "pg_catalog").map(({ name }) => name);
}

function isOwn(schema: string): boolean {
  return schema !== "pg_catalog" && schema !== "information_schema";
}

/** Help for a qualifier: FROM uses another name, or has no such table. */
function aliasHelp(written: string, sight: readonly TableInSight[]): string | undefined {
  const tables = sight.filter(({ alias }) => alias !== "");
  const aliases = [...new Set(tables.map(({ alias }) => alias))];
  const near = didYouMean(written, aliases);
  if (near !== undefined) return near;
  const table = nearestName(
    written,
    tables.map(({ name }) => name),
  );
  const meant = tables.find(({ name }) => name === table && name !== "");
  if (meant !== undefined) return suggestion(shown(meant.alias));
  return aliases.length === 0
    ? undefined
    : `FROM has ${aliases.map((each) => `\`${shown(each)}\``).join(", ")}`;
}
