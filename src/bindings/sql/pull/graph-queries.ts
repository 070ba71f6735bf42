import { PROVIDED } from "./own-objects.js";

/** What PostgreSQL knows by two names: `alias` is only found by way of `object`, both as `class:oid`. */
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
 * What needs what, of what isn't PostgreSQL's own. A function's body is left out, and so is what it needs; a sequence stands for itself, whoever owns it.
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
