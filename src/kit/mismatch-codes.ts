import type { Mismatch } from "../schema/compare/mismatch.js";

type Codes = Readonly<Record<Mismatch["fits"], string>>;

/**
 * The one rule for values, in every kind: what can never fit is an error, what may not fit is a
 * warning. `value`: a parameter's values where they go; `returns`: what a call gives, where
 * `returns` describes it. Presence and NULL are told by codes of their own.
 */
export const mismatchCodes = {
  http: {
    value: codes("http/no-usable-value", "http/unusable-value"),
    returns: codes("http/returns-mismatch", "http/returns-narrows"),
  },
  queue: {
    value: codes("queue/field-type", "queue/field-may-not-fit"),
    returns: codes("queue/returns-mismatch", "queue/returns-narrows"),
  },
  sql: {
    value: codes("sql/parameter-type", "sql/parameter-may-not-fit"),
    returns: codes("sql/returns-mismatch", "sql/returns-narrows"),
  },
} satisfies Readonly<Record<string, { readonly value: Codes; readonly returns: Codes }>>;

function codes<Never extends string, May extends string>(never: Never, may: May) {
  return { no: never, some: may, unsure: may } as const;
}
