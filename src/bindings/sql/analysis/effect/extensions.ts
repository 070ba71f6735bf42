/**
 * Extensions whose functions are believed to be what their volatility says: PostgreSQL's own that only compute, and two of others' that do. Left out are those
 * that run a text as SQL (dblink, tablefunc, xml2), reach files or other servers (file_fdw, postgres_fdw, adminpack), or look after the server.
 */
export const COMPUTING: ReadonlySet<string> = new Set(
  (
    "btree_gin btree_gist citext cube dict_int dict_xsyn earthdistance fuzzystrmatch hstore intagg intarray isn ltree pg_trgm pgcrypto seg " +
    "tsm_system_rows tsm_system_time unaccent uuid-ossp postgis vector"
  ).split(" "),
);

/** Functions of these that are volatile only by chance and time. */
export const COMPUTING_HARMLESS: ReadonlySet<string> = new Set(
  "gen_random_bytes gen_random_uuid gen_salt uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4".split(
    " ",
  ),
);

/** Functions of these that keep a setting for the session, whatever their volatility. */
export const COMPUTING_ACTING: ReadonlySet<string> = new Set(["isn_weak", "set_limit"]);
