/**
 * Number of steps allowed for any response, and for each of its characters. The limit counts
 * characters instead of values, because three million empty objects fit into ten million bytes.
 */
const allowed = { always: 100_000, perCharacter: 1 } as const;

/** Number of characters of a text that count as one value, and as one step when they are read. */
const charactersPerStep = 16;

/** A path takes more steps than the size of the response allows. */
export class TooManySteps extends Error {
  constructor(readonly limit: number) {
    super(`the response path takes more than ${limit} steps`);
    this.name = "TooManySteps";
  }
}

/** Counts the steps of a path in one response. */
export class PathSteps {
  readonly #limit: number;
  #taken = 0;

  constructor(body: unknown) {
    this.#limit = allowed.always + allowed.perCharacter * charactersOf(body);
  }

  /** @throws TooManySteps */
  take(steps: number): void {
    this.#taken += steps;
    if (this.#taken > this.#limit) throw new TooManySteps(this.#limit);
  }

  /** Counts the steps to read a text `times` times. */
  takeText(text: string, times = 1): void {
    this.take(Math.ceil(text.length / charactersPerStep) * times);
  }

  /** Counts the steps to compare two values: the size of the smaller. */
  takeComparison(a: unknown, b: unknown): void {
    const most = this.#limit - this.#taken + 1;
    const [one, other] = [sizeOf(a, 100), sizeOf(b, 100)];
    this.take(
      Math.min(one, other) < 100
        ? Math.min(one, other)
        : Math.min(sizeOf(a, most), sizeOf(b, most)),
    );
  }
}

/** Minimal number of characters of a value as compact JSON. A number counts as one digit. */
function charactersOf(body: unknown): number {
  const left = [body];
  let characters = 0;
  while (left.length > 0) {
    const value = left.pop();
    // Includes the comma after it.
    characters += 2;
    if (typeof value === "string") characters += 1 + value.length;
    if (typeof value !== "object" || value === null) continue;
    characters += 1;
    if (Array.isArray(value)) for (const each of value) left.push(each);
    else
      for (const [name, each] of Object.entries(value)) {
        characters += name.length + 3;
        left.push(each);
      }
  }
  return characters;
}

/** Number of values in a value, plus one for each part of a long text. Stops counting at `most`. */
function sizeOf(value: unknown, most: number): number {
  const left = [value];
  let size = 0;
  while (left.length > 0 && size < most) {
    const next = left.pop();
    size += 1 + (typeof next === "string" ? Math.floor(next.length / charactersPerStep) : 0);
    if (typeof next !== "object" || next === null) continue;
    for (const each of Object.values(next)) left.push(each);
  }
  return size;
}
