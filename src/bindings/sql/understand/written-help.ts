import { isName, readTokens } from "../statement/lexer.js";
import { readOffsets } from "../statement/offsets.js";
import { onlyValues, syntaxHelp } from "../statement/syntax-help.js";
import type { Refusal } from "./refused.js";

/** For placeholders of another notation that are SQL all the same (`@id` is the absolute value of a column), and those that stand for what is no value. */
export function writtenHelp({ fault, statement: { sql } }: Refusal): string | undefined {
  if (fault.position === undefined) return undefined;
  const tokens = readTokens(sql) ?? [];
  const start = readOffsets(sql).ofCodePoint(fault.position - 1);
  const index = tokens.findIndex(({ end }) => end > start);
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined) return undefined;
  const sign = token.text.endsWith("@") ? token : before;
  const name = sign === token ? after : token;
  if (sign?.text.endsWith("@") && name?.start === sign.end && isName(name))
    return `write \`:${name.text}\`: ${onlyValues}`;
  return fault.code === "42601" ? syntaxHelp(sql, token, tokens) : undefined;
}
