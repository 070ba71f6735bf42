/** Characters of what RabbitMQ says. */
const mostTold = 160;

/** Shorter ones are in every text, and say nothing by being seen. */
const shortestHidden = 4;

/** The client's words around RabbitMQ's, and the name of the error, which is told anyway. */
const frame = /^.*? with message "(?:[A-Z_]+(?: - |(?="$)))?(.*)"$/s;

/**
 * What RabbitMQ said of a message, behind a colon; empty when it said nothing. It quotes names and values: these are left out, but for its own names of
 * headers.
 *
 * @param message of the client's error
 * @param hidden left out too, wherever it stands
 */
export function tellingOf(message: string, hidden: readonly string[]): string {
  const [, said = ""] = frame.exec(message) ?? [];
  const unquoted = said
    .replace(/'.*'|'.*$/s, "'…'")
    .replace(/"(B?CC)"|"[^"]*(?:"|$)/g, (quote, name?: string) => (name ? quote : '"…"'));
  const secrets = hidden.filter(({ length }) => length >= shortestHidden);
  const clean = secrets.reduce((text, each) => text.replaceAll(each, "…"), unquoted);
  const short = clean.length > mostTold ? `${clean.slice(0, mostTold)}…` : clean;
  return short.trim() === "" ? "" : `: ${short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, encoded)}`;
}

function encoded(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
