/** RFC 6901 JSON pointers, as text. */

/** The pointer's part for one step: `/` and the name, encoded. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The steps of a pointer; none for the document itself. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer that has these steps. */
export function pointerOf(steps: readonly string[]): string {
  return steps.map(pointerStep).join("");
}
