import { schemaText } from "./schema-text.js";
import type { SchemaModel } from "./skill-model.js";
import type { Span } from "./span.js";

/**
 * Serializes a model without the positions of its parts, so that moving a tool by a line changes
 * nothing. Removes values of the form of a span, and spellings of texts; an author's own `span` or
 * `places` inside a schema stays.
 */
export function withoutPlaces(model: unknown): string {
  return JSON.stringify(model, leaveOutPlaces);
}

function leaveOutPlaces(this: unknown, key: string, value: unknown): unknown {
  if (isSpan(value) || isListOfSpans(value)) return undefined;
  if (key === "origin" && isText(this)) return undefined;
  // An author's own data, which may look like anything.
  return isSchemaModel(value) ? schemaText(value) : value;
}

/** Checks if a value has the form of a span. */
function isSpan(value: unknown): value is Span {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 3) return false;
  const { file, start, end } = value as Partial<Span>; // each is checked here
  return typeof file === "string" && typeof start === "number" && typeof end === "number";
}

function isListOfSpans(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSpan);
}

/**
 * Checks for a text with a span; a model with another kind of `origin`, such as a URL, doesn't
 * count.
 */
function isText(value: unknown): value is PlacedText {
  if (typeof value !== "object" || value === null || !("span" in value)) return false;
  return isSpan(value.span) && (!("origin" in value) || Array.isArray(value.origin));
}

function isSchemaModel(value: unknown): value is Pick<SchemaModel, "schema" | "shared"> {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    value.kind === "schema" &&
    "places" in value
  );
}

/** Moves spans from one model to another with the same content. */
export interface Moves {
  /** The new span of an old one; undefined if it is unknown. */
  readonly to: (before: Span) => Span | undefined;
}

/** A place in a model, and the way to it. */
interface PlacedPart {
  readonly way: string;
  readonly span: Span;
  /**
   * For a text with a known spelling: the positions of its characters. Spans inside it move along.
   */
  readonly spelling?: string;
}

/** Computes the moves between two models that are equal without spans. */
export function movesBetween(before: unknown, after: unknown): Moves {
  const parts = partsOf(after);
  const now = new Map(parts.map((part) => [part.way, part]));
  const moves = partsOf(before).flatMap((part) => {
    const other = now.get(part.way);
    return other === undefined ? [] : [{ part, other }];
  });
  return {
    to(span) {
      const exact = moves
        .filter(({ part }) => isSame(part.span, span))
        .map(({ other }) => other.span);
      const [found] = exact;
      if (found !== undefined)
        return exact.every((each) => isSame(each, found)) ? found : undefined;
      const text = moves.find(
        ({ part, other }) =>
          part.spelling !== undefined &&
          part.spelling === other.spelling &&
          isWithin(span, part.span),
      );
      return text && shifted(span, text.part.span, text.other.span);
    },
  };
}

/** The model with its spans moved; undefined if a new span is unknown. */
export function moved<Model>(model: Model, moves: Moves): Model | undefined {
  try {
    // Only spans are replaced, by spans.
    return move(model, moves) as Model;
  } catch (error) {
    if (error instanceof UnknownMove) return undefined;
    throw error;
  }
}

class UnknownMove extends Error {}

function move(value: unknown, moves: Moves): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => move(each, moves));
  if (isSpan(value)) {
    const to = moves.to(value);
    if (to === undefined) throw new UnknownMove();
    return to;
  }
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    if (key === "schema" && isSchemaModel(value)) return [key, each];
    return [key, key === "origin" && isText(value) ? movedOrigin(value, moves) : move(each, moves)];
  });
  return Object.fromEntries(entries);
}

function movedOrigin({ origin, span }: PlacedText, moves: Moves): unknown {
  const to = moves.to(span);
  if (to === undefined) throw new UnknownMove();
  return origin?.map(([value, file]) => [value, file + to.start - span.start]);
}

function partsOf(model: unknown, way = ""): readonly PlacedPart[] {
  if (typeof model !== "object" || model === null) return [];
  if (isSpan(model)) return [{ way, span: model }];
  const spelling = isText(model) ? spellingOf(model) : undefined;
  return Object.entries(model).flatMap(([key, value]: [string, unknown]) => {
    if ((key === "schema" && isSchemaModel(model)) || (key === "origin" && isText(model)))
      return [];
    const parts = partsOf(value, `${way}\0${key}`);
    return key === "span" && spelling !== undefined
      ? parts.map((part) => ({ ...part, spelling }))
      : parts;
  });
}

/** A text of a file, with the spelling of its characters there. */
interface PlacedText {
  readonly span: Span;
  readonly origin?: readonly (readonly [value: number, file: number])[];
}

function spellingOf({ origin, span }: PlacedText): string | undefined {
  if (!Array.isArray(origin)) return undefined;
  const places = origin.map(([value, file]) => [value, file - span.start]);
  return JSON.stringify([span.end - span.start, places]);
}

function isSame(one: Span, other: Span): boolean {
  return one.file === other.file && one.start === other.start && one.end === other.end;
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.file === outer.file && outer.start <= inner.start && inner.end <= outer.end;
}

/** Moves a span inside `from` to the same position inside `to`, which may be in another file. */
function shifted({ start, end }: Span, from: Span, to: Span): Span {
  const by = to.start - from.start;
  return { file: to.file, start: start + by, end: end + by };
}
