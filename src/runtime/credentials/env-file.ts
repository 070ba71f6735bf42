/** A line of `.env`: what stands before the value, and a value in quotes or all up to the line's end. */
const setting =
  /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*(?:=|:(?=[ \t])))(?:[ \t]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`)[ \t]*(?:#.*)?$|(.*)$)/gm;

/**
 * The text of a `.env` file as dotenv is to read it. dotenv cuts a value without quotes at any `#`.
 * As in shells, only a `#` behind a blank begins a comment here: other values get quotes.
 */
export function withWholeValues(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(setting, (line, start: string, rest: string | undefined) => {
      const value = rest?.replace(/\s#.*$/, "").trim() ?? "";
      const quote = value.includes("#") ? quoteFor(value) : undefined;
      return quote === undefined ? line : `${start} ${quote}${value}${quote}`;
    });
}

/** Quotes in which dotenv changes nothing of a value; undefined if it has all of them. */
function quoteFor(value: string): string | undefined {
  return ["'", "`", '"'].find(
    (quote) => !value.includes(quote) && (quote !== '"' || !value.includes("\\")),
  );
}
