import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { acceptor, judgeOf } from "./accepts-value.js";
import { type Branch, listedIn } from "./branch.js";
import { exactSchema } from "./exact-schema.js";
import type { Comparing, Given, Misfit, SchemaIn } from "./misfit.js";
import { refused, refusedScalar } from "./misfits-scalar.js";
import { listedWords } from "./misfits-text.js";

/** Whether a type has no other values than these. */
export function areAll(values: readonly JsonValue[], { type }: JsonObject): boolean {
  return type === "boolean"
    ? [true, false].every((each) => values.includes(each))
    : type === "null";
}

export function notListed(given: Given, values: readonly JsonValue[]): Misfit {
  return { path: [], kind: "value", fit: "no", ...given, wanted: `takes ${listedWords(values)}` };
}

/** What values that are known are held to. */
interface Held {
  /** Whether there are no others. */
  readonly isOnly: boolean;
  /** What says more of them than that they are listed. */
  readonly given: JsonSchema;
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
  { forms, found, given, here, isOnly, wanted }: Held,
): readonly Misfit[] {
  const judge = judgeOf({ schema: wanted, root: here.wanted });
  const first = firstRefused(values, judge, { schema: given, root: here.given });
  if (first === undefined) return [];
  const { bad, refusal } = first;
  const isSo = isOnly && branch !== true && branch["const"] !== undefined;
  if (typeof bad !== "object" || bad === null)
    return [refusedScalar(bad, isSo ? "is" : "may be", { forms, judge, refusal })];
  const leaf = (value: JsonValue) => (isSo ? { const: value } : { enum: [value] });
  const parts = found(listedIn(branch) === undefined ? branch : exactSchema(bad, leaf));
  const certain = parts.filter(({ fit }) => fit === "no");
  return certain.length > 0 ? certain : [refused(refusal)];
}

function firstRefused(
  values: readonly JsonValue[],
  judge: ReturnType<typeof judgeOf>,
  given: SchemaIn,
) {
  for (const bad of values) {
    const refusal = judge(bad);
    if (refusal !== undefined && acceptor(given)(bad)) return { bad, refusal };
  }
  return undefined;
}
