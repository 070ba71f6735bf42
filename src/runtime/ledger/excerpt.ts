import { deepestJson } from "../json/json.js";

export interface Excerpt {
  readonly value: unknown;
  /** Whether nothing is left out. */
  readonly isWhole: boolean;
}

/**
 * As much of a value from its beginning as gives some characters of JSON: later items and
 * properties are left out, and texts are cut. It holds the value's own parts, and costs what it
 * keeps, not what the value is large. A value that is short enough is its own excerpt.
 *
 * @throws RangeError for a value that nests deeper than any JSON, as one that holds itself does
 */
export function excerptOf(value: unknown, characters: number): Excerpt {
  if (roomAfter(value, characters, 0) > 0) return { value, isWhole: true };
  const cutter = new Cutter(characters);
  const kept = cutter.cut(value, 0);
  return { value: kept, isWhole: cutter.isWhole };
}

/**
 * Characters left of `room` behind a value, counted as `Cutter` counts them; zero or less if the
 * value is too long. Most answers are short: counting them makes no copy.
 */
function roomAfter(value: unknown, room: number, depth: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null || writesItself(value)) return room - 1;
  if (depth > deepestJson) throw new RangeError("the value nests too deep");
  let left = room - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index += 1)
      left = roomAfter(value[index], left, depth + 1);
    return left;
  }
  // Properties of whatever type. Inherited ones make it no shorter.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (left <= 0) break;
    left = roomAfter(fields[name], left - name.length - 3, depth + 1);
  }
  return left;
}

class Cutter {
  isWhole = true;
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  cut(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#cutText(value);
    this.#left -= 1;
    if (typeof value !== "object" || value === null || writesItself(value)) return value;
    if (depth > deepestJson) throw new RangeError("the value nests too deep");
    return Array.isArray(value) ? this.#cutList(value, depth) : this.#cutFields(value, depth);
  }

  #cutText(text: string): string {
    const kept = text.length <= this.#left ? text : text.slice(0, Math.max(0, this.#left));
    if (kept.length < text.length) this.isWhole = false;
    this.#left -= kept.length + 2;
    return kept;
  }

  #cutList(list: readonly unknown[], depth: number): readonly unknown[] {
    const kept: unknown[] = [];
    for (let index = 0; index < list.length && this.#hasRoom(); index += 1)
      kept.push(this.cut(list[index], depth + 1));
    return kept;
  }

  #cutFields(fields: object, depth: number): object {
    const kept: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
      if (!this.#hasRoom()) break;
      this.#left -= name.length + 3;
      // Own properties, of whatever type.
      kept.push([name, this.cut((fields as Record<string, unknown>)[name], depth + 1)]);
    }
    return Object.fromEntries(kept);
  }

  #hasRoom(): boolean {
    if (this.#left <= 0) this.isWhole = false;
    return this.#left > 0;
  }
}

/** Dates and the like, which say themselves what their JSON is. */
function writesItself(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
