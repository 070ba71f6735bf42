import type { JsonObject } from "../core/json.js";
import type { FaultHere } from "./misfit.js";

interface Words {
  readonly least: string;
  readonly most: string;
  readonly unit: string;
  readonly longer: string;
  readonly shorter: string;
}

const kinds = {
  text: {
    least: "minLength",
    most: "maxLength",
    unit: "characters",
    longer: "may be longer",
    shorter: "may be shorter",
  },
  list: {
    least: "minItems",
    most: "maxItems",
    unit: "items",
    longer: "may have more items",
    shorter: "may have fewer items",
  },
} satisfies { readonly [kind: string]: Words };

/** How long texts or lists of one schema are, and those of another. */
export function sizeMisfit(
  given: JsonObject,
  wanted: JsonObject,
  kind: keyof typeof kinds,
): FaultHere | undefined {
  const words = kinds[kind];
  return tooMuch(given, wanted, words) ?? tooLittle(given, wanted, words);
}

function tooMuch(given: JsonObject, wanted: JsonObject, words: Words): FaultHere | undefined {
  const [own, most] = [given[words.most], wanted[words.most]];
  if (typeof most !== "number" || (typeof own === "number" && own <= most)) return undefined;
  const takes = `holds ${most} ${words.unit}`;
  const help = `write \`${words.most}: ${most}\``;
  return typeof own === "number"
    ? { fit: "no", given: `may have ${own} ${words.unit}`, wanted: takes, help }
    : { fit: "unsure", given: words.longer, wanted: takes, help };
}

function tooLittle(given: JsonObject, wanted: JsonObject, words: Words): FaultHere | undefined {
  const [own, least] = [given[words.least], wanted[words.least]];
  if (typeof least !== "number" || least === 0 || (typeof own === "number" && own >= least))
    return undefined;
  // Text of a format is rarely empty, and how long it is says nothing more.
  if (own === undefined && given["format"] !== undefined) return undefined;
  const takes = `takes ${least} ${words.unit} at least`;
  const help = `write \`${words.least}: ${least}\``;
  return typeof own === "number"
    ? { fit: "no", given: `may have ${own} ${words.unit}`, wanted: takes, help }
    : { fit: "unsure", given: words.shorter, wanted: takes, help };
}
