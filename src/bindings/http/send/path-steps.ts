/**
 * Steps of a path that any answer allows, and those for each character of it. The limit counts
 * characters, not values: three million empty objects fit into ten million bytes.
 */
const allowed = { always: 100_000, perCharacter: 1 } as const;

/** Characters of a text that count as a value, and as a step where they are read. */
const charactersPerStep = 16;

/** A path takes more steps than an answer of its size allows. */
export class TooManySteps extends Error {
  constructor(readonly limit: number) {
    super(`the response path takes more than ${limit} steps`);
    this.name = "TooManySteps";
  }
}

/** Counts the steps of a path in one answer. */
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

  /** Steps to read a text so many times. */
  takeText(text: string, times = 1): void {
    this.take(Math.ceil(text.length / charactersPerStep) * times);
  }

  /** Steps to compare two values: those of the smaller. */
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

/** Characters of a value as compact JSON, at least: numbers count as one digit. */
function charactersOf(body: unknown): number {
  const left = [body];
  let characters = 0;
  while (left.length > 0) {
    const value = left.pop();
    // With the comma behind it.
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

/**
 * How many values there are in a value, and so many more as its texts are long; more than `most`
 * are not counted.
 */
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
