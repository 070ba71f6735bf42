import type { JsonObject, JsonSchema, JsonValue } from "../../core/json.js";
import { acceptor, judgeOf } from "./accepts-value.js";
import { type Branch, listedIn } from "./branch.js";
import { exactSchema } from "./exact-schema.js";
import {
  type Comparing,
  type Given,
  isCertain,
  type Misfit,
  ofSome,
  type SchemaIn,
} from "./misfit.js";
import { refused, refusedScalar } from "./misfits-scalar.js";
import { listedWords } from "./misfits-text.js";

/** Whether a type has no other values than these. */
export function areAll(values: readonly JsonValue[], { type }: JsonObject): boolean {
  return type === "boolean"
    ? [true, false].every((each) => values.includes(each))
    : type === "null";
}

export function notListed(given: Given, values: readonly JsonValue[], fit: Misfit["fit"]): Misfit {
  return { path: [], kind: "value", fit, ...given, wanted: `takes ${listedWords(values)}` };
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
  const { bad, isEvery, refusal } = first;
  const told = (found: readonly Misfit[]) => (isEvery ? found : ofSome(found));
  const isSo = isOnly && branch !== true && branch["const"] !== undefined;
  if (typeof bad !== "object" || bad === null)
    return told([refusedScalar(bad, isSo ? "is" : "may be", { forms, judge, refusal })]);
  const leaf = (value: JsonValue) => (isSo ? { const: value } : { enum: [value] });
  const parts = found(listedIn(branch) === undefined ? branch : exactSchema(bad, leaf));
  const certain = parts.filter(isCertain);
  return told(certain.length > 0 ? certain : [refused(refusal)]);
}

function firstRefused(
  values: readonly JsonValue[],
  judge: ReturnType<typeof judgeOf>,
  given: SchemaIn,
) {
  // Mostly all are taken, and then the given schema need not be compiled.
  if (values.every((each) => judge(each) === undefined)) return undefined;
  const own = values.filter(acceptor(given));
  const refused = own.flatMap((bad) => {
    const refusal = judge(bad);
    return refusal === undefined ? [] : [{ bad, refusal }];
  });
  const [first] = refused;
  return first && { ...first, isEvery: refused.length === own.length };
}
