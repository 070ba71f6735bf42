import { collate, isInternal, isProvided, OWN_SCHEMA, typeText } from "./own-objects.js";

const named = `format('%I.%I', n.nspname, c.relname)`;

const FROM_CLASS = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace`;

const isOwnRelation = `${OWN_SCHEMA} AND NOT ${isProvided("pg_class", "c.oid")}`;

/** The sequence that an identity column has. */
const IDENTITY = `(SELECT format(' (SEQUENCE NAME %I.%I)', sn.nspname, s.relname) FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
  JOIN pg_namespace sn ON sn.oid = s.relnamespace WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'i' AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum)`;

/** Each column: its name as the catalogue and as SQL have it, its type, what makes its values, and the place of a default of its own. */
const COLUMNS = `(SELECT json_agg(json_build_array(a.attname, format('%I', a.attname), ${typeText("a.atttypid", "a.atttypmod")} || ${collate("a.attcollation", "at.typcollation")},
    CASE WHEN a.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s)%s', pg_get_expr(x.adbin, x.adrelid), CASE a.attgenerated WHEN 's' THEN ' STORED' ELSE ' VIRTUAL' END)
      WHEN a.attidentity <> '' AND NOT c.relispartition THEN format(' GENERATED %s AS IDENTITY%s', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, ${IDENTITY})
      ELSE '' END) ORDER BY a.attnum)
  FROM pg_attribute a JOIN pg_type at ON at.oid = a.atttypid LEFT JOIN pg_attrdef x ON x.adrelid = a.attrelid AND x.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)::text`;

/** Sequences and tables of all kinds; `sql` of a table is what stands around its columns. */
export const TABLES = `
  SELECT 'pg_class' AS class, c.oid, 'sequence' AS kind, ${named} AS name, format('CREATE SEQUENCE %s', ${named}) AS sql, NULL AS columns, NULL AS tail ${FROM_CLASS}
    WHERE c.relkind = 'S' AND ${isOwnRelation} AND NOT ${isInternal("pg_class", "c.oid")}
  UNION ALL SELECT 'pg_class', c.oid, CASE c.relkind WHEN 'f' THEN 'foreign table' ELSE 'table' END, ${named},
    format('CREATE%s TABLE %s', CASE c.relkind WHEN 'f' THEN ' FOREIGN' END, ${named}), ${COLUMNS},
    CASE c.relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid)
      -- Of all that an option may say, only whether reading the table runs a program: passwords and hosts may be among the others.
      WHEN 'f' THEN ' SERVER skillc_stand_in' || CASE WHEN EXISTS (SELECT FROM pg_foreign_table f WHERE f.ftrelid = c.oid
        AND EXISTS (SELECT FROM unnest(f.ftoptions) o WHERE o LIKE 'program=%')) THEN ' OPTIONS (program '''')' ELSE '' END
      ELSE '' END
    ${FROM_CLASS} WHERE c.relkind IN ('r', 'p', 'f') AND ${isOwnRelation}`;

/** What belongs to a table. */
export const PARTS = `
  SELECT 'pg_attrdef' AS class, x.oid, 'default' AS kind, format('%s: %I', ${named}, a.attname) AS name, 'pg_class:' || c.oid AS part_of,
    CASE WHEN c.relkind IN ('r', 'p', 'f') THEN pg_get_expr(x.adbin, x.adrelid) END AS inline,
    format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', ${named}, a.attname, pg_get_expr(x.adbin, x.adrelid)) AS sql, a.attname AS of_column
    ${FROM_CLASS} JOIN pg_attrdef x ON x.adrelid = c.oid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.adnum
    WHERE a.attgenerated = '' AND ${isOwnRelation}
  UNION ALL SELECT 'pg_constraint', k.oid, CASE k.contype WHEN 'f' THEN 'foreign key' ELSE 'constraint' END, format('%s: %I', ${named}, k.conname), 'pg_class:' || c.oid,
    CASE WHEN k.contype <> 'f' THEN format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)) END,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', ${named}, k.conname, pg_get_constraintdef(k.oid)), NULL
    ${FROM_CLASS} JOIN pg_constraint k ON k.conrelid = c.oid WHERE k.contype IN ('p', 'u', 'x', 'c', 'f') AND NOT (k.contype = 'f' AND k.conparentid <> 0) AND ${isOwnRelation}
  UNION ALL SELECT 'pg_class', i.indexrelid, 'index', format('%s: %I', ${named}, ic.relname), 'pg_class:' || c.oid, NULL,
    -- On the parent alone it would not be valid, and those of the partitions are made with it.
    CASE WHEN starts_with(d.def, d.begin || ' ON ONLY ') THEN d.begin || ' ON ' || substr(d.def, length(d.begin || ' ON ONLY ') + 1) ELSE d.def END, NULL
    ${FROM_CLASS} JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class ic ON ic.oid = i.indexrelid 
    CROSS JOIN LATERAL (SELECT pg_get_indexdef(i.indexrelid) AS def, format('CREATE %sINDEX %I', CASE WHEN i.indisunique THEN 'UNIQUE ' END, ic.relname) AS begin) d
    WHERE i.indisvalid AND NOT ic.relispartition AND i.indexrelid NOT IN (SELECT k.conindid FROM pg_constraint k WHERE k.contype IN ('p', 'u', 'x'))
      AND (i.indisunique OR i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
        OR EXISTS (SELECT FROM pg_opclass o WHERE o.oid = ANY (i.indclass) AND o.opcnamespace <> 'pg_catalog'::regnamespace)) AND ${isOwnRelation}
  UNION ALL SELECT 'pg_statistic_ext', s.oid, 'statistics', format('%s: %I', ${named}, s.stxname), 'pg_class:' || c.oid, NULL, pg_get_statisticsobjdef(s.oid), NULL
    ${FROM_CLASS} JOIN pg_statistic_ext s ON s.stxrelid = c.oid WHERE s.stxexprs IS NOT NULL AND ${isOwnRelation}
  UNION ALL SELECT 'pg_inherits ' || i.inhparent, i.inhrelid, 'parent', format('%s: %I.%I', ${named}, pn.nspname, p.relname), 'pg_class:' || c.oid, NULL,
    CASE WHEN c.relispartition THEN format('ALTER TABLE %I.%I ATTACH PARTITION %s %s', pn.nspname, p.relname, ${named}, pg_get_expr(c.relpartbound, c.oid))
      ELSE format('ALTER TABLE %s INHERIT %I.%I', ${named}, pn.nspname, p.relname) END, NULL
    ${FROM_CLASS} JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f') AND ${isOwnRelation}
  UNION ALL SELECT 'pg_trigger', t.oid, 'trigger', format('%s: %I', ${named}, t.tgname), 'pg_class:' || c.oid, NULL, pg_get_triggerdef(t.oid), NULL
    ${FROM_CLASS} JOIN pg_trigger t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${isOwnRelation}
  UNION ALL SELECT 'pg_rewrite', r.oid, 'rule', format('%s: %I', ${named}, r.rulename), 'pg_class:' || c.oid, NULL, rtrim(pg_get_ruledef(r.oid), ';'), NULL
    ${FROM_CLASS} JOIN pg_rewrite r ON r.ev_class = c.oid WHERE r.ev_type <> '1' AND ${isOwnRelation}
  UNION ALL SELECT 'row security', c.oid, 'row security', ${named}, 'pg_class:' || c.oid, NULL, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', ${named}), NULL
    ${FROM_CLASS} WHERE c.relrowsecurity AND ${isOwnRelation}
  UNION ALL SELECT 'pg_policy', p.oid, 'policy', format('%s: %I', ${named}, p.polname), 'pg_class:' || c.oid, NULL, format('CREATE POLICY %I ON %s%s FOR %s%s%s', p.polname, ${named},
      CASE WHEN NOT p.polpermissive THEN ' AS RESTRICTIVE' END, CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
      ' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', ' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')'), NULL
    ${FROM_CLASS} JOIN pg_policy p ON p.polrelid = c.oid WHERE ${isOwnRelation}`;

/** Views, as PostgreSQL prints their queries. */
export const VIEWS = `
  SELECT 'pg_class' AS class, c.oid, CASE c.relkind WHEN 'm' THEN 'materialized view' ELSE 'view' END AS kind, ${named} AS name,
    format(E'CREATE %s %s AS\\n%s%s', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END, ${named}, rtrim(pg_get_viewdef(c.oid), ';'),
      CASE c.relkind WHEN 'm' THEN E'\\nWITH NO DATA' END) AS sql
  ${FROM_CLASS} WHERE c.relkind IN ('v', 'm') AND ${isOwnRelation}`;
