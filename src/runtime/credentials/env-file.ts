/**
 * A line of `.env`: the part before the value, and the value in quotes or up to the end of the
 * line.
 */
const setting =
  /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*(?:=|:(?=[ \t])))(?:[ \t]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`)[ \t]*(?:#.*)?$|(.*)$)/gm;

/**
 * Prepares the text of a `.env` file for dotenv, which cuts an unquoted value at any `#`. As in
 * shells, only a `#` after a blank begins a comment here, so other values with `#` get quotes.
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

/**
 * Returns quotes in which dotenv doesn't change the value; undefined if the value contains all of
 * them.
 */
function quoteFor(value: string): string | undefined {
  return ["'", "`", '"'].find(
    (quote) => !value.includes(quote) && (quote !== '"' || !value.includes("\\")),
  );
}
