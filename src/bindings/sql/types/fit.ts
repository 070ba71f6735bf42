/**
 * Whether a parameter's values can be values of a PostgreSQL type.
 *
 * - `yes`: whatever the schema accepts, PostgreSQL takes, as far as a schema can say;
 * - `no`: nothing that the schema accepts can be one;
 * - `some`: some of it can, and some can't;
 * - `unsure`: the schema doesn't say enough; a value that is none makes the call fail.
 *
 * `reason` goes on from the parameter's name, `help` proposes a change. Null is left aside: it fits every type.
 */
export type Fit = { readonly fit: "yes" } | Unfit;

export interface Unfit {
  readonly fit: "no" | "some" | "unsure";
  readonly reason: string;
  readonly help?: string;
}
