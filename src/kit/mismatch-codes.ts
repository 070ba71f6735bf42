import type { Mismatch } from "../schema/compare/mismatch.js";

type Codes = Readonly<Record<Mismatch["fits"], string>>;

/**
 * Codes for mismatched values, with one rule for every kind: a value that can never fit is an
 * error, one that may not fit is a warning. `value`: a parameter's value and its target; `returns`:
 * the result of a call and its `returns`. Presence and NULL have other codes.
 */
export const mismatchCodes = {
  http: {
    value: codes("http/no-usable-value", "http/unusable-value"),
    returns: codes("http/returns-mismatch", "http/returns-narrows"),
  },
  plan: {
    value: codes("plan/type-mismatch", "plan/may-not-fit"),
    returns: codes("plan/returns-mismatch", "plan/returns-narrow"),
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
