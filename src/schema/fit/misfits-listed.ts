import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { judgeOf } from "./accepts-value.js";
import { type Branch, listedIn } from "./branches.js";
import { exactSchema } from "./exact-schema.js";
import type { Comparing, Misfit } from "./misfit.js";
import { refused, refusedScalar } from "./misfits-scalar.js";
import { listedWords } from "./misfits-text.js";

/** Whether a type has no other values than these. */
export function areAll(values: readonly JsonValue[], { type }: JsonObject): boolean {
  return type === "boolean"
    ? [true, false].every((each) => values.includes(each))
    : type === "null";
}

export function notListed(given: string, values: readonly JsonValue[]): Misfit {
  return { path: [], kind: "value", fit: "no", given, wanted: `takes ${listedWords(values)}` };
}

/** What values that are known are held to. */
interface Held {
  /** Whether there are no others. */
  readonly isOnly: boolean;
  readonly wanted: JsonSchema;
  /** Of `wanted`. */
  readonly forms: readonly Branch[];
  readonly here: Comparing;
  /** What is seen of a form of them part by part. */
  readonly found: (form: Branch) => readonly Misfit[];
}

/** The first of the values that is not wanted. */
export function refusedValues(
  branch: Branch,
  values: readonly JsonValue[],
  { forms, found, here, isOnly, wanted }: Held,
): readonly Misfit[] {
  const judge = judgeOf({ schema: wanted, root: here.wanted });
  const bad = values.find((value) => judge(value) !== undefined);
  const refusal = bad === undefined ? undefined : judge(bad);
  if (bad === undefined || refusal === undefined) return [];
  const isSo = isOnly && branch !== true && branch["const"] !== undefined;
  if (typeof bad !== "object" || bad === null)
    return [refusedScalar(bad, isSo ? "is" : "may be", { forms, judge, refusal })];
  const leaf = (value: JsonValue) => (isSo ? { const: value } : { enum: [value] });
  const parts = found(listedIn(branch) === undefined ? branch : exactSchema(bad, leaf));
  const certain = parts.filter(({ fit }) => fit === "no");
  return certain.length > 0 ? certain : [refused(refusal)];
}
