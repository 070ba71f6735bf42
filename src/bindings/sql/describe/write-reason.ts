import { quote, shown } from "../../../core/names.js";
import type { EffectReason } from "../analysis/effect/effect-reason.js";
import { readTokens } from "../statement/lexer.js";
import type { Places } from "../statement/places.js";
import { type TextRange, trimmedRange } from "../statement/statement.js";

/** Says why a statement is a write, as a phrase that follows "the statement". */
export function writeReason(reason: EffectReason): string {
  const { view, within } = reason;
  const what = wordsFor(reason);
  if (within !== undefined) return UNASKED[within.kind](`\`${shown(within.name)}\``, what);
  return view === undefined ? what : `${what} in the view \`${shown(view)}\``;
}

const UNASKED: Readonly<
  Record<NonNullable<EffectReason["within"]>["kind"], (name: string, what: string) => string>
> = {
  domain: (name, what) => `needs the check of the domain ${name}, which ${what}`,
  table: (name, what) => `reads ${name}, which ${what} in a policy or a generated column`,
  plan: (name, what) => `reads ${name}, which ${what} in an index, a check or a partition key`,
  type: (name, what) => `has values of the type ${name}, which ${what}`,
  default: (name, what) => `leaves out an argument of ${name}, whose default ${what}`,
};

/**
 * Finds the cause in the author's text. If the tree only has the position of the table after the
 * keywords, finds the keywords.
 */
export function placeOfWrite(
  { kind, location, name }: EffectReason,
  places: Places,
  text: string,
): TextRange {
  const at = location === undefined ? undefined : places.ofByte(location);
  const isNamedByWords = kind === "modifies" || at === undefined;
  return (
    (isNamedByWords ? lastWords(name, text, at?.start) : undefined) ?? at ?? trimmedRange(text)
  );
}

/** The last occurrence of some words before an offset: `FOR UPDATE`. */
function lastWords(name: string, text: string, before = text.length): TextRange | undefined {
  const words = name.split(" ");
  const tokens = (readTokens(text) ?? []).filter(({ end }) => end <= before);
  const first = tokens.findLastIndex((_, index) =>
    words.every((word, offset) => tokens[index + offset]?.text.toUpperCase() === word),
  );
  const [start, end] = [tokens[first], tokens[first + words.length - 1]];
  return start && end && { start: start.start, end: end.end };
}

function wordsFor({ functions = [], kind, name: written, remedy }: EffectReason): string {
  const name = shown(written);
  const may = remedy?.list === false ? "is declared VOLATILE" : "may change something";
  const behind = functions.map(quote).join(", ");
  switch (kind) {
    case "modifies":
      return `has ${name}`;
    case "into":
      return "creates a table with INTO";
    case "lock":
      return `locks rows with ${name}`;
    case "function":
      return `calls \`${name}\`, which ${may}`;
    case "operator":
      return `uses the operator \`${name}\`, whose function ${behind} ${may}`;
    case "cast":
      return `casts with \`${name}\`, whose function ${behind} ${may}`;
    case "program":
      return `reads the foreign table \`${name}\`, which runs a program on the server`;
    case "sample":
      return `samples with \`${name}\`, which may change something`;
    default:
      return `has \`${name}\`, which skillc doesn't know to be a read`;
  }
}
