/** RFC 6901 JSON pointers, as text. The empty pointer is the document itself. */

/** The pointer one step further down. */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>((at, step) => `${at}/${escapeStep(String(step))}`, pointer);
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The steps of a pointer; undefined when the text is none. */
export function stepsOf(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
