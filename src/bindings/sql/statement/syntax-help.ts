import type { Token } from "./lexer.js";
import type { Placeholder, TextRange } from "./statement.js";

/** What a placeholder can be, for authors who know another notation or other places. */
export const onlyValues = "SQL takes only `:name`, and only for values";

/** What to write where PostgreSQL's parser finds what it can't read; undefined where nothing tells. Placeholders are still numbers. */
export function syntaxHelp(
  text: string,
  at: TextRange,
  tokens: readonly Token[] = [],
): string | undefined {
  return templateHelp(text.slice(at.start)) ?? placeholderHelp(at, tokens);
}

/** Names of templates and of other drivers: `{id}`, `${NAME}`, `%(id)s`, `@id`, `?`. */
function templateHelp(rest: string): string | undefined {
  const braced = /^\{+\s*(?<name>[a-z_]\w*)\s*\}/i.exec(rest)?.groups?.["name"];
  if (braced !== undefined) return `write \`:${braced}\`: SQL text is no template`;
  const named = /^(?:%\(|@)(?<name>[a-z_]\w*)/i.exec(rest)?.groups?.["name"];
  if (named !== undefined) return `write \`:${named}\`: ${onlyValues}`;
  return /^(?:\?|%[sdi]\b|\$\{)/.test(rest) ? onlyValues : undefined;
}

/** A placeholder where no value can stand: `FROM :name`. */
function placeholderHelp(at: TextRange, tokens: readonly Token[]): string | undefined {
  const index = tokens.findIndex(({ start }) => start === at.start);
  const token = tokens[index];
  if (token?.kind !== "parameter") return undefined;
  const isList = tokens[index - 1]?.text.toUpperCase() === "IN";
  return isList ? `for a list write \`= ANY (${token.text})\`` : onlyValues;
}

/** The text with the numbers of placeholders as their names. */
export function withNames(text: string, placeholders: readonly Placeholder[]): string {
  return text.replace(/\$(\d+)/g, (whole, number: string) => {
    const name = placeholders[Number(number) - 1]?.name;
    return name === undefined ? whole : `:${name}`;
  });
}
