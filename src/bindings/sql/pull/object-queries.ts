/**
 * Queries that print a database: all objects beyond PostgreSQL's own, each with the SQL that
 * creates it.
 */
import { EXTENSIONS } from "@skillc/runtime/internal/sql";

/**
 * A row of the queries in this file. They list all objects beyond PostgreSQL's own, each with the
 * SQL that creates it. They need PostgreSQL 15 or later, and only `pg_catalog` on the search path,
 * so that every name is printed with its schema. PostgreSQL itself quotes (`%I`, `%L`) and prints
 * expressions. Columns:
 *
 * - `class`, `oid`: identify the object in dependencies. `part_of`: `class:oid` of the object to
 *   which a part belongs.
 * - `kind`, `name`: the object's kind and name for people.
 * - `sql`: its statement. `inline`: text of a part inside the statement of its object, if allowed.
 */
export type ObjectRow = Readonly<Record<string, string | null>>;

/** Extensions that the embedded PostgreSQL has. */
const provided = EXTENSIONS.map((name) => `'${name}'`).join(", ");

/** Condition on the schemas whose objects are printed. */
const OWN_SCHEMA = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;

const MEMBERSHIP = `pg_depend x JOIN pg_extension xe ON xe.oid = x.refobjid AND x.refclassid = 'pg_extension'::regclass AND x.deptype = 'e'`;

/** Members of the extensions that the embedded PostgreSQL has, as rows of `classid` and `objid`. */
const PROVIDED = `SELECT x.classid, x.objid FROM ${MEMBERSHIP} WHERE xe.extname IN (${provided})`;

/**
 * Condition: the object belongs to such an extension. The subquery doesn't refer to the outer row,
 * so that PostgreSQL runs it once for each query.
 */
function isProvided(catalog: string, oid: string): string {
  return `${oid} IN (SELECT x.objid FROM ${MEMBERSHIP} WHERE xe.extname IN (${provided}) AND x.classid = '${catalog}'::regclass)`;
}

/** Condition: PostgreSQL created the object as part of another. */
function isInternal(catalog: string, oid: string): string {
  return `${oid} IN (SELECT x.objid FROM pg_depend x WHERE x.deptype = 'i' AND x.classid = '${catalog}'::regclass)`;
}

/** Prints ` COLLATE …` unless the collation is the type's own. */
function collate(collation: string, typeCollation: string): string {
  return `CASE WHEN ${collation} <> 0 AND ${collation} <> ${typeCollation}
    THEN (SELECT format(' COLLATE %I.%I', cn.nspname, co.collname) FROM pg_collation co JOIN pg_namespace cn ON cn.oid = co.collnamespace WHERE co.oid = ${collation})
    ELSE '' END`;
}

/**
 * Prints a type. Modifiers of types from outside pg_catalog are left out, because the functions
 * that read them may be stand-ins.
 */
function typeText(type: string, modifier: string): string {
  return `format_type(${type}, CASE WHEN EXISTS (SELECT FROM pg_type ty JOIN pg_type te ON te.oid = CASE WHEN ty.typcategory = 'A' THEN ty.typelem ELSE ty.oid END
    WHERE ty.oid = ${type} AND te.typnamespace = 'pg_catalog'::regnamespace) THEN ${modifier} ELSE -1 END)`;
}

/**
 * Schemas and extensions. An extension that the embedded PostgreSQL lacks gets a stand-in, to which
 * its functions are added.
 */
export const SCHEMAS = `
  SELECT 'pg_namespace' AS class, n.oid, 'schema' AS kind, format('%I', n.nspname) AS name, format('CREATE SCHEMA IF NOT EXISTS %I', n.nspname) AS sql
    FROM pg_namespace n WHERE ${OWN_SCHEMA}
  UNION ALL SELECT 'pg_extension', e.oid, CASE WHEN e.extname IN (${provided}) THEN 'extension' ELSE 'stand-in of the extension' END, format('%I', e.extname),
    CASE WHEN e.extname IN (${provided}) THEN format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I', e.extname, n.nspname)
      ELSE format('INSERT INTO pg_catalog.pg_extension SELECT pg_catalog.pg_nextoid(%L, %L, %L), %L, 10, n.oid, false, %L FROM pg_catalog.pg_namespace n WHERE n.nspname = %L',
        'pg_catalog.pg_extension', 'oid', 'pg_catalog.pg_extension_oid_index', e.extname, '0', n.nspname) END
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE ${OWN_SCHEMA}`;

/**
 * Functions of extensions with a stand-in. Their membership decides which side effects the analysis
 * expects of them.
 */
export const MEMBERS = `
  SELECT 'members' AS class, e.oid, 'functions of the extension' AS kind, format('%I', e.extname) AS name,
    string_agg(format('ALTER EXTENSION %I ADD ROUTINE %s', e.extname, p.oid::regprocedure), E';\\n' ORDER BY p.oid::regprocedure::text COLLATE "C") AS sql
  FROM pg_extension e JOIN pg_namespace en ON en.oid = e.extnamespace
  JOIN pg_depend d ON d.refobjid = e.oid AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
  JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE e.extname NOT IN (${provided}) AND en.nspname !~ '^pg_' AND ${OWN_SCHEMA} GROUP BY e.oid, e.extname`;

/**
 * Collations, including PostgreSQL's own that something uses, because the available ones depend on
 * the machine. Their order of texts doesn't matter for checks of statements.
 */
export const COLLATIONS = `
  SELECT 'pg_collation' AS class, c.oid, 'stand-in of the collation' AS kind, format('%I.%I', n.nspname, c.collname) AS name,
    format('CREATE COLLATION IF NOT EXISTS %I.%I (LOCALE = %L)', n.nspname, c.collname, 'C') AS sql
  FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace
  WHERE (${OWN_SCHEMA} AND NOT ${isProvided("pg_collation", "c.oid")}) OR (n.nspname = 'pg_catalog' AND c.collname NOT IN ('default', 'C', 'POSIX', 'ucs_basic', 'unicode', 'und-x-icu')
    AND c.oid IN (SELECT d.refobjid FROM pg_depend d WHERE d.refclassid = 'pg_collation'::regclass))`;

/** Text search configurations and dictionaries: only their names are kept. */
export const TEXT_SEARCH = `
  SELECT 'pg_ts_config' AS class, c.oid, 'text search configuration' AS kind, format('%I.%I', n.nspname, c.cfgname) AS name,
    format('CREATE TEXT SEARCH CONFIGURATION %I.%I (COPY = pg_catalog.simple)', n.nspname, c.cfgname) AS sql
    FROM pg_ts_config c JOIN pg_namespace n ON n.oid = c.cfgnamespace WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_ts_config", "c.oid")}
  UNION ALL SELECT 'pg_ts_dict', d.oid, 'text search dictionary', format('%I.%I', n.nspname, d.dictname),
    format('CREATE TEXT SEARCH DICTIONARY %I.%I (TEMPLATE = pg_catalog.simple)', n.nspname, d.dictname)
    FROM pg_ts_dict d JOIN pg_namespace n ON n.oid = d.dictnamespace WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_ts_dict", "d.oid")}`;

const CLASS_NAME = `format('%I.%I', n.nspname, c.relname)`;

const FROM_CLASS = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace`;

const isOwnRelation = `${OWN_SCHEMA} AND NOT ${isProvided("pg_class", "c.oid")}`;

/** The sequence of an identity column. */
const IDENTITY = `(SELECT format(' (SEQUENCE NAME %I.%I)', sn.nspname, s.relname) FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
  JOIN pg_namespace sn ON sn.oid = s.relnamespace WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'i' AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum)`;

/**
 * Each column: its name in the catalog and quoted for SQL, its type, its generation expression or
 * identity, and the position of its default.
 */
const COLUMNS = `(SELECT json_agg(json_build_array(a.attname, format('%I', a.attname), ${typeText("a.atttypid", "a.atttypmod")} || ${collate("a.attcollation", "at.typcollation")},
    CASE WHEN a.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s)%s', pg_get_expr(x.adbin, x.adrelid), CASE a.attgenerated WHEN 's' THEN ' STORED' ELSE ' VIRTUAL' END)
      WHEN a.attidentity <> '' AND NOT c.relispartition THEN format(' GENERATED %s AS IDENTITY%s', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, ${IDENTITY})
      ELSE '' END) ORDER BY a.attnum)
  FROM pg_attribute a JOIN pg_type at ON at.oid = a.atttypid LEFT JOIN pg_attrdef x ON x.adrelid = a.attrelid AND x.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)::text`;

/** Sequences and all kinds of tables. `sql` of a table is the text around its columns. */
export const TABLES = `
  SELECT 'pg_class' AS class, c.oid, 'sequence' AS kind, ${CLASS_NAME} AS name, format('CREATE SEQUENCE %s', ${CLASS_NAME}) AS sql, NULL AS columns, NULL AS tail ${FROM_CLASS}
    WHERE c.relkind = 'S' AND ${isOwnRelation} AND NOT ${isInternal("pg_class", "c.oid")}
  UNION ALL SELECT 'pg_class', c.oid, CASE c.relkind WHEN 'f' THEN 'foreign table' ELSE 'table' END, ${CLASS_NAME},
    format('CREATE%s TABLE %s', CASE c.relkind WHEN 'f' THEN ' FOREIGN' END, ${CLASS_NAME}), ${COLUMNS},
    CASE c.relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid)
      -- Of all that an option may say, only whether reading the table runs a program: passwords and hosts may be among the others.
      WHEN 'f' THEN ' SERVER skillc_stand_in' || CASE WHEN EXISTS (SELECT FROM pg_foreign_table f WHERE f.ftrelid = c.oid
        AND EXISTS (SELECT FROM unnest(f.ftoptions) o WHERE o LIKE 'program=%')) THEN ' OPTIONS (program '''')' ELSE '' END
      ELSE '' END
    ${FROM_CLASS} WHERE c.relkind IN ('r', 'p', 'f') AND ${isOwnRelation}`;

/** Parts of tables. */
export const PARTS = `
  SELECT 'pg_attrdef' AS class, x.oid, 'default' AS kind, format('%s: %I', ${CLASS_NAME}, a.attname) AS name, 'pg_class:' || c.oid AS part_of,
    CASE WHEN c.relkind IN ('r', 'p', 'f') THEN pg_get_expr(x.adbin, x.adrelid) END AS inline,
    format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', ${CLASS_NAME}, a.attname, pg_get_expr(x.adbin, x.adrelid)) AS sql, a.attname AS of_column
    ${FROM_CLASS} JOIN pg_attrdef x ON x.adrelid = c.oid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.adnum
    WHERE a.attgenerated = '' AND ${isOwnRelation}
  UNION ALL SELECT 'pg_constraint', k.oid, CASE k.contype WHEN 'f' THEN 'foreign key' ELSE 'constraint' END, format('%s: %I', ${CLASS_NAME}, k.conname), 'pg_class:' || c.oid,
    CASE WHEN k.contype <> 'f' THEN format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)) END,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', ${CLASS_NAME}, k.conname, pg_get_constraintdef(k.oid)), NULL
    ${FROM_CLASS} JOIN pg_constraint k ON k.conrelid = c.oid WHERE k.contype IN ('p', 'u', 'x', 'c', 'f') AND NOT (k.contype = 'f' AND k.conparentid <> 0) AND ${isOwnRelation}
  UNION ALL SELECT 'pg_class', i.indexrelid, 'index', format('%s: %I', ${CLASS_NAME}, ic.relname), 'pg_class:' || c.oid, NULL,
    -- On the parent alone it would not be valid, and those of the partitions are made with it.
    CASE WHEN starts_with(d.def, d.begin || ' ON ONLY ') THEN d.begin || ' ON ' || substr(d.def, length(d.begin || ' ON ONLY ') + 1) ELSE d.def END, NULL
    ${FROM_CLASS} JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class ic ON ic.oid = i.indexrelid 
    CROSS JOIN LATERAL (SELECT pg_get_indexdef(i.indexrelid) AS def, format('CREATE %sINDEX %I', CASE WHEN i.indisunique THEN 'UNIQUE ' END, ic.relname) AS begin) d
    WHERE i.indisvalid AND NOT ic.relispartition AND i.indexrelid NOT IN (SELECT k.conindid FROM pg_constraint k WHERE k.contype IN ('p', 'u', 'x'))
      AND (i.indisunique OR i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
        OR EXISTS (SELECT FROM pg_opclass o WHERE o.oid = ANY (i.indclass) AND o.opcnamespace <> 'pg_catalog'::regnamespace)) AND ${isOwnRelation}
  UNION ALL SELECT 'pg_statistic_ext', s.oid, 'statistics', format('%s: %I', ${CLASS_NAME}, s.stxname), 'pg_class:' || c.oid, NULL, pg_get_statisticsobjdef(s.oid), NULL
    ${FROM_CLASS} JOIN pg_statistic_ext s ON s.stxrelid = c.oid WHERE s.stxexprs IS NOT NULL AND ${isOwnRelation}
  UNION ALL SELECT 'pg_inherits ' || i.inhparent, i.inhrelid, 'parent', format('%s: %I.%I', ${CLASS_NAME}, pn.nspname, p.relname), 'pg_class:' || c.oid, NULL,
    CASE WHEN c.relispartition THEN format('ALTER TABLE %I.%I ATTACH PARTITION %s %s', pn.nspname, p.relname, ${CLASS_NAME}, pg_get_expr(c.relpartbound, c.oid))
      ELSE format('ALTER TABLE %s INHERIT %I.%I', ${CLASS_NAME}, pn.nspname, p.relname) END, NULL
    ${FROM_CLASS} JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f') AND ${isOwnRelation}
  UNION ALL SELECT 'pg_trigger', t.oid, 'trigger', format('%s: %I', ${CLASS_NAME}, t.tgname), 'pg_class:' || c.oid, NULL, pg_get_triggerdef(t.oid), NULL
    ${FROM_CLASS} JOIN pg_trigger t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${isOwnRelation}
  UNION ALL SELECT 'pg_rewrite', r.oid, 'rule', format('%s: %I', ${CLASS_NAME}, r.rulename), 'pg_class:' || c.oid, NULL, rtrim(pg_get_ruledef(r.oid), ';'), NULL
    ${FROM_CLASS} JOIN pg_rewrite r ON r.ev_class = c.oid WHERE r.ev_type <> '1' AND ${isOwnRelation}
  UNION ALL SELECT 'row security', c.oid, 'row security', ${CLASS_NAME}, 'pg_class:' || c.oid, NULL, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', ${CLASS_NAME}), NULL
    ${FROM_CLASS} WHERE c.relrowsecurity AND ${isOwnRelation}
  UNION ALL SELECT 'pg_policy', p.oid, 'policy', format('%s: %I', ${CLASS_NAME}, p.polname), 'pg_class:' || c.oid, NULL, format('CREATE POLICY %I ON %s%s FOR %s%s%s', p.polname, ${CLASS_NAME},
      CASE WHEN NOT p.polpermissive THEN ' AS RESTRICTIVE' END, CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
      ' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', ' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')'), NULL
    ${FROM_CLASS} JOIN pg_policy p ON p.polrelid = c.oid WHERE ${isOwnRelation}`;

/** Views, as PostgreSQL prints their queries. */
export const VIEWS = `
  SELECT 'pg_class' AS class, c.oid, CASE c.relkind WHEN 'm' THEN 'materialized view' ELSE 'view' END AS kind, ${CLASS_NAME} AS name,
    format(E'CREATE %s %s AS\\n%s%s', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END, ${CLASS_NAME}, rtrim(pg_get_viewdef(c.oid), ';'),
      CASE c.relkind WHEN 'm' THEN E'\\nWITH NO DATA' END) AS sql
  ${FROM_CLASS} WHERE c.relkind IN ('v', 'm') AND ${isOwnRelation}`;

const TYPE_NAME = `format('%I.%I', n.nspname, t.typname)`;

const FROM_TYPES = `FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace`;

const isOwnType = `${OWN_SCHEMA} AND t.typisdefined AND NOT ${isProvided("pg_type", "t.oid")}`;

/** An input or output function that treats values as text, instead of the type's own code. */
function ioFunction(oid: string, stub: string): string {
  return `(SELECT format('CREATE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE internal %s%s AS %L', fn.nspname, f.proname, pg_get_function_arguments(f.oid),
    format_type(f.prorettype, NULL), CASE f.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
    CASE WHEN f.proisstrict THEN ' STRICT' ELSE '' END, '${stub}') FROM pg_proc f JOIN pg_namespace fn ON fn.oid = f.pronamespace WHERE f.oid = ${oid})`;
}

/** Enums, composite types, base types, domains and ranges. Checks of domains are parts of them. */
export const TYPES = `
  SELECT 'pg_type' AS class, t.oid, 'enum' AS kind, ${TYPE_NAME} AS name, NULL AS part_of, NULL AS inline,
    format('CREATE TYPE %s AS ENUM (%s)', ${TYPE_NAME},
      (SELECT string_agg(quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder) FROM pg_enum l WHERE l.enumtypid = t.oid)) AS sql
    ${FROM_TYPES} WHERE t.typtype = 'e' AND ${isOwnType}
  UNION ALL SELECT 'pg_class', c.oid, 'type', ${TYPE_NAME}, NULL, NULL, format('CREATE TYPE %s AS (%s)', ${TYPE_NAME},
      (SELECT string_agg(format(E'\\n  %I %s%s', a.attname, ${typeText("a.atttypid", "a.atttypmod")}, ${collate("a.attcollation", "at.typcollation")}), ',' ORDER BY a.attnum)
        FROM pg_attribute a JOIN pg_type at ON at.oid = a.atttypid WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) || E'\\n')
    ${FROM_TYPES} JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c' WHERE ${isOwnType}
  UNION ALL SELECT 'pg_type', t.oid, 'domain', ${TYPE_NAME}, NULL, NULL,
    format('CREATE DOMAIN %s AS %s%s%s%s', ${TYPE_NAME}, ${typeText("t.typbasetype", "t.typtypmod")}, ${collate("t.typcollation", "b.typcollation")},
      ' DEFAULT ' || coalesce(pg_get_expr(t.typdefaultbin, 0), quote_literal(t.typdefault)), CASE WHEN t.typnotnull THEN ' NOT NULL' END)
    ${FROM_TYPES} JOIN pg_type b ON b.oid = t.typbasetype WHERE t.typtype = 'd' AND ${isOwnType}
  UNION ALL SELECT 'pg_constraint', k.oid, 'check of the domain', format('%s: %I', ${TYPE_NAME}, k.conname), 'pg_type:' || t.oid,
    format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', ${TYPE_NAME}, k.conname, pg_get_constraintdef(k.oid))
    ${FROM_TYPES} JOIN pg_constraint k ON k.contypid = t.oid WHERE k.contype = 'c' AND ${isOwnType}
  UNION ALL SELECT 'pg_type', t.oid, 'range', ${TYPE_NAME}, NULL, NULL, format('CREATE TYPE %s AS RANGE (%s)', ${TYPE_NAME}, concat_ws(', ',
      'SUBTYPE = ' || format_type(r.rngsubtype, NULL), format('SUBTYPE_OPCLASS = %I.%I', o.nspname, c.opcname),
      (SELECT format('COLLATION = %I.%I', cn.nspname, co.collname) FROM pg_collation co JOIN pg_namespace cn ON cn.oid = co.collnamespace
        WHERE co.oid = r.rngcollation AND co.collname <> 'default'),
      'SUBTYPE_DIFF = ' || nullif(r.rngsubdiff, 0)::regproc, format('MULTIRANGE_TYPE_NAME = %I.%I', mn.nspname, m.typname)))
    ${FROM_TYPES} JOIN pg_range r ON r.rngtypid = t.oid JOIN pg_opclass c ON c.oid = r.rngsubopc JOIN pg_namespace o ON o.oid = c.opcnamespace
    JOIN pg_type m ON m.oid = r.rngmultitypid JOIN pg_namespace mn ON mn.oid = m.typnamespace WHERE ${isOwnType}
  UNION ALL SELECT 'pg_type', t.oid, 'stand-in of the type', ${TYPE_NAME}, NULL, NULL, concat_ws(E';\\n', 'CREATE TYPE ' || ${TYPE_NAME},
      ${ioFunction("t.typinput", "textin")}, ${ioFunction("t.typoutput", "textout")},
      format('CREATE TYPE %s (INPUT = %s, OUTPUT = %s, LIKE = pg_catalog.text, CATEGORY = %L, PREFERRED = %s, DELIMITER = %L, COLLATABLE = %s%s)', ${TYPE_NAME}, t.typinput, t.typoutput,
        t.typcategory, t.typispreferred::text, t.typdelim, (t.typcollation <> 0)::text, ', DEFAULT = ' || quote_literal(t.typdefault)))
    ${FROM_TYPES} WHERE t.typtype = 'b' AND t.oid NOT IN (SELECT e.typarray FROM pg_type e) AND ${isOwnType}`;

/** Pseudo-types that PL/pgSQL accepts. */
const PLAIN = `('record', 'void', 'trigger', 'event_trigger', 'anyelement', 'anyarray', 'anynonarray', 'anyenum', 'anyrange', 'anymultirange', 'anycompatible',
  'anycompatiblearray', 'anycompatiblenonarray', 'anycompatiblerange', 'anycompatiblemultirange')`;

/**
 * Condition: the function is written in C, or has types that only C can handle. The analysis treats
 * these separately.
 */
const isMachine = `p.prokind = 'w' OR l.lanname IN ('c', 'internal') OR EXISTS (SELECT FROM pg_type pt WHERE pt.oid = ANY (coalesce(p.proallargtypes, p.proargtypes::oid[]) || p.prorettype)
  AND pt.typtype = 'p' AND pt.typname NOT IN ${PLAIN})`;

/**
 * Body of a stand-in. The real body may be in any language, so it can't be kept. `shell_in` rejects
 * every call.
 */
const body = `CASE WHEN ${isMachine} THEN format('LANGUAGE internal%s', CASE WHEN p.prokind = 'w' THEN ' WINDOW' END) ELSE 'LANGUAGE plpgsql' END
  || CASE WHEN p.prokind = 'p' THEN '' ELSE CASE p.provolatile WHEN 'i' THEN ' IMMUTABLE' WHEN 's' THEN ' STABLE' ELSE ' VOLATILE' END END
  || CASE WHEN p.proisstrict THEN ' STRICT' ELSE '' END || ' AS ' || CASE WHEN ${isMachine} THEN quote_literal('shell_in')
    WHEN p.prokind = 'p' OR p.proretset OR p.prorettype = 'void'::regtype OR p.proargmodes && '{o,b,t}' THEN quote_literal('BEGIN END')
    ELSE quote_literal('BEGIN RETURN NULL; END') END`;

/** Functions and procedures, except those of types, with bodies that do nothing. */
export const FUNCTIONS = `
  SELECT 'pg_proc' AS class, p.oid, CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END AS kind, p.oid::regprocedure::text AS name,
    format(E'CREATE %s %I.%I(%s)%s\\n  %s', CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, n.nspname, p.proname, pg_get_function_arguments(p.oid),
      CASE WHEN p.prokind <> 'p' THEN E'\\n  RETURNS ' || pg_get_function_result(p.oid) END, ${body}) AS sql
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
  WHERE p.prokind IN ('f', 'p', 'w') AND ${OWN_SCHEMA} AND NOT ${isProvided("pg_proc", "p.oid")} AND NOT ${isInternal("pg_proc", "p.oid")}
    AND p.oid NOT IN (SELECT unnest(ARRAY[t.typinput, t.typoutput]::oid[]) FROM pg_type t)`;

const optional = (name: string, oid: string): string =>
  `'${name} = ' || nullif(${oid}::oid, 0)::regproc`;

/** Aggregates, with their own functions. */
export const AGGREGATES = `
  SELECT 'pg_proc' AS class, p.oid, 'aggregate' AS kind, p.oid::regprocedure::text AS name,
    format('CREATE AGGREGATE %I.%I(%s) (%s)', n.nspname, p.proname, coalesce(nullif(pg_get_function_arguments(p.oid), ''), '*'), concat_ws(', ',
      ${optional("SFUNC", "g.aggtransfn")}, 'STYPE = ' || format_type(g.aggtranstype, NULL), ${optional("FINALFUNC", "g.aggfinalfn")},
      CASE WHEN g.aggfinalextra THEN 'FINALFUNC_EXTRA' END, ${optional("COMBINEFUNC", "g.aggcombinefn")}, ${optional("SERIALFUNC", "g.aggserialfn")},
      ${optional("DESERIALFUNC", "g.aggdeserialfn")}, 'INITCOND = ' || quote_literal(g.agginitval), ${optional("MSFUNC", "g.aggmtransfn")},
      ${optional("MINVFUNC", "g.aggminvtransfn")}, 'MSTYPE = ' || CASE WHEN g.aggmtranstype <> 0 THEN format_type(g.aggmtranstype, NULL) END,
      ${optional("MFINALFUNC", "g.aggmfinalfn")}, CASE WHEN g.aggmfinalextra THEN 'MFINALFUNC_EXTRA' END, 'MINITCOND = ' || quote_literal(g.aggminitval),
      CASE WHEN g.aggkind = 'h' THEN 'HYPOTHETICAL' END)) AS sql
  FROM pg_aggregate g JOIN pg_proc p ON p.oid = g.aggfnoid JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_proc", "p.oid")}`;

const operand = (name: string, type: string): string =>
  `'${name} = ' || CASE WHEN ${type} <> 0 THEN format_type(${type}, NULL) END`;

const linked = (name: string, oid: string): string =>
  `(SELECT format('${name} = OPERATOR(%I.%s)', ln.nspname, l.oprname) FROM pg_operator l JOIN pg_namespace ln ON ln.oid = l.oprnamespace WHERE l.oid = ${oid})`;

/** Items of an operator class for its own type. */
const ITEMS = `(SELECT string_agg(item, ', ' ORDER BY place, strategy, item) FROM (
    SELECT 1 AS place, o.amopstrategy AS strategy, format('OPERATOR %s %s', o.amopstrategy, o.amopopr::regoperator) AS item FROM pg_amop o
      WHERE o.amopfamily = c.opcfamily AND o.amoplefttype = c.opcintype AND o.amoppurpose = 's'
    UNION ALL SELECT 2, f.amprocnum, format('FUNCTION %s (%s, %s) %s', f.amprocnum, format_type(f.amproclefttype, NULL), format_type(f.amprocrighttype, NULL),
      f.amproc::regprocedure) FROM pg_amproc f WHERE f.amprocfamily = c.opcfamily AND f.amproclefttype = c.opcintype
    UNION ALL SELECT 3, 0, 'STORAGE ' || format_type(CASE WHEN c.opckeytype = 0 THEN c.opcintype ELSE c.opckeytype END, NULL)
      WHERE c.opckeytype <> 0 OR NOT EXISTS (SELECT FROM pg_amproc f WHERE f.amprocfamily = c.opcfamily AND f.amproclefttype = c.opcintype)) items)`;

/** Operators, their classes and families, and casts. */
export const OPERATORS = `
  SELECT 'pg_operator' AS class, o.oid, 'operator' AS kind, o.oid::regoperator::text AS name, format('CREATE OPERATOR %I.%s (%s)', n.nspname, o.oprname, concat_ws(', ',
      'FUNCTION = ' || o.oprcode, ${operand("LEFTARG", "o.oprleft")}, ${operand("RIGHTARG", "o.oprright")}, ${linked("COMMUTATOR", "o.oprcom")},
      ${linked("NEGATOR", "o.oprnegate")}, CASE WHEN o.oprcanhash THEN 'HASHES' END, CASE WHEN o.oprcanmerge THEN 'MERGES' END)) AS sql
    FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace WHERE o.oprcode <> 0 AND ${OWN_SCHEMA} AND NOT ${isProvided("pg_operator", "o.oid")}
  UNION ALL SELECT 'pg_opfamily', f.oid, 'operator family', format('%I.%I (%s)', n.nspname, f.opfname, m.amname),
    format('CREATE OPERATOR FAMILY %I.%I USING %I', n.nspname, f.opfname, m.amname)
    FROM pg_opfamily f JOIN pg_namespace n ON n.oid = f.opfnamespace JOIN pg_am m ON m.oid = f.opfmethod WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_opfamily", "f.oid")}
  UNION ALL SELECT 'pg_opclass', c.oid, 'operator class', format('%I.%I (%s)', n.nspname, c.opcname, m.amname),
    format('CREATE OPERATOR CLASS %I.%I%s FOR TYPE %s USING %I FAMILY %I.%I AS %s', n.nspname, c.opcname, CASE WHEN c.opcdefault THEN ' DEFAULT' END,
      format_type(c.opcintype, NULL), m.amname, fn.nspname, f.opfname, ${ITEMS})
    FROM pg_opclass c JOIN pg_namespace n ON n.oid = c.opcnamespace JOIN pg_am m ON m.oid = c.opcmethod JOIN pg_opfamily f ON f.oid = c.opcfamily
    JOIN pg_namespace fn ON fn.oid = f.opfnamespace WHERE ${OWN_SCHEMA} AND NOT ${isProvided("pg_opclass", "c.oid")}
  UNION ALL SELECT 'pg_cast', k.oid, 'cast', format('%s as %s', format_type(k.castsource, NULL), format_type(k.casttarget, NULL)),
    format('CREATE CAST (%s AS %s) %s%s', format_type(k.castsource, NULL), format_type(k.casttarget, NULL),
      CASE k.castmethod WHEN 'f' THEN 'WITH FUNCTION ' || k.castfunc::regprocedure WHEN 'i' THEN 'WITH INOUT' ELSE 'WITHOUT FUNCTION' END,
      CASE k.castcontext WHEN 'i' THEN ' AS IMPLICIT' WHEN 'a' THEN ' AS ASSIGNMENT' END)
    FROM pg_cast k WHERE k.oid >= 16384 AND NOT ${isProvided("pg_cast", "k.oid")} AND NOT ${isInternal("pg_cast", "k.oid")}`;

/** Objects with two identities: `alias` is reached only through `object`, both as `class:oid`. */
export const ALIASES = `
  SELECT 'pg_type:' || t.oid AS alias, 'pg_class:' || t.typrelid AS object FROM pg_type t WHERE t.typrelid <> 0
  UNION ALL SELECT 'pg_type:' || t.typarray, 'pg_type:' || t.oid FROM pg_type t WHERE t.typarray <> 0
  UNION ALL SELECT 'pg_type:' || rngmultitypid, 'pg_type:' || rngtypid FROM pg_range
  UNION ALL SELECT 'pg_proc:' || f.oid, 'pg_type:' || t.oid FROM pg_type t CROSS JOIN LATERAL unnest(ARRAY[t.typinput, t.typoutput]) f(oid) WHERE t.typtype = 'b' AND f.oid >= 16384
  UNION ALL SELECT 'pg_rewrite:' || r.oid, 'pg_class:' || r.ev_class FROM pg_rewrite r WHERE r.ev_type = '1'
  UNION ALL SELECT 'pg_class:' || conindid, 'pg_constraint:' || oid FROM pg_constraint WHERE contype IN ('p', 'u', 'x')
  UNION ALL SELECT 'pg_attrdef:' || x.oid, 'pg_class:' || x.adrelid FROM pg_attrdef x JOIN pg_attribute a ON a.attrelid = x.adrelid AND a.attnum = x.adnum WHERE a.attgenerated <> ''
  UNION ALL SELECT 'pg_amop:' || o.oid, 'pg_opclass:' || c.oid FROM pg_amop o JOIN pg_opclass c ON c.opcfamily = o.amopfamily AND c.opcintype = o.amoplefttype
  UNION ALL SELECT 'pg_amproc:' || f.oid, 'pg_opclass:' || c.oid FROM pg_amproc f JOIN pg_opclass c ON c.opcfamily = f.amprocfamily AND c.opcintype = f.amproclefttype
  UNION ALL SELECT format('%s:%s', d.classid::regclass, d.objid), 'pg_extension:' || d.refobjid FROM pg_depend d
    WHERE d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass AND (d.classid, d.objid) IN (${PROVIDED})`;

/**
 * Dependencies between objects beyond PostgreSQL's own. Those of function bodies are left out, as
 * the bodies are. A sequence doesn't depend on its owner.
 */
export const NEEDS = `
  SELECT format('%s:%s', d.classid::regclass, d.objid) AS object, format('%s:%s', d.refclassid::regclass, d.refobjid) AS needs FROM pg_depend d
    LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    LEFT JOIN pg_class s ON d.classid = 'pg_class'::regclass AND s.oid = d.objid AND s.relkind = 'S'
  WHERE d.deptype IN ('n', 'a', 'i') AND (d.classid, d.objid) <> (d.refclassid, d.refobjid)
    AND (s.oid IS NULL OR d.refclassid = 'pg_namespace'::regclass)
    AND (p.oid IS NULL OR p.proargdefaults IS NOT NULL OR p.prokind = 'a' OR d.refclassid IN ('pg_type'::regclass, 'pg_namespace'::regclass))
  UNION ALL SELECT format('pg_inherits %s:%s', inhparent, inhrelid), 'pg_class:' || inhparent FROM pg_inherits
  UNION ALL SELECT 'members:' || d.refobjid, format('%s:%s', unnest(ARRAY[d.classid, d.refclassid])::regclass, unnest(ARRAY[d.objid, d.refobjid])) FROM pg_depend d
    WHERE d.deptype = 'e' AND d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass`;
