import { collate, isProvided, OWN_SCHEMA, typeText } from "./own-objects.js";

const named = `format('%I.%I', n.nspname, t.typname)`;

const FROM_TYPES = `FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace`;

const isOwnType = `${OWN_SCHEMA} AND t.typisdefined AND NOT ${isProvided("pg_type", "t.oid")}`;

/** Reads and prints as text does, whatever the type's own code does. */
function ioFunction(oid: string, stub: string): string {
  return `(SELECT format('CREATE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE internal %s%s AS %L', fn.nspname, f.proname, pg_get_function_arguments(f.oid),
    format_type(f.prorettype, NULL), CASE f.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
    CASE WHEN f.proisstrict THEN ' STRICT' ELSE '' END, '${stub}') FROM pg_proc f JOIN pg_namespace fn ON fn.oid = f.pronamespace WHERE f.oid = ${oid})`;
}

/** Enums, composite types, base types, domains and ranges; and the checks of domains, as parts of them. */
export const TYPES = `
  SELECT 'pg_type' AS class, t.oid, 'enum' AS kind, ${named} AS name, NULL AS part_of, NULL AS inline,
    format('CREATE TYPE %s AS ENUM (%s)', ${named},
      (SELECT string_agg(quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder) FROM pg_enum l WHERE l.enumtypid = t.oid)) AS sql
    ${FROM_TYPES} WHERE t.typtype = 'e' AND ${isOwnType}
  UNION ALL SELECT 'pg_class', c.oid, 'type', ${named}, NULL, NULL, format('CREATE TYPE %s AS (%s)', ${named},
      (SELECT string_agg(format(E'\\n  %I %s%s', a.attname, ${typeText("a.atttypid", "a.atttypmod")}, ${collate("a.attcollation", "at.typcollation")}), ',' ORDER BY a.attnum)
        FROM pg_attribute a JOIN pg_type at ON at.oid = a.atttypid WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) || E'\\n')
    ${FROM_TYPES} JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c' WHERE ${isOwnType}
  UNION ALL SELECT 'pg_type', t.oid, 'domain', ${named}, NULL, NULL,
    format('CREATE DOMAIN %s AS %s%s%s%s', ${named}, ${typeText("t.typbasetype", "t.typtypmod")}, ${collate("t.typcollation", "b.typcollation")},
      ' DEFAULT ' || coalesce(pg_get_expr(t.typdefaultbin, 0), quote_literal(t.typdefault)), CASE WHEN t.typnotnull THEN ' NOT NULL' END)
    ${FROM_TYPES} JOIN pg_type b ON b.oid = t.typbasetype WHERE t.typtype = 'd' AND ${isOwnType}
  UNION ALL SELECT 'pg_constraint', k.oid, 'check of the domain', format('%s: %I', ${named}, k.conname), 'pg_type:' || t.oid,
    format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', ${named}, k.conname, pg_get_constraintdef(k.oid))
    ${FROM_TYPES} JOIN pg_constraint k ON k.contypid = t.oid WHERE k.contype = 'c' AND ${isOwnType}
  UNION ALL SELECT 'pg_type', t.oid, 'range', ${named}, NULL, NULL, format('CREATE TYPE %s AS RANGE (%s)', ${named}, concat_ws(', ',
      'SUBTYPE = ' || format_type(r.rngsubtype, NULL), format('SUBTYPE_OPCLASS = %I.%I', o.nspname, c.opcname),
      (SELECT format('COLLATION = %I.%I', cn.nspname, co.collname) FROM pg_collation co JOIN pg_namespace cn ON cn.oid = co.collnamespace
        WHERE co.oid = r.rngcollation AND co.collname <> 'default'),
      'SUBTYPE_DIFF = ' || nullif(r.rngsubdiff, 0)::regproc, format('MULTIRANGE_TYPE_NAME = %I.%I', mn.nspname, m.typname)))
    ${FROM_TYPES} JOIN pg_range r ON r.rngtypid = t.oid JOIN pg_opclass c ON c.oid = r.rngsubopc JOIN pg_namespace o ON o.oid = c.opcnamespace
    JOIN pg_type m ON m.oid = r.rngmultitypid JOIN pg_namespace mn ON mn.oid = m.typnamespace WHERE ${isOwnType}
  UNION ALL SELECT 'pg_type', t.oid, 'stand-in of the type', ${named}, NULL, NULL, concat_ws(E';\\n', 'CREATE TYPE ' || ${named},
      ${ioFunction("t.typinput", "textin")}, ${ioFunction("t.typoutput", "textout")},
      format('CREATE TYPE %s (INPUT = %s, OUTPUT = %s, LIKE = pg_catalog.text, CATEGORY = %L, PREFERRED = %s, DELIMITER = %L, COLLATABLE = %s%s)', ${named}, t.typinput, t.typoutput,
        t.typcategory, t.typispreferred::text, t.typdelim, (t.typcollation <> 0)::text, ', DEFAULT = ' || quote_literal(t.typdefault)))
    ${FROM_TYPES} WHERE t.typtype = 'b' AND t.oid NOT IN (SELECT e.typarray FROM pg_type e) AND ${isOwnType}`;
