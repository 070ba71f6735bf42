/**
 * Finds expressions that PostgreSQL evaluates implicitly for a statement, as trees that effect.ts
 * examines like the statement itself.
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
import {
  type Fields,
  fieldsOf,
  type NodeWithKind,
  locationOf,
  namesIn,
} from "../../statement/tree.js";
import { OID, typeOfName, unwrapDomain } from "../value-type.js";
import type { EffectReason } from "./effect-reason.js";

/**
 * Finds all that the nodes make PostgreSQL evaluate implicitly:
 *
 * - Checks of a domain run if the statement names a type that contains the domain (a cast, the
 *   columns of `jsonb_to_record`, `null::pair`), or a function takes or returns such a type. They
 *   also run if a value is converted to the domain of an array or row beside it.
 * - Functions of a type run wherever the statement has values of the type.
 * - Policies, virtual columns and planned expressions of a table are evaluated if its rows are read
 *   or the read is planned.
 * - Defaults of arguments are evaluated if a call omits the arguments.
 */
export function evaluatedBy(
  nodes: readonly NodeWithKind[],
  pgCatalog: PgCatalog,
): readonly Evaluated[] {
  const columns = columnUses(nodes, pgCatalog);
  const writesJson = nodes.some((each) => mayWriteJson(each));
  return nodes.flatMap((node): readonly Evaluated[] => {
    const { body, kind } = node;
    const location = locationOf(body);
    const relation = kind === "RangeVar" ? relationOf(body, pgCatalog) : undefined;
    // A node's kind determines its fields.
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
 * Finds a table's policies and virtual columns, the expressions evaluated during planning, and the
 * functions that order values in its indexes.
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
 * Finds the defaults of omitted arguments, and the type that `pg_input_is_valid` gets as a text.
 */
function behindCall(node: NodeWithKind, pgCatalog: PgCatalog): readonly Evaluated[] {
  // A node's kind determines its fields.
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

/** Functions that read a text as a value of a type, which another text names. */
export const READS_AS_TYPE: ReadonlySet<string> = new Set([
  "pg_input_is_valid",
  "pg_input_error_info",
]);

/** The type name passed to one of these functions; undefined if it isn't a literal. */
export function typeText(args: readonly Node[]): string | undefined {
  return fieldsOf(args[1], "A_Const")?.sval?.sval;
}

/** Functions that a call or an operator may refer to; none for any other node. */
function calledBy({ body, kind }: NodeWithKind, pgCatalog: PgCatalog): readonly PgFunction[] {
  // A node's kind determines its fields.
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

/** Finds the types that the columns of a relation bring into a statement. */
function columnUses(
  nodes: readonly NodeWithKind[],
  pgCatalog: PgCatalog,
): (relation: Relation, body: Fields<"RangeVar">) => readonly TypeUse[] {
  const mixes = nodes.some((each) => mayMix(each, pgCatalog));
  const compares = nodes.some(mayCompare);
  const names = namesOfColumns(nodes);
  // If columns are renamed, a column may be used without being named.
  const renames = nodes.some(givesNames);
  return ({ columns, name }, { alias }) => {
    const namesRow = renames || [name, alias?.aliasname, "*"].some((each) => names.has(each ?? ""));
    return columns
      .filter((each) => namesRow || names.has(each.name))
      .flatMap(({ type }): readonly TypeUse[] => [
        { type, isMade: mixes },
        // A value compared with a domain value has the base type. A value compared with an array or
        // row of domain values has the same type.
        { type: unwrapDomain(pgCatalog, type), isMade: compares },
      ]);
  };
}

/** Names of all columns that the statement refers to, without their tables; `*` for all. */
function namesOfColumns(nodes: readonly NodeWithKind[]): ReadonlySet<string> {
  const references = nodes.filter(({ kind }) => kind === "ColumnRef");
  return new Set(
    references.map(({ body }) => {
      // A node's kind determines its fields.
      const { fields = [] } = body as Fields<"ColumnRef">;
      return fields.some((each) => "A_Star" in each) ? "*" : (namesIn(fields).at(-1) ?? "*");
    }),
  );
}

/** True for aliases that rename columns: `open AS o (a, b)`, or a named join, which is a row. */
function givesNames({ body, kind }: NodeWithKind): boolean {
  // A node's kind determines its fields.
  if (kind === "JoinExpr") return (body as Fields<"JoinExpr">).alias !== undefined;
  return kind === "RangeVar" && (body as Fields<"RangeVar">).alias?.colnames !== undefined;
}

/** Kinds of nodes that convert several values to one type. */
const COMPARING: ReadonlySet<string> = new Set(
  "A_ArrayExpr A_Expr CaseExpr CoalesceExpr FuncCall MinMaxExpr SubLink".split(" "),
);

/** UNION and VALUES with several rows convert to one type too. */
function mayCompare({ body, kind }: NodeWithKind): boolean {
  if (kind !== "SelectStmt") return COMPARING.has(kind);
  // A node's kind determines its fields.
  const { op = "SETOP_NONE", valuesLists = [] } = body as Fields<"SelectStmt">;
  return op !== "SETOP_NONE" || valuesLists.length > 1;
}

/**
 * True if a node may convert other values to a domain that the statement doesn't name:
 * `array_append(tags, 'x')`, `ARRAY[tag, 'x']`.
 */
function mayMix(node: NodeWithKind, pgCatalog: PgCatalog): boolean {
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

/**
 * True for calls that may write JSON: `to_jsonb`, `json_agg`, `row_to_json`, and SQL's own
 * `JSON_OBJECT`.
 */
function mayWriteJson({ body, kind }: NodeWithKind): boolean {
  if (kind.startsWith("Json")) return true;
  // A node's kind determines its fields.
  return (
    kind === "FuncCall" && /json/.test(namesIn((body as Fields<"FuncCall">).funcname).at(-1) ?? "")
  );
}

/** An expression or functions that PostgreSQL evaluates implicitly. */
export type Evaluated = {
  readonly within: NonNullable<EffectReason["within"]>;
  /** Position of the node that causes the evaluation, in UTF-8 bytes. */
  readonly location: number | undefined;
} & (
  | {
      /** A query that contains the expression; undefined if it can't be parsed. */
      readonly tree: Node | undefined;
    }
  /** OIDs of the functions. */
  | { readonly functions: readonly number[] }
);

/**
 * A use of a type. Checks of domains run only if a value is converted to the type, other functions
 * for all values.
 */
interface TypeUse {
  readonly type: number | undefined;
  /** True if a value of another type may be converted to it. */
  readonly isMade: boolean;
}

/** Finds all that PostgreSQL evaluates for values of some types and their parts. */
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

/** The types, and all types of elements, fields, bounds and bases in them. */
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
 * Finds the functions that read, print and order a type's values. If the statement writes JSON,
 * also the type's casts to json, which JSON functions use.
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

/** Parses a generated query; undefined if it can't be parsed. */
function parsed(sql: string): Node | undefined {
  const read = parseSql(sql);
  return read.kind === "parsed" ? read.statements[0]?.stmt : undefined;
}
