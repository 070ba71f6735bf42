/**
 * The version of the contract between generated code and the runtime: the names that generated
 * modules import, and what they mean. It stands in every import, so that code of one version and a
 * runtime of another meet in one sentence, not in type errors.
 */
export const contractVersion = 1;

/**
 * The specifier of an entry point for generated code.
 *
 * @param name `http`; without one, what all tools share
 * @returns `@skillc/runtime/v1/http`
 */
export function runtimeEntry(name?: string): string {
  const shared = `@skillc/runtime/v${contractVersion}`;
  return name === undefined ? shared : `${shared}/${name}`;
}
