/**
 * What every session is set to, so that values are printed alike on every server and literals mean what PostgreSQL's parser took them to mean.
 * Where a statement depends on the time zone (`now()::date`, `date_trunc`), it is UTC unless it says `AT TIME ZONE`.
 */
export const sessionSettings: readonly string[] = [
  "SET datestyle = 'ISO, MDY'",
  "SET intervalstyle = 'iso_8601'",
  "SET timezone = 'UTC'",
  "SET extra_float_digits = 1",
  "SET bytea_output = 'hex'",
  "SET standard_conforming_strings = on",
];
