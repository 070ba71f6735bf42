import type { JsonValue } from "../../../core/json.js";
import { areScalarsApart } from "../../../schema/compare/disjoint.js";
import type { JsonType } from "../../../schema/look-up.js";
import { typeWords } from "../../type-words.js";
import type { Fit } from "./fit.js";
import { isTextFormat } from "./text-formats.js";
import type { StatedFacts } from "../../../schema/stated-facts.js";

const ranges: ReadonlyMap<string, readonly [minimum: bigint, maximum: bigint]> = new Map([
  ["int2", [-(2n ** 15n), 2n ** 15n - 1n]],
  ["int4", [-(2n ** 31n), 2n ** 31n - 1n]],
  ["int8", [-(2n ** 63n), 2n ** 63n - 1n]],
  ["oid", [0n, 2n ** 32n - 1n]],
]);

/** A number type, int8 and numeric included, which take strings of digits too. */
export function fitsNumber(facts: StatedFacts, types: readonly JsonType[], name: string): Fit {
  const range = ranges.get(name);
  const takesDigits = name === "int8" || name === "numeric";
  const allowed: readonly JsonType[] = [
    "integer",
    ...(range === undefined ? (["number"] as const) : []),
    ...(takesDigits ? (["string"] as const) : []),
  ];
  const others = types.filter((each) => !allowed.includes(each));
  if (others.length > 0) {
    const reason = `may be ${typeWords(others)}, and \`${name}\` takes ${typeWords(allowed)}`;
    const help = others.includes("number") ? { help: "make it `type: integer`" } : {};
    const isWhole = others.includes("number") && mayBeWhole(facts, range);
    return { fit: isWhole ? "some" : "no", reason, ...help };
  }
  const { format } = facts;
  if (types.includes("string") && format !== undefined && isTextFormat(format))
    return { fit: "no", reason: `has the format \`${format}\`, which is no \`${name}\`` };
  if (types.includes("string") && facts.values === undefined && facts.pattern === undefined) {
    const help = 'say that it is digits: `pattern: "^-?[0-9]+$"`';
    return { fit: "unsure", reason: `may be any text, and \`${name}\` takes digits`, help };
  }
  return range === undefined ? { fit: "yes" } : withinRange(facts, types, name, range);
}

/** Whether some number is an integer in the range. */
function mayBeWhole(
  { maximum, minimum, values }: StatedFacts,
  range: readonly [minimum: bigint, maximum: bigint] | undefined,
): boolean {
  if (range === undefined) return false;
  const [least, most] = range.map(Number);
  const isIn = (each: JsonValue) =>
    typeof each === "number" && Number.isInteger(each) && each >= range[0] && each <= range[1];
  if (values !== undefined) return values.some(isIn);
  const limits = { type: "integer", minimum: least ?? 0, maximum: most ?? 0 };
  const own = {
    type: "number",
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  return !areScalarsApart(own, limits);
}

function withinRange(
  facts: StatedFacts,
  types: readonly JsonType[],
  name: string,
  [least, most]: readonly [bigint, bigint],
): Fit {
  const listed = facts.values?.filter((each) => typeof each === "number");
  const low = listed === undefined ? facts.minimum : Math.min(...listed);
  const high = listed === undefined ? facts.maximum : Math.max(...listed);
  const beyond = [low, high].find(
    (each) => each !== undefined && Number.isFinite(each) && (each < least || each > most),
  );
  const holds = `\`${name}\` holds ${least} to ${most}`;
  if (beyond !== undefined) {
    const isOut = (each: number) => each < least || each > most;
    const isNone =
      listed === undefined
        ? (low !== undefined && low > most) || (high !== undefined && high < least)
        : listed.every(isOut);
    return { fit: isNone ? "no" : "some", reason: `may be ${beyond}, and ${holds}` };
  }
  if (name === "int8") return types.includes("integer") ? exactly(low, high) : { fit: "yes" };
  if (!types.includes("integer") || listed !== undefined) return { fit: "yes" };
  if (low !== undefined && high !== undefined) return { fit: "yes" };
  const bounds = [
    ...(low === undefined ? [`minimum: ${least}`] : []),
    ...(high === undefined ? [`maximum: ${most}`] : []),
  ];
  const help = `bound it: \`${bounds.join(", ")}\``;
  return { fit: "unsure", reason: `may be any integer, and ${holds}`, help };
}

/** Whether every integer between the bounds is one that a JSON number holds: an int8 may be further, and is rounded before it is looked at. */
function exactly(low: number | undefined, high: number | undefined): Fit {
  const most = Number.MAX_SAFE_INTEGER;
  if (low !== undefined && high !== undefined && low >= -most && high <= most)
    return { fit: "yes" };
  return {
    fit: "unsure",
    reason: `may be an integer beyond ±${most}, which is not exact as a JSON number, and refused`,
    help: `take digits, as results give them: \`type: string, pattern: "^-?[0-9]+$"\`; or bound it: \`minimum: ${low !== undefined && low >= -most ? low : -most}, maximum: ${high !== undefined && high <= most ? high : most}\``,
  };
}
