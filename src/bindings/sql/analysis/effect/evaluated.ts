/**
 * What PostgreSQL evaluates for a statement though the statement doesn't have it, as trees of which
 * the same questions are asked.
 */
import type { Node } from "@pgsql/types";
import {
  type PgCatalog,
  qualifiedName,
  quotedName,
  relationOf,
} from "../../database/pg-catalog.js";
import type { PgFunction, PgType, Relation } from "../../database/snapshot.js";
import { parseSql } from "../../statement/parse.js";
import { type Fields, fieldsOf, type Found, locationOf, namesIn } from "../../statement/tree.js";
import { OID, typeOfName, unwrapDomain } from "../value-type.js";
import type { EffectReason } from "./effect-reason.js";

/**
 * What the nodes make PostgreSQL evaluate. The checks of a domain run where a type is named that
 * has the domain in it (a cast, the columns of `jsonb_to_record`, `null::pair`), where a function
 * takes or gives one, and where other values are made into the domain of an array or row beside
 * them. The functions behind a type run wherever there are values of it. What belongs to a table
 * runs where its rows are read, or while that is planned; the defaults of arguments where these are
 * left out.
 */
export function evaluatedBy(nodes: readonly Found[], pgCatalog: PgCatalog): readonly Evaluated[] {
  const columns = columnUses(nodes, pgCatalog);
  const writesJson = nodes.some((each) => mayWriteJson(each));
  return nodes.flatMap((node): readonly Evaluated[] => {
    const { body, kind } = node;
    const location = locationOf(body);
    const relation = kind === "RangeVar" ? relationOf(body, pgCatalog) : undefined;
    // Each body stands under its kind's name in the tree.
    const uses =
      kind === "TypeName"
        ? [made(typeOfName(pgCatalog, body))]
        : relation === undefined
          ? calledBy(node, pgCatalog).flatMap((each) => typesOf(each).map(made))
          : columns(relation, body);
    return [
      ...behindTypes(uses, pgCatalog, writesJson, location),
      ...(relation === undefined ? [] : behindRelation(relation, location)),
      ...(kind === "FuncCall" ? behindCall(node, pgCatalog) : []),
    ];
  });
}

function made(type: number | undefined): TypeUse {
  return { type, isMade: true };
}

/**
 * Policies and virtual columns; what is computed while a statement is planned; and what orders
 * values in its indexes.
 */
function behindRelation(
  { behind = [], evaluated = [], name, planned = [], schema }: Relation,
  location: number | undefined,
): readonly Evaluated[] {
  const full = qualifiedName({ schema, name });
  const from = quotedName({ schema, name });
  const table = (expression: string) => parsed(`SELECT ${expression} FROM ${from}`);
  return [
    ...evaluated.map((each) => ({
      within: { kind: "table", name: full } as const,
      tree: table(each),
      location,
    })),
    ...planned.map((each) => ({
      within: { kind: "plan", name: full } as const,
      tree: table(each),
      location,
    })),
    ...(behind.length === 0
      ? []
      : [{ within: { kind: "plan", name: full } as const, functions: behind, location }]),
  ];
}

/**
 * The defaults of arguments that a call leaves out, and the type that `pg_input_is_valid` is given
 * as a text.
 */
function behindCall(node: Found, pgCatalog: PgCatalog): readonly Evaluated[] {
  // The kind says which fields there are.
  const { args = [], funcname } = node.body as Fields<"FuncCall">;
  const location = locationOf(node.body);
  const defaults = calledBy(node, pgCatalog).flatMap((each): readonly Evaluated[] => {
    if (each.defaultValues === undefined || args.length >= each.arguments.length) return [];
    const within = { kind: "default", name: `${each.schema}.${each.name}` } as const;
    return [{ within, tree: parsed(`SELECT ${each.defaultValues}`), location }];
  });
  const type = READS_AS_TYPE.has(namesIn(funcname).at(-1) ?? "") ? typeText(args) : undefined;
  if (type === undefined) return defaults;
  const tree = parsed(`SELECT CAST(NULL AS ${type})`);
  return [...defaults, { within: { kind: "type", name: type }, tree, location }];
}

/** They read a text as a value of the type that another text names. */
export const READS_AS_TYPE: ReadonlySet<string> = new Set([
  "pg_input_is_valid",
  "pg_input_error_info",
]);

/** The text of the type that one of these is given; undefined where only a call tells. */
export function typeText(args: readonly Node[]): string | undefined {
  return fieldsOf(args[1], "A_Const")?.sval?.sval;
}

/** The functions that a call or an operator may mean; none for any other node. */
function calledBy({ body, kind }: Found, pgCatalog: PgCatalog): readonly PgFunction[] {
  // The kind says which fields there are.
  if (kind === "FuncCall")
    return pgCatalog.functions(namesIn((body as Fields<"FuncCall">).funcname));
  if (kind !== "A_Expr" && kind !== "SubLink") return [];
  const { name, operName }: { name?: Node[]; operName?: Node[] } = body;
  const path = namesIn(name ?? operName);
  return pgCatalog.operators(path).flatMap((each) => pgCatalog.functionOf(each.function) ?? []);
}

function typesOf({ arguments: taken, outputs = [], returns }: PgFunction): readonly number[] {
  return [...taken, returns, ...outputs.map(({ type }) => type)];
}

/** Which types the columns of a relation bring into a statement. */
function columnUses(
  nodes: readonly Found[],
  pgCatalog: PgCatalog,
): (relation: Relation, body: Fields<"RangeVar">) => readonly TypeUse[] {
  const mixes = nodes.some((each) => mayMix(each, pgCatalog));
  const compares = nodes.some(mayCompare);
  const names = namesOfColumns(nodes);
  // Under names of its own a column may be used though nothing names it.
  const renames = nodes.some(givesNames);
  return ({ columns, name }, { alias }) => {
    const namesRow = renames || [name, alias?.aliasname, "*"].some((each) => names.has(each ?? ""));
    return columns
      .filter((each) => namesRow || names.has(each.name))
      .flatMap(({ type }): readonly TypeUse[] => [
        { type, isMade: mixes },
        // What is compared with one value of a domain is of its base type; with an array or row of
        // such, of the same type.
        { type: unwrapDomain(pgCatalog, type), isMade: compares },
      ]);
  };
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

/** `open AS o (a, b)`, and a join with a name: it is a row. */
function givesNames({ body, kind }: Found): boolean {
  // The kind says which fields there are.
  if (kind === "JoinExpr") return (body as Fields<"JoinExpr">).alias !== undefined;
  return kind === "RangeVar" && (body as Fields<"RangeVar">).alias?.colnames !== undefined;
}

/** Nodes that make one type of several values. */
const COMPARING: ReadonlySet<string> = new Set(
  "A_ArrayExpr A_Expr CaseExpr CoalesceExpr FuncCall MinMaxExpr SubLink".split(" "),
);

/** UNION and the rows of VALUES make one type of several values, too. */
function mayCompare({ body, kind }: Found): boolean {
  if (kind !== "SelectStmt") return COMPARING.has(kind);
  // The kind says which fields there are.
  const { op = "SETOP_NONE", valuesLists = [] } = body as Fields<"SelectStmt">;
  return op !== "SETOP_NONE" || valuesLists.length > 1;
}

/**
 * Whether a node may make other values into a domain that nobody names: `array_append(tags, 'x')`,
 * `ARRAY[tag, 'x']`.
 */
function mayMix(node: Found, pgCatalog: PgCatalog): boolean {
  if (node.kind === "A_ArrayExpr") return true;
  return (
    node.kind === "FuncCall" &&
    calledBy(node, pgCatalog).some(
      ({ arguments: taken }) =>
        taken.length > 1 &&
        taken.some((oid) => POLYMORPHIC.test(pgCatalog.typeOf(oid)?.name ?? "")),
    )
  );
}

const POLYMORPHIC = /^any(?:element|array|nonarray|range|multirange|compatible\w*)$/;

/** `to_jsonb`, `json_agg`, `row_to_json`, and SQL's own `JSON_OBJECT`. */
function mayWriteJson({ body, kind }: Found): boolean {
  if (kind.startsWith("Json")) return true;
  // The kind says which fields there are.
  return (
    kind === "FuncCall" && /json/.test(namesIn((body as Fields<"FuncCall">).funcname).at(-1) ?? "")
  );
}

/** What PostgreSQL evaluates for a statement though the statement doesn't have it. */
export type Evaluated = {
  readonly within: NonNullable<EffectReason["within"]>;
  /** What in the statement makes PostgreSQL evaluate it: UTF-8 bytes. */
  readonly location: number | undefined;
} & (
  | {
      /** A query that has the expression; undefined for one that can't be read. */
      readonly tree: Node | undefined;
    }
  /** OIDs. */
  | { readonly functions: readonly number[] }
);

/**
 * What makes PostgreSQL evaluate something for a type: a check runs where a value is made, and the
 * rest wherever there are values.
 */
interface TypeUse {
  readonly type: number | undefined;
  /** Whether a value of another type may become one of it. */
  readonly isMade: boolean;
}

/** What PostgreSQL evaluates for values of some types, and of those that they are made of. */
function behindTypes(
  uses: readonly TypeUse[],
  pgCatalog: PgCatalog,
  writesJson: boolean,
  location: number | undefined,
): readonly Evaluated[] {
  const made = typesWithin(
    uses.flatMap(({ isMade, type }) => (isMade ? [type] : [])),
    pgCatalog,
  );
  const used = typesWithin(
    uses.map(({ type }) => type),
    pgCatalog,
  );
  return [
    ...[...made].flatMap((each) => checksOf(each, pgCatalog, location)),
    ...[...used].flatMap((each) => functionsOf(each, pgCatalog, writesJson, location)),
  ];
}

/** The types, and every type that values of them have in them, whatever they are made of. */
function typesWithin(
  types: readonly (number | undefined)[],
  pgCatalog: PgCatalog,
): ReadonlySet<PgType> {
  const found = new Set<PgType>();
  const waiting = [...types];
  while (waiting.length > 0) {
    const type = pgCatalog.typeOf(waiting.pop() ?? 0);
    if (type === undefined || found.has(type)) continue;
    found.add(type);
    waiting.push(
      type.element,
      type.base,
      type.bounds,
      ...(type.fields ?? []).map((each) => each.type),
    );
  }
  return found;
}

function checksOf(
  { base, checks = [], name, schema }: PgType,
  pgCatalog: PgCatalog,
  location: number | undefined,
): readonly Evaluated[] {
  const type = pgCatalog.typeOf(base ?? 0);
  const value = `CAST(NULL AS ${quotedName({ schema: type?.schema ?? "", name: type?.name ?? "" })})`;
  const within = { kind: "domain", name: `${schema}.${name}` } as const;
  return checks.map((each) => ({
    within,
    tree: parsed(`SELECT ${each} FROM (SELECT ${value} AS value) AS checked`),
    location,
  }));
}

/**
 * What reads, prints and orders a type's values; and its casts to json, which functions that write
 * JSON look for.
 */
function functionsOf(
  { behind = [], name, oid, schema }: PgType,
  pgCatalog: PgCatalog,
  writesJson: boolean,
  location: number | undefined,
): readonly Evaluated[] {
  const casts = writesJson
    ? pgCatalog
        .castsFrom(oid)
        .filter(({ target }) => target === OID.json || target === OID.jsonb)
        .flatMap((each) => (each.function === 0 ? [] : [each.function]))
    : [];
  const functions = [...behind, ...casts];
  if (functions.length === 0) return [];
  return [{ within: { kind: "type", name: `${schema}.${name}` }, functions, location }];
}

/** The tree of a query of our own making; undefined when it can't be read. */
function parsed(sql: string): Node | undefined {
  const read = parseSql(sql);
  return read.kind === "parsed" ? read.statements[0]?.stmt : undefined;
}
