import { pointerStep } from "./pointer.js";

/** The pointer of the one value below `root`, which is JSON, that the test is true of; undefined when there are none or several. */
export function onlyPlace(root: unknown, test: (value: unknown) => boolean): string | undefined {
  const found: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (found.length > 1) return;
    if (test(value)) found.push(pointer);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) visit(each, pointer + pointerStep(name));
    }
  };
  visit(root, "");
  const [place, ...others] = found;
  return others.length === 0 ? place : undefined;
}
