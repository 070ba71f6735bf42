import { NoWords } from "./nodes.js";
import type { Translator } from "./place.js";
import { conditionOf } from "./translate/condition.js";
import { fragmentWords } from "./translate/fragment.js";
import { selectQuery } from "./translate/statement.js";
import { coercedValue, operandOf, valueOf } from "./translate/value.js";

/**
 * The parts of the translation, tied together: each calls the others through here. What has no word in one form is tried in another, which in queries
 * nested deeply could go on for years: after so many steps there are no words.
 */
export function createTranslator(steps = MAX_STEPS): Translator {
  let taken = 0;
  const counted =
    <Args extends readonly unknown[], Result>(part: (...args: Args) => Result) =>
    (...args: Args): Result => {
      taken++;
      if (taken > steps) throw new NoWords("a statement as large as this");
      return part(...args);
    };
  return {
    value: counted(valueOf),
    operand: counted(operandOf),
    coerced: counted(coercedValue),
    condition: counted(conditionOf),
    words: counted(fragmentWords),
    query: counted(selectQuery),
  };
}

/** Statements written by hand take a few hundred. */
const MAX_STEPS = 20_000;
