/**
 * Whether a parameter's values can be values of a PostgreSQL type.
 *
 * - `yes`: whatever the schema accepts, PostgreSQL takes, as far as a schema can say;
 * - `no`: the schema accepts what can't be one;
 * - `unsure`: the schema doesn't say enough; a value that is none makes the call fail.
 *
 * `reason` goes on from the parameter's name, `help` proposes a change. Null is left aside: it fits every type.
 */
export type Fit =
  | { readonly fit: "yes" }
  | { readonly fit: "no" | "unsure"; readonly reason: string; readonly help?: string };
