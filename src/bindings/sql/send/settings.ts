/**
 * What every session is set to, so that values are printed and read alike on every server and
 * literals mean what PostgreSQL's parser took them to mean. Where a statement depends on the time
 * zone (`now()::date`, `date_trunc`), it is UTC unless it says `AT TIME ZONE`.
 */
export const sessionSettings: readonly string[] = [
  "SET datestyle = 'ISO, MDY'",
  "SET intervalstyle = 'iso_8601'",
  "SET timezone = 'UTC'",
  "SET extra_float_digits = 1",
  "SET bytea_output = 'hex'",
  "SET standard_conforming_strings = on",
  "SET array_nulls = on",
  "SET transform_null_equals = off",
  "SET xmloption = 'content'",
];

/** Where names without a schema are looked up unless a tool says otherwise. */
export const defaultSearchPath: readonly string[] = ["public"];

/** An assignment, for `SET` or `SET LOCAL`. */
export function searchPathSetting(schemas: readonly string[]): string {
  const quoted = schemas.map((name) => `"${name.replaceAll('"', '""')}"`);
  return `search_path = ${quoted.length === 0 ? "''" : quoted.join(", ")}`;
}

/**
 * The settings of a server's sessions. Only a URL that names a search path itself has its own: its
 * author means another schema of the same shape.
 */
export function settingsFor(url: string, searchPath: readonly string[]): readonly string[] {
  const isOwn = /[?&]options=[^&#]*search_path/i.test(url);
  return isOwn ? sessionSettings : [...sessionSettings, `SET ${searchPathSetting(searchPath)}`];
}
