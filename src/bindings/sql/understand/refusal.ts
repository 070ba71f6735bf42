import type { Span } from "../../../core/span.js";
import { spanWithin } from "../../../core/syntax-node.js";
import type { StatementInput } from "./statement-input.js";
import { readFault } from "./refusal-help.js";
import { type Refusal, untoldNumber } from "./refused.js";
import { wholeOf } from "../statement/fault.js";
import { readTokens } from "../statement/lexer.js";
import { namedWord, quotedWord } from "../statement/named-word.js";
import { readPlaces } from "../statement/places.js";
import type { TextRange } from "../statement/statement.js";
import { withNames } from "../statement/syntax-help.js";

/** Reports it at the author's text, with the author's names. */
export function reportRefusal(refusal: Refusal, { config, report }: StatementInput): void {
  const { fault, statement } = refusal;
  const { help, message = fault.message, name } = readFault(refusal);
  const named = (text: string) => withNames(text, statement.placeholders);
  const { start, end } = placeOf(refusal, config.query.value, name);
  const span: Span = spanWithin(config.query, start, end);
  report.add({
    code: "sql/refused",
    span,
    message: `${named(message)} (SQLSTATE ${fault.code})`,
    ...(help !== undefined && { help: named(help) }),
  });
}

function placeOf(
  { at, fault, statement }: Refusal,
  text: string,
  name: string | undefined,
): TextRange {
  if (at !== undefined) return at;
  if (fault.position !== undefined) return readPlaces(statement).ofPosition(fault.position);
  const number = untoldNumber(fault);
  const placeholder = number === undefined ? undefined : statement.placeholders[number - 1]?.at[0];
  const conflict = fault.code === "42P10" ? conflictIn(text) : undefined;
  const word = name === undefined ? quotedWord(text, fault.message) : namedWord(text, name);
  return placeholder ?? conflict ?? word ?? wholeOf(text);
}

/** `ON CONFLICT`: what is wrong with its columns, PostgreSQL says without a place. */
function conflictIn(text: string): TextRange | undefined {
  const tokens = readTokens(text) ?? [];
  const at = tokens.findIndex((token) => /^conflict$/i.test(token.text));
  const [on, conflict] = [tokens[at - 1], tokens[at]];
  return on && conflict && { start: on.start, end: conflict.end };
}
