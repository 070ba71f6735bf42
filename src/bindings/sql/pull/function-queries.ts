import { isInternal, isProvided, OWN_SCHEMA } from "./own-objects.js";

/** Those that PL/pgSQL takes among PostgreSQL's pseudo-types. */
const PLAIN = `('record', 'void', 'trigger', 'event_trigger', 'anyelement', 'anyarray', 'anynonarray', 'anyenum', 'anyrange', 'anymultirange', 'anycompatible',
  'anycompatiblearray', 'anycompatiblenonarray', 'anycompatiblerange', 'anycompatiblemultirange')`;

/** Whether it is written in C, as what takes or gives some types can only be. The analysis tells those apart. */
const isMachine = `p.prokind = 'w' OR l.lanname IN ('c', 'internal') OR EXISTS (SELECT FROM pg_type pt WHERE pt.oid = ANY (coalesce(p.proallargtypes, p.proargtypes::oid[]) || p.prorettype)
  AND pt.typtype = 'p' AND pt.typname NOT IN ${PLAIN})`;

/** What a function does can't be carried along, as it may take any language: `shell_in` refuses whatever it is called with. */
const body = `CASE WHEN ${isMachine} THEN format('LANGUAGE internal%s', CASE WHEN p.prokind = 'w' THEN ' WINDOW' END) ELSE 'LANGUAGE plpgsql' END
  || CASE WHEN p.prokind = 'p' THEN '' ELSE CASE p.provolatile WHEN 'i' THEN ' IMMUTABLE' WHEN 's' THEN ' STABLE' ELSE ' VOLATILE' END END
  || CASE WHEN p.proisstrict THEN ' STRICT' ELSE '' END || ' AS ' || CASE WHEN ${isMachine} THEN quote_literal('shell_in')
    WHEN p.prokind = 'p' OR p.proretset OR p.prorettype = 'void'::regtype OR p.proargmodes && '{o,b,t}' THEN quote_literal('BEGIN END')
    ELSE quote_literal('BEGIN RETURN NULL; END') END`;

/** Functions and procedures, but for those that come with types; with bodies that do nothing. */
export const FUNCTIONS = `
  SELECT 'pg_proc' AS class, p.oid, CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END AS kind, p.oid::regprocedure::text AS name,
    format(E'CREATE %s %I.%I(%s)%s\\n  %s', CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, n.nspname, p.proname, pg_get_function_arguments(p.oid),
      CASE WHEN p.prokind <> 'p' THEN E'\\n  RETURNS ' || pg_get_function_result(p.oid) END, ${body}) AS sql
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
  WHERE p.prokind IN ('f', 'p', 'w') AND ${OWN_SCHEMA} AND NOT ${isProvided("pg_proc", "p.oid")} AND NOT ${isInternal("pg_proc", "p.oid")}
    AND p.oid NOT IN (SELECT unnest(ARRAY[t.typinput, t.typoutput]::oid[]) FROM pg_type t)`;

const optional = (name: string, oid: string): string =>
  `'${name} = ' || nullif(${oid}::oid, 0)::regproc`;

/** Aggregates, which do what their functions do. */
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

/** What an operator class has for its own type. */
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
