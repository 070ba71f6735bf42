import type { Chain } from "../chain.js";
import type { SelectedColumn, SelectedRow } from "./database-rows.js";

/** What Kysely's types know at one place of a chain. Rows that are undefined may have any columns. */
export interface Scope {
  readonly database: ReadonlyMap<string, SelectedRow>;
  readonly ctes: ReadonlyMap<string, SelectedRow | undefined>;
  /** Tables in sight, those of the queries around included, by alias. */
  readonly tables: ReadonlyMap<string, SelectedRow | undefined>;
}

/** The row of a table or common table expression. */
export function rowNamed(name: string, { ctes, database }: Scope): SelectedRow | undefined {
  // Where both have the name, Kysely's type is of both at once.
  if (ctes.has(name)) return database.has(name) ? undefined : ctes.get(name);
  return database.get(name);
}

/** `orders as o`, and `orders` alone. */
export function splitAlias(text: string): readonly [what: string, alias: string | undefined] {
  const at = text.indexOf(" as ");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + " as ".length)];
}

/** `o.id` or `id`. */
export function columnNamed(text: string, { tables }: Scope): SelectedColumn | undefined {
  const dot = text.lastIndexOf(".");
  if (dot >= 0) return tables.get(text.slice(0, dot))?.get(text.slice(dot + 1));
  return allColumns(tables).get(text);
}

/** The columns of all tables at once; of those that several have, Kysely's type is that of each. */
export function allColumns(tables: Scope["tables"]): SelectedRow {
  const rows = [...tables.values()];
  const all = new Map<string, SelectedColumn | undefined>();
  // A table of any columns may have each of them too.
  if (!rows.every((row) => row !== undefined)) return all;
  for (const [name, column] of rows.flatMap((row) => [...row]))
    all.set(name, all.has(name) ? undefined : column);
  return all;
}

/** The side of an outer join that may be missing. */
export function missing(row: SelectedRow | undefined): SelectedRow | undefined {
  if (row === undefined) return undefined;
  return new Map([...row].map(([name, column]) => [name, column && { ...column, nullable: true }]));
}

/** What the variables of the lambdas around know. */
export type Variables = ReadonlyMap<string, Scope>;

/** The variables inside a lambda that Kysely calls with a builder of that scope. */
export function insideOf(
  { parameters }: Extract<Chain, { kind: "lambda" }>,
  scope: Scope,
  variables: Variables,
): Variables {
  return new Map([...variables, ...parameters.map((each) => [each, scope] as const)]);
}

/** The text of a literal; of `(cte) => cte("sold").materialized()` too. */
export function nameOf(chain: Chain | undefined): string {
  if (chain?.kind === "literal") return String(chain.value);
  if (chain?.kind === "lambda") return nameOf(chain.body);
  if (chain?.kind === "call") return nameOf(chain.on);
  return chain?.kind === "apply" ? nameOf(chain.arguments[0]) : "";
}
