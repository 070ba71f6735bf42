import type { JsonObject, JsonValue } from "../../core/json.js";
import { shown } from "../../core/names.js";
import type { judgeOf, Refusal } from "./accepts-value.js";
import { type Branch, isSameType, listedIn, typeOf, typeOfValue } from "./branch.js";
import type { Misfit } from "./misfit.js";
import { multipleWords, numberMisfit } from "./misfits-number.js";
import { sizeMisfit } from "./misfits-size.js";
import { listedWords, textWords } from "./misfits-text.js";
import { otherType } from "./misfits-union.js";

type Scalar = string | number | boolean | null;

interface Verdict {
  readonly refusal: Refusal;
  readonly judge: ReturnType<typeof judgeOf>;
  /** What is wanted. */
  readonly forms: readonly Branch[];
}

/** Why a scalar that is known is not wanted. */
export function refusedScalar(
  bad: Scalar,
  verb: "is" | "may be",
  { forms, judge, refusal }: Verdict,
): Misfit {
  const text = `\`${shown(String(bad))}\``;
  const given = `${verb} ${text}`;
  const form = forms.find((each) => each !== true && isSameType(typeOfValue(bad), typeOf(each)));
  if (form !== undefined && form !== true) {
    const wanted = wordsFor(form, bad) ?? `takes what keeps its \`${refusal.keyword}\``;
    return { path: [], kind: "value", fit: "no", given, wanted };
  }
  const meant = typeof bad === "string" ? unquoted(bad) : undefined;
  if (meant === undefined || judge(meant) !== undefined) return otherType({ given }, forms);
  const { state: _, ...misfit } = otherType({ given: `${verb} the text ${text}` }, forms);
  return { ...misfit, help: "remove the quotes" };
}

/** Why a value as a whole is not wanted. */
export function refused({ fitsSeveral, keyword }: Refusal): Misfit {
  const misfit = { path: [], kind: "value", fit: "no" } as const;
  return fitsSeveral
    ? { ...misfit, given: "fits more than one form", wanted: "takes what fits exactly one" }
    : { ...misfit, given: `does not keep \`${keyword}\``, wanted: "asks for it" };
}

/** What text would be without its quotes. */
function unquoted(text: string): JsonValue | undefined {
  try {
    // What JSON.parse gives is JSON.
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The keywords of a form of the right type say what is taken. */
function wordsFor(form: JsonObject, bad: Scalar): string | undefined {
  const values = listedIn(form);
  if (values !== undefined) return `takes ${listedWords(values)}`;
  if (typeof bad === "number") {
    const bounds = { type: form["type"] ?? "number", minimum: bad, maximum: bad };
    return numberMisfit(bounds, form)?.wanted ?? multipleWords(form, bad);
  }
  if (typeof bad !== "string") return undefined;
  const size = [...bad].length;
  return sizeMisfit({ minLength: size, maxLength: size }, form, "text")?.wanted ?? textWords(form);
}
