/**
 * Lists of functions and operators that return a value whenever their arguments are values. A test
 * against PostgreSQL proves each entry.
 */
import type { PgCatalog } from "../database/pg-catalog.js";
import type { Operator, PgFunction } from "../database/snapshot.js";
import { GEOMETRIC } from "./value-type.js";

/**
 * Arguments that must not be NULL for a function's result to be never NULL: none, the first, or
 * all. `"unproven"`: the result may be NULL in any case.
 */
type Needs = "nothing" | "first" | "all" | "unproven";

/** Looks a function up in the lists. */
export function needsOf(pgCatalog: PgCatalog, each: PgFunction): Needs {
  if (each.schema !== "pg_catalog" || each.kind !== "function" || each.returnsSet)
    return "unproven";
  if (each.arguments.some((oid) => isGeometric(pgCatalog, oid))) return "unproven";
  if (ALWAYS_VALUE.has(each.name)) return "nothing";
  if (VALUE_FOR_FIRST.has(each.name)) return "first";
  return VALUE_FOR_VALUES.has(each.name) && !NOT_MEANT.has(signatureOf(pgCatalog, each))
    ? "all"
    : "unproven";
}

/** True if an operator returns a value for values. */
export function isTotal(pgCatalog: PgCatalog, each: Operator): boolean {
  return (
    each.schema === "pg_catalog" &&
    VALUE_OPERATORS.has(each.name) &&
    ![each.left, each.right, each.result].some((oid) => isGeometric(pgCatalog, oid))
  );
}

/** True if an operator returns NULL whenever a side is NULL. */
export function isStrict(pgCatalog: PgCatalog, each: Operator): boolean {
  return pgCatalog.functionOf(each.function)?.strict === true;
}

function isGeometric(pgCatalog: PgCatalog, oid: number): boolean {
  return GEOMETRIC.has(pgCatalog.typeOf(oid)?.name ?? "");
}

function signatureOf(pgCatalog: PgCatalog, { name, arguments: types }: PgFunction): string {
  return `${name}(${types.map((oid) => pgCatalog.typeOf(oid)?.name ?? "?").join()})`;
}

/**
 * Functions of pg_catalog that return a value for every value. Strictness is not enough: a strict
 * function may return NULL for a valid argument. So these are left out: `array_length` and
 * `array_position` (empty array), `lower(range)` (empty or open), `to_char` and `to_number` (empty
 * format, infinite time), `extract(hour …)` (infinite time), `scale` (NaN), `substring(text,
 * pattern)` and `regexp_match` (no match), `current_schema` (no path), JSON paths (no such
 * element).
 */

/**
 * Functions whose result is a value whenever every argument is. The list covers all overloads of a
 * name except those in `NOT_MEANT`.
 */
export const VALUE_FOR_VALUES: ReadonlySet<string> = new Set(
  [
    // Functions of texts, which return a value or an error.
    "lower upper initcap length char_length character_length octet_length bit_length bit_count btrim ltrim rtrim lpad rpad repeat replace reverse",
    "translate substr substring overlay left right split_part strpos position starts_with ascii chr md5 sha224 sha256 sha384 sha512 encode decode",
    "quote_ident quote_literal to_hex to_bin to_oct normalize regexp_replace regexp_count regexp_like regexp_instr regexp_split_to_array",
    "convert convert_from convert_to like_escape similar_to_escape casefold crc32 crc32c get_byte set_byte get_bit set_bit textcat array_to_string",
    "unistr",
    // Arithmetic: a number, NaN, or an error such as a division by zero.
    "abs ceil ceiling floor round trunc sign mod power pow sqrt cbrt exp ln log log10 div gcd lcm factorial degrees radians sin cos tan cot asin acos",
    "atan atan2 sinh cosh tanh asinh acosh atanh sind cosd tand cotd asind acosd atand atan2d erf erfc gamma lgamma width_bucket trim_scale",
    "random random_normal isfinite",
    // Time: infinity stays infinity.
    "age date_trunc date_bin date_add date_subtract make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours",
    "justify_interval timezone to_timestamp to_date uuidv7",
    // JSON made from values or modified. JSON null is a value.
    "to_json to_jsonb row_to_json array_to_json json_object jsonb_object jsonb_set jsonb_insert jsonb_strip_nulls json_strip_nulls jsonb_pretty",
    "json_typeof jsonb_typeof json_array_length jsonb_array_length jsonb_exists jsonb_exists_any jsonb_exists_all jsonb_concat jsonb_delete jsonb_delete_path jsonb_contains jsonb_contained",
    // Whole arrays and ranges. An empty one is a value.
    "cardinality array_append array_prepend array_cat array_remove array_replace array_positions array_fill trim_array array_reverse array_sort array_shuffle",
    "array_sample isempty lower_inc upper_inc lower_inf upper_inf range_merge",
    // Text search.
    "to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline setweight strip numnode querytree",
    "tsvector_to_array array_to_tsvector ts_delete",
    // Network addresses.
    "host abbrev masklen family network broadcast netmask hostmask set_masklen inet_merge inet_same_family",
    // Sequences: a number, or an error.
    "nextval currval lastval setval",
  ].flatMap((line) => line.split(" ")),
);

/** Overloads of these names that may return NULL, with the names of their argument types. */
export const NOT_MEANT: ReadonlySet<string> = new Set([
  "lower(anyrange)",
  "lower(anymultirange)",
  "upper(anyrange)",
  "upper(anymultirange)",
  // Without a match the result is NULL.
  "substring(text,text)",
  "substring(text,text,text)",
]);

/**
 * Functions that never return NULL, even for NULL: they count, collect or describe their arguments,
 * or have none.
 */
export const ALWAYS_VALUE: ReadonlySet<string> = new Set(
  [
    "now transaction_timestamp statement_timestamp clock_timestamp timeofday pi gen_random_uuid uuidv4 version pg_backend_pid current_database",
    "pg_typeof quote_nullable concat json_build_object jsonb_build_object json_build_array jsonb_build_array num_nulls num_nonnulls",
    "int4range int8range numrange daterange tsrange tstzrange txid_current pg_current_xact_id",
  ].flatMap((line) => line.split(" ")),
);

/** Functions whose result is NULL only if the first argument is. The others may be NULL. */
export const VALUE_FOR_FIRST: ReadonlySet<string> = new Set([
  "concat_ws",
  "format",
  "string_to_array",
]);

/** Window functions that return a value if their arguments, if any, are values. */
export const WINDOW_VALUE: ReadonlySet<string> = new Set([
  "row_number",
  "rank",
  "dense_rank",
  "percent_rank",
  "cume_dist",
  "ntile",
]);

/** Aggregates that return a value even for no rows. */
export const COUNTING: ReadonlySet<string> = new Set(["count", "regr_count"]);

/**
 * Aggregates that return a value if at least one row gave them one. `stddev`, `corr` and others
 * need two rows; `percentile_*` have their own rules.
 */
export const VALUE_FOR_ONE_ROW: ReadonlySet<string> = new Set(
  (
    "sum avg min max bool_and bool_or every bit_and bit_or bit_xor any_value array_agg string_agg json_agg jsonb_agg json_object_agg " +
    "jsonb_object_agg range_agg"
  ).split(" "),
);

/** Aggregates that put a NULL into their result, as any other value. */
export const TAKES_NULLS: ReadonlySet<string> = new Set(["array_agg", "json_agg", "jsonb_agg"]);

/** Functions in FROM whose rows contain no NULL if the arguments are values. */
export const ROWS_OF_VALUES: ReadonlySet<string> = new Set([
  "generate_series",
  "generate_subscripts",
  "regexp_split_to_table",
  "json_array_elements",
  "jsonb_array_elements",
  "json_object_keys",
  "jsonb_object_keys",
  "json_each",
  "jsonb_each",
  "jsonb_path_query",
]);

/** Operators of pg_catalog that return a value for values of any type, except geometric ones. */
const VALUE_OPERATORS: ReadonlySet<string> = new Set(
  [
    // Comparison.
    "= <> < <= > >= ~<~ ~<=~ ~>~ ~>=~ *= *<> *< *<= *> *>=",
    // Patterns.
    "~~ !~~ ~~* !~~* ~ !~ ~* !~* ^@",
    // Arithmetic, bits, concatenation.
    "+ - * / % ^ |/ ||/ @ & | # ~ << >> ||",
    // Containment of ranges, arrays, JSON, networks; JSON keys; removal.
    "@> <@ && &< &> -|- <<= >>= ? ?| ?& #- !!",
  ].flatMap((line) => line.split(" ")),
);
