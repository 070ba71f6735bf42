/** JSON pointers (RFC 6901) as text. The empty pointer means the document itself. */

/** Adds steps to a pointer. */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  let at = pointer;
  for (const step of steps) at += `/${escapeStep(String(step))}`;
  return at;
}

function escapeStep(step: string): string {
  // Few steps contain either character, and the compiler makes a pointer for every schema.
  if (!step.includes("~") && !step.includes("/")) return step;
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The steps of a pointer; undefined if the text is not a pointer. */
export function stepsOf(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
