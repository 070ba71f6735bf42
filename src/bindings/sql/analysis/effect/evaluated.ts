import type { Node } from "@pgsql/types";
import type { Catalog } from "../../database/catalog.js";
import { unwrapDomain } from "../catalog/value-type.js";
import type { PgFunction, PgType } from "../../database/snapshot.js";
import { parseSql } from "../../statement/parser.js";
import { type Fields, locationOf, namesIn } from "../node.js";
import { typeOfName } from "../nullability/type-name.js";
import type { EffectReason } from "./effect-reason.js";
import type { Found } from "./every-node.js";

/** What PostgreSQL evaluates for a statement though the statement doesn't have it. */
export interface Evaluated {
  readonly within: NonNullable<EffectReason["within"]>;
  /** A query that has the expression; undefined for one that can't be read. */
  readonly tree: Node | undefined;
  /** What in the statement makes PostgreSQL evaluate it: UTF-8 bytes. */
  readonly location: number | undefined;
}

/**
 * The checks of domains, the policies of row-level security, and generated columns that are not stored, as far as the nodes make PostgreSQL evaluate them. A domain's checks run
 * where a type is named that has the domain in it (a cast, the columns of `jsonb_to_record`, `null::pair`), where a function takes or gives one, and where a function
 * makes other values into the domain of an array or row that it is given.
 */
export function evaluatedBy(nodes: readonly Found[], catalog: Catalog): readonly Evaluated[] {
  const found: Evaluated[] = [];
  const mixes = nodes.some((each) => mayMix(each, catalog));
  const compares = nodes.some(({ kind }) => COMPARING.has(kind));
  const names = namesOfColumns(nodes);
  for (const { body, kind } of nodes) {
    const location = locationOf(body);
    const domains = new Set<PgType>();
    // Each body stands under its kind's name in the tree.
    if (kind === "TypeName") domainsIn(typeOfName(catalog, body), catalog, domains);
    if (kind === "FuncCall" || kind === "A_Expr" || kind === "SubLink")
      for (const called of calledBy(kind, body, catalog))
        for (const type of typesOf(called)) domainsIn(type, catalog, domains);
    if (kind === "RangeVar") {
      const { alias, relname = "", schemaname } = body as Fields<"RangeVar">;
      const relation = catalog.relation(
        schemaname === undefined ? [relname] : [schemaname, relname],
      );
      if (relation === undefined) continue;
      const within = { kind: "table", name: `${relation.schema}.${relation.name}` } as const;
      const from = `${quoted(relation.schema)}.${quoted(relation.name)}`;
      for (const each of relation.evaluated ?? [])
        found.push({ within, tree: parsed(`SELECT ${each} FROM ${from}`), location });
      const isWhole = [relation.name, alias?.aliasname, "*"].some((each) => names.has(each ?? ""));
      for (const { name, type } of relation.columns) {
        if (!isWhole && !names.has(name)) continue;
        const own = unwrapDomain(catalog, type);
        // What is compared with one value of a domain is of its base type; with an array or row of such, of the same type.
        if (mixes) domainsIn(type, catalog, domains);
        else if (compares) domainsIn(own, catalog, domains);
      }
    }
    found.push(...[...domains].flatMap((each) => checksOf(each, catalog, location)));
  }
  return found;
}

function checksOf(
  { base, checks = [], name, schema }: PgType,
  catalog: Catalog,
  location: number | undefined,
): readonly Evaluated[] {
  const type = catalog.typeOf(base ?? 0);
  const value = `CAST(NULL AS ${quoted(type?.schema ?? "")}.${quoted(type?.name ?? "")})`;
  const within = { kind: "domain", name: `${schema}.${name}` } as const;
  return checks.map((each) => ({
    within,
    tree: parsed(`SELECT ${each} FROM (SELECT ${value} AS value) AS checked`),
    location,
  }));
}

function parsed(sql: string): Node | undefined {
  const read = parseSql(sql);
  return read.kind === "parsed" ? read.statements[0]?.stmt : undefined;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Every domain with checks that values of a type have in them, whatever it is made of. */
function domainsIn(oid: number | undefined, catalog: Catalog, found: Set<PgType>): void {
  const seen = new Set<number>();
  const waiting = [oid];
  while (waiting.length > 0) {
    const type = catalog.typeOf(waiting.pop() ?? 0);
    if (type === undefined || seen.has(type.oid)) continue;
    seen.add(type.oid);
    if (type.checks !== undefined) found.add(type);
    waiting.push(
      type.element,
      type.base,
      type.bounds,
      ...(type.fields ?? []).map((each) => each.type),
    );
  }
}

function calledBy(
  kind: "FuncCall" | "A_Expr" | "SubLink",
  body: object,
  catalog: Catalog,
): readonly PgFunction[] {
  // The kind says which fields there are.
  if (kind === "FuncCall") return catalog.functions(namesIn((body as Fields<"FuncCall">).funcname));
  const { name, operName }: { name?: Node[]; operName?: Node[] } = body;
  const path = namesIn(name ?? operName);
  return catalog.operators(path).flatMap((each) => catalog.functionOf(each.function) ?? []);
}

function typesOf({ arguments: taken, outputs = [], returns }: PgFunction): readonly number[] {
  return [...taken, returns, ...outputs.map(({ type }) => type)];
}

/** The columns that are named anywhere, without their tables; `*` for all. */
function namesOfColumns(nodes: readonly Found[]): ReadonlySet<string> {
  const references = nodes.filter(({ kind }) => kind === "ColumnRef");
  return new Set(
    references.map(({ body }) => {
      // The kind says which fields there are.
      const { fields = [] } = body as Fields<"ColumnRef">;
      return fields.some((each) => "A_Star" in each) ? "*" : (namesIn(fields).at(-1) ?? "*");
    }),
  );
}

/** Nodes that make one type of several values. */
const COMPARING: ReadonlySet<string> = new Set(
  "A_ArrayExpr A_Expr CaseExpr CoalesceExpr FuncCall MinMaxExpr SubLink".split(" "),
);

/** Whether a node may make other values into a domain that nobody names: `array_append(tags, 'x')`, `ARRAY[tag, 'x']`. */
function mayMix({ body, kind }: Found, catalog: Catalog): boolean {
  if (kind === "A_ArrayExpr") return true;
  return (
    kind === "FuncCall" &&
    calledBy(kind, body, catalog).some(
      ({ arguments: taken }) =>
        taken.length > 1 && taken.some((oid) => POLYMORPHIC.test(catalog.typeOf(oid)?.name ?? "")),
    )
  );
}

const POLYMORPHIC = /^any(?:element|array|nonarray|range|multirange|compatible\w*)$/;
