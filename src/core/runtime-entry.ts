/**
 * Version of the contract between generated code and the runtime: the names that generated modules
 * import, and their meaning. Every import contains it, so that code and a runtime of different
 * versions give one clear error instead of type errors.
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
