import type { JsonObject } from "../../core/json.js";
import { acceptor } from "./accepts-value.js";
import { concerns, conditionIn, conditions, standsAlone, withAside } from "./conditions.js";
import { fewValues } from "./few-values.js";
import type { Comparing, Misfit } from "./misfit.js";
import { exclusiveMisfits } from "./misfits-exclusive.js";
import { areDisjoint, ifMisfits } from "./misfits-if.js";
import { nameMisfits } from "./misfits-names.js";
import { multipleMisfit } from "./misfits-number.js";
import { refused } from "./misfits-scalar.js";
import { statedType } from "./misfits-union.js";
import { holdsCount, keepsRequired, keepsSchemas } from "./object-conditions.js";
import { isClosed } from "./property-schema.js";
import { isSameSchema } from "./same-schema.js";
import { asSchema, schemasUnder } from "../schema-tree.js";

/** What is wanted of a value as a whole, and the given schema neither states the same nor is seen to keep. */
export function conditionMisfits(
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Misfit[] {
  const type = statedType(given);
  return withAside(wanted).flatMap((part) => {
    if (isCompared(part, wanted)) return asideMisfits(given, part, at);
    return conditions
      .map(([keyword = ""]) => keyword)
      .filter((keyword) => part[keyword] !== undefined && concerns(keyword, type))
      .filter((keyword) => !standsAlone(keyword) || !isStated(keyword, given, part, at))
      .flatMap((keyword) => misfitsOfOne(keyword, given, part, at));
  });
}

/** What else the given form keeps may leave out what doesn't fit. */
function asideMisfits(given: JsonObject, wanted: JsonObject, at: Comparing): readonly Misfit[] {
  const own = withAside(given).filter((each) => isCompared(each, given));
  if (own.some((each) => at.compare(each, wanted).length === 0)) return [];
  const found = at.compare(given, wanted);
  return own.length === 0 ? found : found.map((each) => ({ ...each, fit: "unsure" }));
}

/** What stands aside and is compared as any schema: what is said of all properties, and of texts. */
const compared = ["additionalProperties", "format", "pattern"];

function isCompared(part: JsonObject, whole: JsonObject): boolean {
  return part !== whole && compared.some((keyword) => part[keyword] !== undefined);
}

function isStated(keyword: string, given: JsonObject, wanted: JsonObject, at: Comparing): boolean {
  const condition = { schema: conditionIn(wanted, keyword), root: at.wanted };
  return withAside(given).some((each) =>
    isSameSchema({ schema: conditionIn(each, keyword), root: at.given }, condition),
  );
}

function misfitsOfOne(
  keyword: string,
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Misfit[] {
  const told = telling[keyword]?.(given, wanted, at);
  if (told !== undefined) return told;
  const condition = conditionIn(wanted, keyword);
  const values = fewValues(given, at.given);
  if (values === undefined) return checks[keyword]?.(given, wanted, at) ?? [];
  return values.every(acceptor({ schema: condition, root: at.wanted }))
    ? []
    : [refused({ keyword, fitsSeveral: false })];
}

const atIt = { path: [], kind: "value", wanted: "asks for it" } as const;

/** Of which names are at fault, more is told than that values don't keep the condition. */
const telling: {
  readonly [keyword: string]: (...args: Parameters<Check>) => ReturnType<Check> | undefined;
} = {
  not: exclusiveMisfits,
  propertyNames: nameMisfits,
  unevaluatedProperties: evaluatedElsewhere("unevaluatedProperties"),
  unevaluatedItems: evaluatedElsewhere("unevaluatedItems"),
};

type Check = (given: JsonObject, wanted: JsonObject, at: Comparing) => readonly Misfit[];

const checks: { readonly [keyword: string]: Check } = {
  not: unless("not", (given, { not }, at) => areDisjoint(given, asSchema(not), at)),
  if: (given, wanted, at) => ifMisfits(given, wanted, at) ?? [unsure("if", wanted)],
  multipleOf: (given, wanted) => {
    const fault = multipleMisfit(given, wanted);
    return fault === undefined ? [] : [{ ...fault, path: [], kind: "value" }];
  },
  uniqueItems: unless("uniqueItems", ({ maxItems }, { uniqueItems }) => {
    return uniqueItems === false || (typeof maxItems === "number" && maxItems < 2);
  }),
  contains: unless("contains", holdsContained),
  minProperties: unless("minProperties", (given, wanted) => holdsCount(given, wanted).least),
  maxProperties: unless("maxProperties", (given, wanted) => holdsCount(given, wanted).most),
  patternProperties: unless("patternProperties", isClosed),
  dependentRequired: unless("dependentRequired", keepsRequired),
  dependentSchemas: unless("dependentSchemas", (given, wanted, { compare }) =>
    keepsSchemas(given, wanted, (schema) => compare(given, schema).length === 0),
  ),
};

function unless(
  keyword: string,
  keeps: (given: JsonObject, wanted: JsonObject, at: Comparing) => boolean,
): Check {
  return (given, wanted, at) => (keeps(given, wanted, at) ? [] : [unsure(keyword, wanted)]);
}

/** Longer conditions are not repeated. */
const longestCondition = 100;

function unsure(keyword: string, wanted: JsonObject): Misfit {
  const state = conditionIn(wanted, keyword);
  const text = JSON.stringify(state);
  const isShort = text.length <= longestCondition && !text.includes('"$ref"');
  return {
    ...atIt,
    fit: "unsure",
    given: `is not known to keep \`${keyword}\``,
    ...(isShort ? { state } : { help: `state the same \`${keyword}\` there` }),
  };
}

/** What it leaves out depends on all that stands beside it. */
function evaluatedElsewhere(keyword: string): Check {
  const help = "declare the same schema there, word for word";
  return () => [{ ...atIt, fit: "unsure", given: `is not known to keep \`${keyword}\``, help }];
}

/** One item that is certainly there. */
function holdsContained(given: JsonObject, wanted: JsonObject, { compare }: Comparing): boolean {
  const { maxContains, minContains = 1 } = wanted;
  const certain = typeof given["minItems"] === "number" ? given["minItems"] : 0;
  const item = asSchema(wanted["contains"]);
  const found = schemasUnder(given, "prefixItems").slice(0, certain);
  return (
    maxContains === undefined &&
    typeof minContains === "number" &&
    minContains <= 1 &&
    found.some((each) => compare(each, item).length === 0)
  );
}
