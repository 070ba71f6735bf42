/**
 * Reads a snapshot of a PGlite with plain catalog queries, so that tests of the analysis don't
 * depend on the compiler's reader.
 */
import type { PGlite } from "@electric-sql/pglite";
import type {
  Cast,
  Operator,
  PgFunction,
  PgType,
  Relation,
  Snapshot,
} from "../../../../src/bindings/sql/database/snapshot.js";

export async function readSnapshot(db: PGlite): Promise<Snapshot> {
  const rows = async <Row>(sql: string): Promise<readonly Row[]> =>
    (await db.query<{ readonly row: Row }>(sql)).rows.map(({ row }) => row);
  const [path] = (await db.query<{ path: string[] }>("SELECT current_schemas(true) AS path")).rows;
  return {
    searchPath: path?.path ?? [],
    types: await rows<PgType>(TYPES),
    relations: await rows<Relation>(RELATIONS),
    functions: await rows<PgFunction>(FUNCTIONS),
    operators: await rows<Operator>(OPERATORS),
    casts: await rows<Cast>(CASTS),
  };
}

const TYPES = `
SELECT jsonb_strip_nulls(jsonb_build_object(
  'oid', t.oid::int8, 'schema', n.nspname, 'name', t.typname, 'builtIn', n.nspname = 'pg_catalog',
  'kind', CASE WHEN t.typsubscript = 'array_subscript_handler'::regproc THEN 'array'
    ELSE CASE t.typtype WHEN 'b' THEN 'base' WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain' WHEN 'c' THEN 'composite'
      WHEN 'r' THEN 'range' WHEN 'm' THEN 'multirange' ELSE 'pseudo' END END,
  'element', CASE WHEN t.typsubscript = 'array_subscript_handler'::regproc THEN t.typelem::int8 END,
  'base', CASE WHEN t.typtype = 'd' THEN t.typbasetype::int8 END,
  'notNull', CASE WHEN t.typtype = 'd' THEN t.typnotnull END,
  'labels', (SELECT jsonb_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid),
  'fields', (SELECT jsonb_agg(jsonb_build_object('name', attname, 'type', atttypid::int8) ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped AND t.typtype = 'c'))) AS row
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace`;

const RELATIONS = `
SELECT jsonb_strip_nulls(jsonb_build_object(
  'oid', c.oid::int8, 'schema', n.nspname, 'name', c.relname,
  'kind', CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized'
    WHEN 'f' THEN 'foreign' ELSE 'sequence' END,
  'definition', CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
  'intercepted', CASE
    WHEN EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_type <> '1') THEN 'by rules'
    WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid IN (SELECT relid FROM pg_partition_tree(c.oid) UNION SELECT c.oid)
      AND NOT t.tgisinternal) THEN 'by triggers'
    ELSE 'never' END,
  'columns', (SELECT jsonb_agg(jsonb_build_object(
      'name', a.attname, 'type', a.atttypid::int8, 'modifier', a.atttypmod,
      'notNull', a.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'n'
        AND a.attnum = ANY (k.conkey) AND (NOT k.convalidated OR k.connoinherit)),
      'hasDefault', a.atthasdef, 'generated', a.attgenerated <> '' OR a.attidentity = 'a') ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))) AS row
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname NOT LIKE 'pg_toast%'`;

const FUNCTIONS = `
SELECT jsonb_strip_nulls(jsonb_build_object(
  'oid', p.oid::int8, 'schema', n.nspname, 'name', p.proname,
  'kind', CASE p.prokind WHEN 'f' THEN 'function' WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'window' END,
  'arguments', to_jsonb(string_to_array(p.proargtypes::text, ' ')::int8[]),
  'variadic', p.provariadic <> 0, 'defaults', p.pronargdefaults, 'returns', p.prorettype::int8, 'returnsSet', p.proretset,
  'outputs', (SELECT jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[i], ''), 'type', p.proallargtypes[i]::int8) ORDER BY i)
    FROM generate_subscripts(p.proallargtypes, 1) i WHERE p.proargmodes[i] IN ('o', 'b', 't')),
  'volatility', CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
  'strict', p.proisstrict)) AS row
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace`;

const OPERATORS = `
SELECT jsonb_build_object('schema', n.nspname, 'name', o.oprname, 'left', o.oprleft::int8, 'right', o.oprright::int8,
  'result', o.oprresult::int8, 'function', o.oprcode::oid::int8) AS row
FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace`;

const CASTS = `
SELECT jsonb_build_object('source', castsource::int8, 'target', casttarget::int8, 'function', castfunc::int8,
  'context', CASE castcontext WHEN 'e' THEN 'explicit' WHEN 'a' THEN 'assignment' ELSE 'implicit' END) AS row
FROM pg_cast`;
