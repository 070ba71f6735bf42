import type { JsonObject, JsonValue } from "../../core/json.js";
import type { FaultHere } from "./misfit.js";
import { shortestOf } from "../formats.js";
import { saidForm } from "../said-form.js";

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
    unit: "character",
    longer: "longer",
    shorter: "shorter",
  },
  list: {
    least: "minItems",
    most: "maxItems",
    unit: "item",
    longer: "have more items",
    shorter: "have fewer items",
  },
} satisfies { readonly [kind: string]: Words };

/** How long texts or lists of one schema are, and those of another. */
export function sizeMisfit(
  given: JsonObject,
  wanted: JsonObject,
  kind: keyof typeof kinds,
): FaultHere | undefined {
  const words = kinds[kind];
  const faults = [tooMuch(given, wanted, words), tooLittle(given, wanted, words)];
  const [first, ...others] = faults.filter((each) => each !== undefined);
  if (first === undefined) return undefined;
  const certain = [first, ...others].find(({ size }) => size !== undefined);
  const takes = sizeWords(wanted, words);
  const none = neverWords(given, wanted, words);
  const state = Object.assign({}, ...[first, ...others].map((each) => each.state)) as JsonObject;
  if (none !== undefined) {
    const known = { kind: "size", words: none } as const;
    return { fit: "no", given: `has ${none}`, known, wanted: takes, state };
  }
  if (certain?.size !== undefined) {
    const has = count(certain.size, words);
    const known = { kind: "size", words: has } as const;
    return { fit: "some", given: `may have ${has}`, known, wanted: takes, state };
  }
  const may = [first, ...others].map(({ how }) => how).join(" or ");
  const be = kind === "text" ? "be " : "";
  return { fit: "unsure", given: `may ${be}${may}`, wanted: takes, state };
}

/** How long all of them are, where none is as long as is wanted. */
function neverWords(given: JsonObject, wanted: JsonObject, words: Words): string | undefined {
  const [least, most] = [given[words.least], given[words.most]];
  // Of what has no size at all, nothing is known.
  if (isMore(least, most)) return undefined;
  const isLong = isMore(least, wanted[words.most]);
  if (!isLong && !isMore(wanted[words.least], most)) return undefined;
  const size = count(isLong ? least : most, words);
  return least === most ? size : `${size} at ${isLong ? "least" : "most"}`;
}

function isMore(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return typeof one === "number" && typeof other === "number" && one > other;
}

interface SizeFault {
  /** Where the schema says it. */
  readonly size?: number;
  readonly how: string;
  readonly state: JsonObject;
}

function tooMuch(given: JsonObject, wanted: JsonObject, words: Words): SizeFault | undefined {
  const [own, most] = [given[words.most], wanted[words.most]];
  if (typeof most !== "number" || (typeof own === "number" && own <= most)) return undefined;
  const state = { [words.most]: most };
  return { how: words.longer, state, ...(typeof own === "number" && { size: own }) };
}

function tooLittle(given: JsonObject, wanted: JsonObject, words: Words): SizeFault | undefined {
  const [own, least] = [given[words.least], wanted[words.least]];
  if (typeof least !== "number" || least === 0 || (typeof own === "number" && own >= least))
    return undefined;
  if (words.unit === kinds.text.unit && shortestOf(given["format"]) >= least) return undefined;
  const state = { [words.least]: least };
  return { how: words.shorter, state, ...(typeof own === "number" && { size: own }) };
}

function sizeWords(wanted: JsonObject, words: Words): string {
  const said = saidForm(wanted);
  const [least, most] = [wanted[words.least], wanted[words.most]];
  if (said !== undefined) return `takes ${said.says}`;
  if (typeof most !== "number") return `takes ${count(least, words)} at least`;
  if (least === most) return `takes exactly ${count(most, words)}`;
  return typeof least === "number" && least > 0
    ? `takes ${least} to ${count(most, words)}`
    : `holds ${count(most, words)}`;
}

function count(size: unknown, { unit }: Words): string {
  return `${String(size)} ${unit}${size === 1 ? "" : "s"}`;
}
