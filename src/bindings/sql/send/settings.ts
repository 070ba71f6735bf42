/**
 * Settings of every session. With them, every server prints and reads values in the same way, and
 * reads literals as PostgreSQL's parser did. The time zone is UTC (`now()::date`, `date_trunc`)
 * unless the statement says `AT TIME ZONE`.
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

/** Schemas in which unqualified names are looked up by default. */
export const defaultSearchPath: readonly string[] = ["public"];

/** Assignment of the search path, for `SET` or `SET LOCAL`. */
export function searchPathSetting(schemas: readonly string[]): string {
  const quoted = schemas.map((name) => `"${name.replaceAll('"', '""')}"`);
  return `search_path = ${quoted.length === 0 ? "''" : quoted.join(", ")}`;
}

/**
 * Settings of a server's sessions. A search path in the URL takes precedence, because its author
 * chose another schema of the same shape.
 */
export function settingsFor(url: string, searchPath: readonly string[]): readonly string[] {
  const isOwn = /[?&]options=[^&#]*search_path/i.test(url);
  return isOwn ? sessionSettings : [...sessionSettings, `SET ${searchPathSetting(searchPath)}`];
}
