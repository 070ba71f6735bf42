/** RFC 6901 JSON pointers, as text. */

/** Returns the part of a pointer for one step: `/` and the encoded name. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the steps of a pointer; none for the whole document. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the pointer with these steps. */
export function pointerOf(steps: readonly string[]): string {
  return steps.map(pointerStep).join("");
}
