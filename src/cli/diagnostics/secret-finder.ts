import type { Diagnostic } from "../../core/diagnostic.js";
import type { Extent } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import type { Sources } from "./positions.js";

/**
 * Minimum length, in characters, of a part that gives a secret away. A shorter secret is only
 * masked as a whole word.
 */
const tellingLength = 8;

/** Spans of the secrets that diagnostics report. */
export function secretsIn(diagnostics: readonly Diagnostic[]): readonly Span[] {
  return diagnostics.filter((each) => each.secret === true).map((each) => each.span);
}

/** Finds secrets in other texts than those that contained them. */
export interface SecretFinder {
  /** Masks every part of a secret in a message. Messages quote author text, and may cut it. */
  readonly mask: (message: string) => string;
  /** Finds all places of secrets in a file, because the same text may occur twice. */
  readonly placesIn: (text: string) => readonly Extent[];
}

/** @param secrets places of the secrets */
export function secretFinder(secrets: readonly Span[], sources: Sources): SecretFinder {
  const texts = new Set(
    secrets.map(({ end, file, start }) => sources.get(file)?.text.slice(start, end).trim() ?? ""),
  );
  texts.delete("");
  const stretches = new Set([...texts].flatMap((text) => stretchesOf(text.replace(/\s+/g, " "))));
  const wanted = new Set([...texts].flatMap((text) => [text, ...longLinesOf(text)]));
  return {
    mask: (message) => dotted(message, placesOf(stretches, message)),
    placesIn: (text) => placesOf(wanted, text),
  };
}

/** Long lines of a key, which may also occur on one line or with other indentation. */
function longLinesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r\n|\n/).map((line) => line.trim());
  return lines.filter((line) => line.length >= 2 * tellingLength && !line.startsWith("-----"));
}

function stretchesOf(secret: string): readonly string[] {
  return secret.length <= tellingLength
    ? [secret]
    : Array.from({ length: secret.length - tellingLength + 1 }, (_, at) =>
        secret.slice(at, at + tellingLength),
      );
}

function placesOf(wanted: ReadonlySet<string>, text: string): readonly Extent[] {
  return [...wanted].flatMap((each) => {
    const found: Extent[] = [];
    for (let start = text.indexOf(each); start >= 0; start = text.indexOf(each, start + 1)) {
      const place = { start, end: start + each.length };
      if (each.length >= tellingLength || isWord(place, text)) found.push(place);
    }
    return found;
  });
}

function isWord({ end, start }: Extent, text: string): boolean {
  return !/[A-Za-z0-9]/.test(`${text[start - 1] ?? ""}${text[end] ?? ""}`);
}

function dotted(text: string, places: readonly Extent[]): string {
  if (places.length === 0) return text;
  const units = text.split("");
  for (const { end, start } of places) units.fill("•", start, end);
  return units.join("");
}

/** Masks secrets in the texts of diagnostics. */
export function withoutSecrets<Found extends Diagnostic>(
  diagnostics: readonly Found[],
  { mask }: Pick<SecretFinder, "mask">,
): readonly Found[] {
  return diagnostics.map((each) => ({
    ...each,
    message: mask(each.message),
    ...(each.help !== undefined && { help: mask(each.help) }),
    ...(each.related && {
      related: each.related.map(({ message, span }) => ({ span, message: mask(message) })),
    }),
  }));
}
