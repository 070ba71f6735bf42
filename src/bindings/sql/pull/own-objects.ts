import { EXTENSIONS } from "@skillc/runtime/internal/sql";

/**
 * What the queries of this folder ask: what there is in a database beyond PostgreSQL's own, each with the SQL that makes it again. They are of PostgreSQL 15 and
 * later, and asked with `pg_catalog` alone on the search path: then every name is printed with its schema. PostgreSQL itself quotes (`%I`, `%L`) and prints
 * expressions. The columns of an object:
 *
 * - `class`, `oid`: what dependencies know it by. `part_of`: the same of what it is a part of, as `class:oid`.
 * - `kind`, `name`: what a reader calls it.
 * - `sql`: its statement. `inline`: how a part stands within the statement of what it is a part of, if it may.
 */
export type ObjectRow = Readonly<Record<string, string | null>>;

/** Extensions that the embedded PostgreSQL has. */
const provided = EXTENSIONS.map((name) => `'${name}'`).join(", ");

/** Schemas that are looked at. */
export const OWN_SCHEMA = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;

const MEMBERSHIP = `pg_depend x JOIN pg_extension xe ON xe.oid = x.refobjid AND x.refclassid = 'pg_extension'::regclass AND x.deptype = 'e'`;

/** What comes with extensions that the embedded PostgreSQL has, as rows of `classid` and `objid`. */
export const PROVIDED = `SELECT x.classid, x.objid FROM ${MEMBERSHIP} WHERE xe.extname IN (${provided})`;

/** Whether it comes with one. No condition looks at the row that it is asked of: so each is answered once a query. */
export function isProvided(catalog: string, oid: string): string {
  return `${oid} IN (SELECT x.objid FROM ${MEMBERSHIP} WHERE xe.extname IN (${provided}) AND x.classid = '${catalog}'::regclass)`;
}

/** Whether PostgreSQL made it together with something else. */
export function isInternal(catalog: string, oid: string): string {
  return `${oid} IN (SELECT x.objid FROM pg_depend x WHERE x.deptype = 'i' AND x.classid = '${catalog}'::regclass)`;
}

/** ` COLLATE …` where it isn't the type's own. */
export function collate(collation: string, typeCollation: string): string {
  return `CASE WHEN ${collation} <> 0 AND ${collation} <> ${typeCollation}
    THEN (SELECT format(' COLLATE %I.%I', cn.nspname, co.collname) FROM pg_collation co JOIN pg_namespace cn ON cn.oid = co.collnamespace WHERE co.oid = ${collation})
    ELSE '' END`;
}

/** A type as it is written. The lengths and the like of other types than PostgreSQL's own are read by functions that may be a stand-in's: they are left out. */
export function typeText(type: string, modifier: string): string {
  return `format_type(${type}, CASE WHEN EXISTS (SELECT FROM pg_type ty JOIN pg_type te ON te.oid = CASE WHEN ty.typcategory = 'A' THEN ty.typelem ELSE ty.oid END
    WHERE ty.oid = ${type} AND te.typnamespace = 'pg_catalog'::regnamespace) THEN ${modifier} ELSE -1 END)`;
}

/** Schemas, and extensions: one that the embedded PostgreSQL lacks has a stand-in, to which its functions are added. */
export const SCHEMAS = `
  SELECT 'pg_namespace' AS class, n.oid, 'schema' AS kind, format('%I', n.nspname) AS name, format('CREATE SCHEMA IF NOT EXISTS %I', n.nspname) AS sql
    FROM pg_namespace n WHERE ${OWN_SCHEMA}
  UNION ALL SELECT 'pg_extension', e.oid, CASE WHEN e.extname IN (${provided}) THEN 'extension' ELSE 'stand-in of the extension' END, format('%I', e.extname),
    CASE WHEN e.extname IN (${provided}) THEN format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I', e.extname, n.nspname)
      ELSE format('INSERT INTO pg_catalog.pg_extension SELECT pg_catalog.pg_nextoid(%L, %L, %L), %L, 10, n.oid, false, %L FROM pg_catalog.pg_namespace n WHERE n.nspname = %L',
        'pg_catalog.pg_extension', 'oid', 'pg_catalog.pg_extension_oid_index', e.extname, '0', n.nspname) END
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE ${OWN_SCHEMA}`;

/** Functions of extensions that have a stand-in: that they are of it says what they may do. */
export const MEMBERS = `
  SELECT 'members' AS class, e.oid, 'functions of the extension' AS kind, format('%I', e.extname) AS name,
    string_agg(format('ALTER EXTENSION %I ADD ROUTINE %s', e.extname, p.oid::regprocedure), E';\\n' ORDER BY p.oid::regprocedure::text COLLATE "C") AS sql
  FROM pg_extension e JOIN pg_namespace en ON en.oid = e.extnamespace
  JOIN pg_depend d ON d.refobjid = e.oid AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
  JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE e.extname NOT IN (${provided}) AND en.nspname !~ '^pg_' AND ${OWN_SCHEMA} GROUP BY e.oid, e.extname`;

/** Collations, those of PostgreSQL's own too that something uses: which of them there are depends on the machine. How they sort is nothing that statements are checked by. */
export const COLLATIONS = `
  SELECT 'pg_collation' AS class, c.oid, 'stand-in of the collation' AS kind, format('%I.%I', n.nspname, c.collname) AS name,
    format('CREATE COLLATION IF NOT EXISTS %I.%I (LOCALE = %L)', n.nspname, c.collname, 'C') AS sql
  FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace
  WHERE (${OWN_SCHEMA} AND NOT ${isProvided("pg_collation", "c.oid")}) OR (n.nspname = 'pg_catalog' AND c.collname NOT IN ('default', 'C', 'POSIX', 'ucs_basic', 'unicode', 'und-x-icu')
    AND c.oid IN (SELECT d.refobjid FROM pg_depend d WHERE d.refclassid = 'pg_collation'::regclass))`;

/** What full text search is set up with: only its names are known. */
export const TEXT_SEARCH = `
  SELECT 'pg_ts_config' AS class, c.oid, 'text search configuration' AS kind, format('%I.%I', n.nspname, c.cfgname) AS name,
    format('CREATE TEXT SEARCH CONFIGURATION %I.%I (COPY = pg_catalog.simple)', n.nspname, c.cfgname) AS sql
    FROM pg_ts_config c JOIN pg_namespace n ON n.oid = c.cfgnamespace WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_ts_config", "c.oid")}
  UNION ALL SELECT 'pg_ts_dict', d.oid, 'text search dictionary', format('%I.%I', n.nspname, d.dictname),
    format('CREATE TEXT SEARCH DICTIONARY %I.%I (TEMPLATE = pg_catalog.simple)', n.nspname, d.dictname)
    FROM pg_ts_dict d JOIN pg_namespace n ON n.oid = d.dictnamespace WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_ts_dict", "d.oid")}`;
