import { deepestJson } from "../json/json.js";

export interface Excerpt {
  readonly value: unknown;
  /** True if nothing is left out. */
  readonly isWhole: boolean;
}

/**
 * Returns the beginning of a value that has about this many characters of JSON. It leaves out later
 * items and properties, and cuts texts. Its cost depends on the excerpt's size, not on the value's.
 * A value that is short enough is returned itself.
 *
 * @throws RangeError if the value nests too deep, for example because it contains itself
 */
export function excerptOf(value: unknown, characters: number): Excerpt {
  if (roomAfter(value, characters, 0) > 0) return { value, isWhole: true };
  const cutter = new Cutter(characters);
  const kept = cutter.cut(value, 0);
  return { value: kept, isWhole: cutter.isWhole };
}

/**
 * Returns the characters left of `room` after the value, counted as `Cutter` does; zero or less if
 * the value is too long. Most answers are short, and counting makes no copy.
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
  // Properties have any type. Counting inherited ones too only makes the result smaller.
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
      // Own properties have any type.
      kept.push([name, this.cut((fields as Record<string, unknown>)[name], depth + 1)]);
    }
    return Object.fromEntries(kept);
  }

  #hasRoom(): boolean {
    if (this.#left <= 0) this.isWhole = false;
    return this.#left > 0;
  }
}

/** Returns whether a value defines its own JSON, as dates do. */
function writesItself(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
