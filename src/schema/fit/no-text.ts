import type { JsonObject } from "../../core/json.js";
import { looksOf, shortestOf } from "../formats.js";
import { madeTextOf } from "../made-text.js";
import { haveCommonText } from "../pattern/common-text.js";
import { withAside } from "./conditions.js";

/** Longer texts are not counted character by character. */
const longestCounted = 100;

/** What leaves no text of a form, and the keyword that says it; undefined where there is one, or may be. */
export function noText(form: JsonObject): readonly [keyword: string, problem: string] | undefined {
  const { maxLength: most, minLength: least } = form;
  if (typeof least === "number" && typeof most === "number" && least > most)
    return ["minLength", `\`minLength\` (${least}) is more than \`maxLength\` (${most})`];
  const said = withAside(form).flatMap(patternsIn);
  for (const [index, [keyword, pattern]] of said.entries()) {
    const other = said.slice(0, index).find(([, each]) => !haveCommonText(each, pattern));
    if (other === undefined) continue;
    return [keyword, `no text is what both \`${other[0]}\` and \`${keyword}\` ask for`];
  }
  const { format } = form;
  return typeof most === "number" && shortestOf(format) > most
    ? ["maxLength", `\`maxLength\` (${most}) is less than texts of \`format\` have`]
    : undefined;
}

type Said = readonly [keyword: string, pattern: string];

/** Patterns that all texts of a form match, each with the keyword that it is made of. */
function patternsIn(form: JsonObject): readonly Said[] {
  const { format, maxLength: most, pattern } = form;
  const looks = typeof format === "string" ? looksOf(format) : undefined;
  const made = madeTextOf(form);
  return [
    ...(made === undefined ? [] : [["text", made] as const]),
    ...(typeof pattern === "string" ? [["pattern", pattern] as const] : []),
    ...(looks === undefined ? [] : [["format", looks] as const]),
    ...(typeof most === "number" && most <= longestCounted
      ? [["maxLength", `^[^]{0,${most}}$`] as const]
      : []),
  ];
}
