import type { Fit } from "./fit.js";
import type { StatedFacts } from "../../../schema/stated-facts.js";

/** By type: the formats whose values it takes, and those of which it would silently lose a part. */
interface Wanted {
  readonly takes: readonly string[];
  readonly loses?: ReadonlyMap<string, string>;
}

const wanted: ReadonlyMap<string, Wanted> = new Map<string, Wanted>([
  ["uuid", { takes: ["uuid"] }],
  ["timestamptz", { takes: ["date-time", "date"] }],
  ["timestamp", { takes: ["date"], loses: new Map([["date-time", "its offset"]]) }],
  ["date", { takes: ["date"], loses: new Map([["date-time", "its time of day"]]) }],
  ["timetz", { takes: ["time"] }],
  ["time", { takes: [], loses: new Map([["time", "its offset"]]) }],
  ["interval", { takes: ["duration"] }],
  ["inet", { takes: ["ipv4", "ipv6"] }],
  ["cidr", { takes: ["ipv4", "ipv6"] }],
]);

const anyText: ReadonlySet<string> = new Set(["text", "varchar", "bpchar", "name", "citext"]);

/** A type that travels as a string, and a parameter that is one. */
export function fitsText(facts: StatedFacts, name: string, maxLength: number | undefined): Fit {
  if (anyText.has(name)) return fitsLength(facts, name, maxLength);
  if (name === "bytea") return fitsBytes(facts);
  const { format, pattern, values } = facts;
  const { takes, loses } = wanted.get(name) ?? { takes: [] };
  if (format !== undefined && takes.includes(format)) return { fit: "yes" };
  const lost = format === undefined ? undefined : loses?.get(format);
  if (lost !== undefined)
    return { fit: "unsure", reason: `is a ${format}, of which \`${name}\` drops ${lost}` };
  if (format !== undefined && wanted.has(name)) {
    const also =
      takes.length === 0 ? "" : `; it takes ${takes.map((each) => `\`${each}\``).join(" or ")}`;
    return { fit: "no", reason: `has the format \`${format}\`, which is no \`${name}\`${also}` };
  }
  // The author says which texts there are; whether each is one, only PostgreSQL knows.
  if (pattern !== undefined || values !== undefined) return { fit: "yes" };
  const [first] = takes;
  const help =
    first === undefined ? "say what it looks like with a `pattern`" : `add \`format: ${first}\``;
  return { fit: "unsure", reason: `may be any text, and \`${name}\` takes only its own`, help };
}

function fitsLength(facts: StatedFacts, name: string, most: number | undefined): Fit {
  if (most === undefined) return { fit: "yes" };
  const column = `\`${name}(${most})\``;
  if (facts.values !== undefined) {
    const isLong = (each: unknown) => typeof each === "string" && [...each].length > most;
    const long = facts.values.find(isLong);
    if (long === undefined) return { fit: "yes" };
    return {
      fit: facts.values.every((each) => each === null || isLong(each)) ? "no" : "some",
      reason: `may be \`${String(long)}\`, which is longer than ${column} holds`,
    };
  }
  if (facts.minLength !== undefined && facts.minLength > most)
    return {
      fit: "no",
      reason: `has ${facts.minLength} characters at least, and the column is ${column}`,
    };
  if (facts.maxLength !== undefined && facts.maxLength <= most) return { fit: "yes" };
  const help = `add \`maxLength: ${most}\``;
  return facts.maxLength === undefined
    ? { fit: "unsure", reason: `may be longer than ${column} holds`, help }
    : {
        fit: "some",
        reason: `may have ${facts.maxLength} characters, and the column is ${column}`,
        help,
      };
}

function fitsBytes({ contentEncoding }: StatedFacts): Fit {
  if (contentEncoding === "base64") return { fit: "yes" };
  const help = "add `contentEncoding: base64`";
  return contentEncoding === undefined
    ? { fit: "unsure", reason: "may be any text, and a `bytea` is given as base64", help }
    : {
        fit: "no",
        reason: `is encoded as ${contentEncoding}, and a \`bytea\` is given as base64`,
        help,
      };
}
