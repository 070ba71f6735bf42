/** Reads PostgreSQL's catalogs: the queries, and the conversion of their rows. */
import type { Engine } from "./engine.js";
import type { Cast, Column, Operator, PgFunction, PgType, Relation, Snapshot } from "./snapshot.js";

/**
 * Reads the system catalogs with six queries. Two engines with the same schema give the same
 * snapshot, apart from OIDs.
 */
export async function readSnapshot(engine: Engine): Promise<Snapshot> {
  const [path] = await engine.rows(SEARCH_PATH);
  const searchPath: readonly string[] = JSON.parse(path?.["path"] ?? "[]");
  return {
    searchPath,
    types: (await engine.rows(TYPES)).map(readType),
    relations: (await engine.rows(RELATIONS)).map(readRelation),
    functions: (await engine.rows(FUNCTIONS)).map(readFunction),
    operators: (await engine.rows(OPERATORS)).map(readOperator),
    casts: (await engine.rows(CASTS)).map(readCast),
  };
}

/** A row of a catalog query; every value as text or null. */
type Row = Readonly<Record<string, string | null>>;

function readType(row: Row): PgType {
  const schema = text(row, "schema");
  const kind = row["element"] ? "array" : lookUp(TYPE_KINDS, row, "kind");
  return {
    oid: number(row, "oid"),
    schema,
    name: text(row, "name"),
    kind,
    builtIn: schema === "pg_catalog",
    ...(kind === "array" ? { element: number(row, "element") } : {}),
    ...(kind === "enum" ? { labels: jsonList<string>(row, "labels") } : {}),
    ...(kind === "domain" ? { base: number(row, "base"), notNull: bool(row, "not_null") } : {}),
    ...(kind === "domain" && row["modifier"] != null ? { modifier: number(row, "modifier") } : {}),
    ...(kind === "domain" && row["checks"] != null
      ? { checks: jsonList<string>(row, "checks") }
      : {}),
    ...(row["behind"] == null ? {} : { behind: jsonList<number>(row, "behind") }),
    ...(row["bounds"] == null ? {} : { bounds: number(row, "bounds") }),
    ...(kind === "composite" ? { fields: jsonList<NamedType>(row, "fields").map(namedType) } : {}),
  };
}

function readRelation(row: Row): Relation {
  const definition = row["definition"];
  return {
    oid: number(row, "oid"),
    schema: text(row, "schema"),
    name: text(row, "name"),
    kind: lookUp(RELATION_KINDS, row, "kind"),
    columns: jsonList<ColumnRow>(row, "columns").map(readColumn),
    intercepted: lookUp(INTERCEPTIONS, row, "intercepted"),
    fillsRows: bool(row, "fills_rows"),
    ...(definition == null ? {} : { definition }),
    ...(row["evaluated"] == null ? {} : { evaluated: jsonList<string>(row, "evaluated") }),
    ...(row["planned"] == null ? {} : { planned: jsonList<string>(row, "planned") }),
    ...(row["behind"] == null ? {} : { behind: jsonList<number>(row, "behind") }),
    ...(row["program"] == null ? {} : { program: true }),
  };
}

type ColumnRow = readonly [
  name: string,
  type: number,
  modifier: number,
  notNull: boolean,
  hasDefault: boolean,
  generated: boolean,
];

function readColumn([name, type, modifier, notNull, hasDefault, generated]: ColumnRow): Column {
  return { name, type, modifier, notNull, hasDefault, generated };
}

function readFunction(row: Row): PgFunction {
  return {
    oid: number(row, "oid"),
    schema: text(row, "schema"),
    name: text(row, "name"),
    kind: lookUp(FUNCTION_KINDS, row, "kind"),
    arguments: text(row, "arguments").split(" ").filter(Boolean).map(Number),
    variadic: bool(row, "variadic"),
    defaults: number(row, "defaults"),
    ...(row["default_values"] == null ? {} : { defaultValues: row["default_values"] }),
    returns: number(row, "returns"),
    returnsSet: bool(row, "set"),
    volatility: lookUp(VOLATILITIES, row, "volatility"),
    strict: bool(row, "strict"),
    ...(row["outputs"] == null
      ? {}
      : { outputs: jsonList<NamedType>(row, "outputs").map(namedType) }),
    ...(row["extension"] == null ? {} : { extension: row["extension"] }),
  };
}

function readOperator(row: Row): Operator {
  return {
    schema: text(row, "schema"),
    name: text(row, "name"),
    left: number(row, "left"),
    right: number(row, "right"),
    result: number(row, "result"),
    function: number(row, "function"),
    ...(row["instead"] == null ? {} : { instead: jsonList<number>(row, "instead") }),
  };
}

function readCast(row: Row): Cast {
  return {
    source: number(row, "source"),
    target: number(row, "target"),
    function: number(row, "function"),
    context: lookUp(CONTEXTS, row, "context"),
  };
}

const TYPE_KINDS = {
  b: "base",
  c: "composite",
  d: "domain",
  e: "enum",
  m: "multirange",
  p: "pseudo",
  r: "range",
} as const;
const RELATION_KINDS = {
  f: "foreign",
  m: "materialized",
  p: "partitioned",
  r: "table",
  S: "sequence",
  v: "view",
} as const;
const INTERCEPTIONS = {
  never: "never",
  "by triggers": "by triggers",
  "by rules": "by rules",
} as const;
const FUNCTION_KINDS = { a: "aggregate", f: "function", p: "procedure", w: "window" } as const;
const VOLATILITIES = { i: "immutable", s: "stable", v: "volatile" } as const;
const CONTEXTS = { a: "assignment", e: "explicit", i: "implicit" } as const;

type NamedType = readonly [name: string, type: number];

function namedType([name, type]: NamedType): { readonly name: string; readonly type: number } {
  return { name, type };
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (value == null) throw new Error(`the catalog query gives no ${column}`);
  return value;
}

function number(row: Row, column: string): number {
  return Number(text(row, column));
}

function bool(row: Row, column: string): boolean {
  return text(row, column) === "t";
}

/** The query makes this JSON list, so its items have the type that the query builds. */
function jsonList<Item>(row: Row, column: string): readonly Item[] {
  const items: readonly Item[] = JSON.parse(row[column] ?? "[]");
  return items;
}

function lookUp<Word>(words: Readonly<Record<string, Word>>, row: Row, column: string): Word {
  const word = words[text(row, column)];
  if (word === undefined)
    throw new Error(`the catalog query gives an unknown ${column}: ${row[column]}`);
  return word;
}

/**
 * Queries for a snapshot, for PostgreSQL 15 and later. Lists are JSON; rows are ordered by names,
 * then by OIDs.
 */

const SEARCH_PATH = `
  SELECT to_json(current_schemas(true))::text AS path`;

// The server's administrator installed functions in C and PostgreSQL's own, so the lists of
// functions behind types and indexes leave them out.
const OWN_CODE = `
  own_code AS MATERIALIZED (
    SELECT p.oid, n.nspname || '.' || p.proname AS name FROM pg_catalog.pg_proc p
    JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_language l ON l.oid = p.prolang
    WHERE n.nspname <> 'pg_catalog' AND l.lanname NOT IN ('c', 'internal')
  )`;

const TYPES = `
  WITH ${OWN_CODE}, classes(type, class) AS (
    SELECT opcintype, oid FROM pg_catalog.pg_opclass WHERE opcdefault
    UNION SELECT unnest(ARRAY[rngtypid, rngmultitypid]), rngsubopc FROM pg_catalog.pg_range
  ), behind(type, function) AS (
    SELECT t.oid, unnest(ARRAY[t.typinput, t.typoutput, t.typreceive, t.typsend, t.typmodin, t.typmodout]) FROM pg_catalog.pg_type t
    UNION SELECT unnest(ARRAY[rngtypid, rngmultitypid]), rngcanonical FROM pg_catalog.pg_range
    UNION SELECT unnest(ARRAY[rngtypid, rngmultitypid]), rngsubdiff FROM pg_catalog.pg_range
    UNION SELECT s.type, p.amproc FROM classes s JOIN pg_catalog.pg_opclass c ON c.oid = s.class
      JOIN pg_catalog.pg_amproc p ON p.amprocfamily = c.opcfamily AND c.opcintype IN (p.amproclefttype, p.amprocrighttype)
    UNION SELECT s.type, x.oprcode FROM classes s JOIN pg_catalog.pg_opclass c ON c.oid = s.class
      JOIN pg_catalog.pg_amop o ON o.amopfamily = c.opcfamily AND c.opcintype IN (o.amoplefttype, o.amoprighttype)
      JOIN pg_catalog.pg_operator x ON x.oid = o.amopopr
  ), own_behind AS (
    SELECT b.type, json_agg(f.oid::int8 ORDER BY f.name, f.oid) AS list
    FROM behind b JOIN own_code f ON f.oid = b.function GROUP BY b.type
  )
  SELECT t.oid, n.nspname AS schema, t.typname AS name, t.typtype AS kind, e.oid AS element,
    nullif(t.typbasetype, 0) AS base, nullif(t.typtypmod, -1) AS modifier, t.typnotnull AS not_null,
    (SELECT json_agg(l.enumlabel ORDER BY l.enumsortorder) FROM pg_catalog.pg_enum l WHERE l.enumtypid = t.oid)::text AS labels,
    (SELECT json_agg(pg_catalog.pg_get_expr(k.conbin, 0) ORDER BY k.conname) FROM pg_catalog.pg_constraint k
      WHERE k.contypid = t.oid AND k.contype = 'c')::text AS checks,
    own_behind.list::text AS behind,
    (SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE t.oid IN (r.rngtypid, r.rngmultitypid)) AS bounds,
    (SELECT json_agg(json_build_array(a.attname, a.atttypid::int8) ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped)::text AS fields
  FROM pg_catalog.pg_type t
  JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_type e ON e.typarray = t.oid
  LEFT JOIN own_behind ON own_behind.type = t.oid
  WHERE n.nspname !~ '^pg_(toast|temp)'
  ORDER BY n.nspname COLLATE "C", t.typname COLLATE "C", t.oid`;

// A column counts as nullable in these cases too: NOT NULL of a foreign table is not enforced, a
// child's column may be nullable although the parent's is not, and since version 18 a constraint
// may be NOT VALID.
const RELATIONS = `
  WITH RECURSIVE ${OWN_CODE}, family(parent, member) AS (
    SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
    UNION SELECT f.parent, i.inhrelid FROM family f JOIN pg_catalog.pg_inherits i ON i.inhparent = f.member
  ), nullable(relation, attribute) AS (
    SELECT a.attrelid, a.attname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S') AND (NOT a.attnotnull OR c.relkind = 'f'
      OR EXISTS (SELECT FROM pg_catalog.pg_constraint k
        WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND a.attnum = ANY (k.conkey) AND NOT k.convalidated))
  ), unsure(relation, attribute) AS (
    SELECT relation, attribute FROM nullable
    UNION SELECT f.parent, u.attribute FROM family f JOIN nullable u ON u.relation = f.member
  ), columns AS (
    SELECT a.attrelid, json_agg(json_build_array(
      a.attname, a.atttypid::int8, a.atttypmod, u.relation IS NULL,
      a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL,
      a.attgenerated <> '' OR a.attidentity = 'a') ORDER BY a.attnum) AS list
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN unsure u ON u.relation = a.attrelid AND u.attribute = a.attname
    WHERE a.attnum > 0 AND NOT a.attisdropped
    GROUP BY a.attrelid
  ), members(relation, member) AS (
    SELECT oid, oid FROM pg_catalog.pg_class UNION SELECT parent, member FROM family
  ), expressions(relation, expression) AS (
    SELECT indrelid, unnest(ARRAY[pg_catalog.pg_get_expr(indexprs, indrelid), pg_catalog.pg_get_expr(indpred, indrelid)]) FROM pg_catalog.pg_index
    UNION SELECT conrelid, pg_catalog.pg_get_expr(conbin, conrelid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid <> 0
    UNION SELECT stxrelid, unnest(pg_catalog.pg_get_statisticsobjdef_expressions(oid)) FROM pg_catalog.pg_statistic_ext
    UNION SELECT partrelid, pg_catalog.pg_get_expr(partexprs, partrelid) FROM pg_catalog.pg_partitioned_table
  ), planned AS (
    SELECT m.relation, json_agg(DISTINCT e.expression) AS list FROM expressions e JOIN members m ON m.member = e.relation
    WHERE e.expression LIKE '%(%' GROUP BY m.relation
  ), classes(relation, class) AS (
    SELECT indrelid, unnest(indclass) FROM pg_catalog.pg_index
    UNION SELECT partrelid, unnest(partclass) FROM pg_catalog.pg_partitioned_table
  ), behind AS (
    SELECT relation, json_agg(oid ORDER BY name, oid) AS list FROM (
      SELECT DISTINCT m.relation, f.oid::int8 AS oid, f.name FROM classes s JOIN members m ON m.member = s.relation
      JOIN pg_catalog.pg_opclass c ON c.oid = s.class
      JOIN pg_catalog.pg_amproc p ON p.amprocfamily = c.opcfamily JOIN own_code f ON f.oid = p.amproc) d
    GROUP BY relation
  )
  SELECT c.oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind, columns.list::text AS columns,
    CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END AS definition,
    (SELECT json_agg(e.expression) FROM (
      SELECT pg_catalog.pg_get_expr(l.polqual, l.polrelid) AS expression FROM pg_catalog.pg_policy l
        WHERE l.polrelid = c.oid AND c.relrowsecurity AND l.polcmd IN ('r', '*')
      UNION ALL SELECT pg_catalog.pg_get_expr(x.adbin, x.adrelid) FROM pg_catalog.pg_attrdef x
        JOIN pg_catalog.pg_attribute a ON a.attrelid = x.adrelid AND a.attnum = x.adnum WHERE x.adrelid = c.oid AND a.attgenerated = 'v'
      ORDER BY 1) e WHERE e.expression IS NOT NULL)::text AS evaluated,
    planned.list::text AS planned, behind.list::text AS behind,
    (SELECT true FROM pg_catalog.pg_foreign_table x WHERE x.ftrelid = c.oid AND EXISTS (SELECT FROM unnest(x.ftoptions) o WHERE o LIKE 'program=%')) AS program,
    CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_type <> '1') THEN 'by rules'
      WHEN EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE NOT g.tgisinternal
        AND (g.tgrelid = c.oid OR EXISTS (SELECT FROM family f WHERE f.parent = c.oid AND f.member = g.tgrelid))) THEN 'by triggers'
      ELSE 'never' END AS intercepted,
    EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_type = '3') OR EXISTS (SELECT FROM pg_catalog.pg_trigger g
      -- For each row (1), before (2) or instead of (64) INSERT (4).
      WHERE NOT g.tgisinternal AND g.tgtype & 5 = 5 AND g.tgtype & 66 <> 0
        AND (g.tgrelid = c.oid OR EXISTS (SELECT FROM family f WHERE f.parent = c.oid AND f.member = g.tgrelid))) AS fills_rows
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN columns ON columns.attrelid = c.oid
  LEFT JOIN planned ON planned.relation = c.oid
  LEFT JOIN behind ON behind.relation = c.oid
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_(toast|temp)'
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`;

const FUNCTIONS = `
  SELECT p.oid, n.nspname AS schema, p.proname AS name, p.prokind AS kind, p.proargtypes AS arguments,
    p.provariadic <> 0 AS variadic, p.pronargdefaults AS defaults,
    CASE WHEN n.nspname <> 'pg_catalog' THEN pg_catalog.pg_get_expr(p.proargdefaults, 0) END AS default_values, p.prorettype AS returns, p.proretset AS set,
    -- An aggregate itself is always immutable: it does what its functions do.
    coalesce((SELECT max(f.provolatile::text COLLATE "C") FROM pg_catalog.pg_aggregate g JOIN pg_catalog.pg_proc f
      ON f.oid IN (g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggserialfn, g.aggdeserialfn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn)
      WHERE g.aggfnoid = p.oid AND n.nspname <> 'pg_catalog'), p.provolatile::text) AS volatility, p.proisstrict AS strict,
    (SELECT json_agg(json_build_array(coalesce(o.name, ''), o.type) ORDER BY o.place)
      FROM unnest(p.proallargtypes::int8[], p.proargmodes, p.proargnames) WITH ORDINALITY AS o (type, mode, name, place)
      WHERE o.mode IN ('o', 'b', 't'))::text AS outputs,
    (SELECT e.extname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
      WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
        AND d.refclassid = 'pg_catalog.pg_extension'::regclass) AS extension
  FROM pg_catalog.pg_proc p
  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname !~ '^pg_(toast|temp)'
  ORDER BY n.nspname COLLATE "C", p.proname COLLATE "C", p.oid`;

const OPERATORS = `
  SELECT n.nspname AS schema, o.oprname AS name, o.oprleft AS left, o.oprright AS right, o.oprresult AS result,
    o.oprcode::oid AS function,
    (SELECT json_agg(x.oprcode::oid::int8 ORDER BY x.oprname) FROM pg_catalog.pg_operator x JOIN pg_catalog.pg_namespace f ON f.oid = x.oprnamespace
      WHERE x.oid IN (o.oprcom, o.oprnegate) AND x.oprcode NOT IN (0, o.oprcode) AND f.nspname <> 'pg_catalog')::text AS instead
  FROM pg_catalog.pg_operator o
  JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
  WHERE o.oprcode <> 0
  ORDER BY n.nspname COLLATE "C", o.oprname COLLATE "C", o.oid`;

const CASTS = `
  SELECT castsource AS source, casttarget AS target, castfunc::oid AS function, castcontext AS context
  FROM pg_catalog.pg_cast
  ORDER BY castsource, casttarget`;

/**
 * Reads further state that PostgreSQL's answers depend on: keys (ON CONFLICT and GROUP BY use
 * them), rules and policies (they rewrite statements), bodies of functions (they are planned with
 * statements), and schemas that the role may use. It serves only to detect changes.
 */
export const DEPENDENCIES = `
  SELECT 'server' AS kind, pg_catalog.current_setting('server_version') AS name, current_user::text AS definition
  UNION ALL SELECT 'schema', n.nspname, pg_catalog.has_schema_privilege(n.oid, 'USAGE')::text FROM pg_catalog.pg_namespace n
    WHERE n.nspname !~ '^pg_(toast|temp)'
  UNION ALL SELECT 'index', i.indexrelid::regclass::text, concat_ws(' ', pg_catalog.pg_get_indexdef(i.indexrelid), i.indisvalid, i.indimmediate)
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE i.indisunique AND n.nspname !~ '^pg_'
  UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint k
    JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace
    WHERE contype IN ('p', 'u', 'x') AND n.nspname !~ '^pg_'
  UNION ALL SELECT 'rule', r.ev_class::regclass || '.' || r.rulename, pg_catalog.pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r
    JOIN pg_catalog.pg_class c ON c.oid = r.ev_class JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE r.ev_type <> '1' AND n.nspname !~ '^pg_'
  UNION ALL SELECT 'policy', polrelid::regclass || '.' || polname, concat_ws(' ', polcmd, polpermissive,
    pg_catalog.pg_get_expr(polqual, polrelid), pg_catalog.pg_get_expr(polwithcheck, polrelid)) FROM pg_catalog.pg_policy
  UNION ALL SELECT 'function', p.oid::regprocedure::text, concat(p.prosrc, pg_catalog.pg_get_function_sqlbody(p.oid)) FROM pg_catalog.pg_proc p
    JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
  ORDER BY 1, 2, 3`;
