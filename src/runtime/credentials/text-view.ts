/** A stretch of a text; the end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Another reading of a text, which maps stretches back to the source. */
export interface TextView {
  readonly text: string;
  /** Returns the stretch of the source from which a stretch of this text comes. */
  sourceOf(stretch: Stretch): Stretch;
}

/** Writes a view: the source's text with some stretches replaced. */
export class ViewWriter {
  readonly #source: string;
  readonly #parts: string[] = [];
  #length = 0;
  #done = 0;
  /** For each replacement: start in this text, start and end in the source, and length. */
  readonly #starts: number[] = [];
  readonly #sourceStarts: number[] = [];
  readonly #sourceEnds: number[] = [];
  readonly #lengths: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  /** Replaces a stretch. Call it in order, with stretches that don't overlap. */
  replace(start: number, end: number, by: string): void {
    if (start > this.#done) this.#parts.push(this.#source.slice(this.#done, start));
    this.#length += start - this.#done;
    this.#starts.push(this.#length);
    this.#sourceStarts.push(start);
    this.#sourceEnds.push(end);
    this.#lengths.push(by.length);
    this.#parts.push(by);
    this.#length += by.length;
    this.#done = end;
  }

  /** Returns the view; undefined if nothing was replaced. */
  finish(): TextView | undefined {
    if (this.#starts.length === 0) return undefined;
    // `join` makes a flat string, which is several times faster to read than a concatenation.
    const text = [...this.#parts, this.#source.slice(this.#done)].join("");
    return {
      text,
      sourceOf: ({ end, start }) => ({
        start: this.#sourceStart(start),
        end: this.#sourceEnd(end),
      }),
    };
  }

  #sourceStart(offset: number): number {
    const at = this.#replacementBefore(offset);
    if (at < 0) return offset;
    const behind = offset - numberAt(this.#starts, at) - numberAt(this.#lengths, at);
    return behind < 0 ? numberAt(this.#sourceStarts, at) : numberAt(this.#sourceEnds, at) + behind;
  }

  #sourceEnd(end: number): number {
    const last = end - 1;
    const at = this.#replacementBefore(last);
    if (at < 0) return end;
    const behind = last - numberAt(this.#starts, at) - numberAt(this.#lengths, at);
    return numberAt(this.#sourceEnds, at) + Math.max(0, behind + 1);
  }

  /**
   * Returns the index of the last replacement that begins at or before the offset; -1 if there is
   * none.
   */
  #replacementBefore(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numberAt(this.#starts, middle) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function numberAt(numbers: readonly number[], at: number): number {
  return numbers[at] ?? 0;
}

/** Makes a view of a view, with the first one's source. */
export function viewThrough(outer: TextView, inner: TextView): TextView {
  return { text: inner.text, sourceOf: (stretch) => outer.sourceOf(inner.sourceOf(stretch)) };
}
