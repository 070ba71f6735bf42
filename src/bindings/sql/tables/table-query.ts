/**
 * Queries for data on tables that the analysis doesn't need: comments, keys, defaults. Names are
 * printed for the session's search path, which is also that of tools.
 */

/** The type of a column's values, with domains unwrapped; `b` is its row of `pg_type`. */
const BASE = `(WITH RECURSIVE behind(oid, modifier) AS (
    SELECT a.atttypid, a.atttypmod
    UNION ALL SELECT t.typbasetype, t.typtypmod FROM behind JOIN pg_catalog.pg_type t ON t.oid = behind.oid WHERE t.typtype = 'd'
  ) SELECT t.oid, t.typname, t.typtype, t.typcategory, t.typelem, behind.modifier FROM behind JOIN pg_catalog.pg_type t ON t.oid = behind.oid WHERE t.typtype <> 'd')`;

/** Condition: a domain of the column's type is NOT NULL. */
const DOMAIN_NOT_NULL = `EXISTS (WITH RECURSIVE behind(oid) AS (
    SELECT a.atttypid UNION ALL SELECT t.typbasetype FROM behind JOIN pg_catalog.pg_type t ON t.oid = behind.oid WHERE t.typtype = 'd'
  ) SELECT FROM behind JOIN pg_catalog.pg_type t ON t.oid = behind.oid WHERE t.typnotnull)`;

const COLUMNS = `SELECT json_agg(json_build_object(
    'name', a.attname, 'sql', pg_catalog.quote_ident(a.attname), 'comment', pg_catalog.col_description(c.oid, a.attnum),
    'type', coalesce(e.typname, b.typname), 'type_sql', pg_catalog.format_type(b.oid, NULL), 'is_array', e.oid IS NOT NULL,
    'kind', CASE coalesce(e.typtype, b.typtype) WHEN 'e' THEN 'enum' ELSE CASE WHEN coalesce(e.oid, b.oid) < 16384 THEN 'built-in' ELSE 'other' END END,
    'length', CASE WHEN b.typname IN ('varchar', 'bpchar') AND b.modifier > 4 THEN b.modifier - 4 END,
    'is_nullable', NOT (a.attnotnull OR ${DOMAIN_NOT_NULL}),
    'given', CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated <> '' THEN 'generated'
      WHEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%' THEN 'sequence' END,
    'default', CASE WHEN a.attgenerated = '' THEN coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), ty.typdefault) END,
    'references', (SELECT pg_catalog.min(k.confrelid::pg_catalog.regclass::text) FROM pg_catalog.pg_constraint k
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum])
  ) ORDER BY a.attnum)
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type ty ON ty.oid = a.atttypid
  CROSS JOIN LATERAL ${BASE} b
  LEFT JOIN pg_catalog.pg_type e ON e.oid = b.typelem AND b.typcategory = 'A' AND e.typarray = b.oid
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`;

/** Names of an index's key columns, in order; NULL for an expression. */
const INDEXED = `(SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum AND k.attnum > 0
    WHERE k.place <= i.indnkeyatts)`;

const INDEXES = `SELECT json_agg(json_build_object(
    'name', x.relname, 'columns', ${INDEXED}, 'is_unique', i.indisunique, 'is_plain', i.indpred IS NULL AND NOT 0 = ANY (i.indkey)
  ) ORDER BY i.indisprimary DESC, x.relname COLLATE "C")
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
  WHERE i.indrelid = c.oid AND i.indisvalid AND i.indislive`;

/**
 * The key of the only table of a view, if the view contains it unchanged. PostgreSQL itself must be
 * able to apply changes of the view to that table.
 */
const KEY_OF_VIEW = `SELECT json_agg(a.attname ORDER BY k.place)
  FROM (SELECT pg_catalog.min(d.refobjid::text)::oid AS oid FROM pg_catalog.pg_rewrite r
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = r.oid
        AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> c.oid
      WHERE r.ev_class = c.oid HAVING pg_catalog.count(DISTINCT d.refobjid) = 1) base
  JOIN pg_catalog.pg_index i ON i.indrelid = base.oid AND i.indisprimary
  CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
  JOIN pg_catalog.pg_attribute o ON o.attrelid = base.oid AND o.attnum = k.attnum
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = o.attname AND a.atttypid = o.atttypid
    AND pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false)
  WHERE c.relkind = 'v' AND k.place <= i.indnkeyatts AND pg_catalog.pg_relation_is_updatable(c.oid, false) & 4 <> 0
  HAVING pg_catalog.count(*) = pg_catalog.count(a.attname)`;

/** Tables and views of all schemas except PostgreSQL's own, with their parts as JSON. */
export const TABLES = `
  SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind, pg_catalog.obj_description(c.oid, 'pg_class') AS comment,
    CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN pg_catalog.quote_ident(c.relname) ELSE pg_catalog.format('%I.%I', n.nspname, c.relname) END AS sql,
    CASE WHEN c.relispartition THEN (SELECT h.inhparent::pg_catalog.regclass::text FROM pg_catalog.pg_inherits h WHERE h.inhrelid = c.oid) END AS partition_of,
    (SELECT pg_catalog.min(x.extname) FROM pg_catalog.pg_depend m JOIN pg_catalog.pg_extension x ON x.oid = m.refobjid
      WHERE m.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND m.objid = c.oid AND m.deptype = 'e'
        AND m.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass) AS extension,
    (c.relkind IN ('r', 'p') OR pg_catalog.pg_relation_is_updatable(c.oid, true) & 8 <> 0)::text AS takes_rows,
    (${COLUMNS})::text AS columns, (${INDEXES})::text AS indexes, (${KEY_OF_VIEW})::text AS view_key
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`;

/** Comments of schemas, and the version of the server. */
export const SCHEMA_COMMENTS = `
  SELECT n.nspname AS name, pg_catalog.obj_description(n.oid, 'pg_namespace') AS comment FROM pg_catalog.pg_namespace n
  WHERE n.nspname !~ '^pg_' AND pg_catalog.obj_description(n.oid, 'pg_namespace') IS NOT NULL
  ORDER BY n.nspname COLLATE "C"`;

export const SERVER_VERSION = `SELECT (pg_catalog.current_setting('server_version_num')::int / 10000)::text AS version`;
