import { pointerStep } from "./pointer.js";

/** Deeper and further values are not looked at: a caller's value may lead back to itself. */
const deepest = 100;
const mostPlaces = 100_000;

/** The pointer of the one value below `root` that the test is true of; undefined when there are none or several. */
export function onlyPlace(root: unknown, test: (value: unknown) => boolean): string | undefined {
  const [found, ...others] = placesOf(root, test, 2);
  return others.length === 0 ? found : undefined;
}

/** The pointer of the first value that JSON can't say: a bigint, a function, a symbol, an object whose `toJSON` throws. */
export function placeNotJson(root: unknown): string | undefined {
  return placesOf(root, isNoJson, 1)[0];
}

function isNoJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" || typeof value === "function" || typeof value === "symbol";
  }
  if (!("toJSON" in value)) return false;
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}

function placesOf(
  root: unknown,
  test: (value: unknown) => boolean,
  most: number,
): readonly string[] {
  const found: string[] = [];
  let left = mostPlaces;
  const visit = (value: unknown, pointer: string, depth: number): void => {
    left -= 1;
    if (found.length >= most || left < 0 || depth > deepest) return;
    if (test(value)) found.push(pointer);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        visit(each, pointer + pointerStep(name), depth + 1);
      }
    }
  };
  visit(root, "", 0);
  return found;
}
