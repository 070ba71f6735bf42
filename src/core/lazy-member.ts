/**
 * Defines a member of an object or a list that is computed on first access. It behaves like a
 * normal member: enumerable, and part of the object's JSON.
 *
 * @param owner an object that nobody else uses yet
 */
export function setLazily(owner: object, name: string, make: () => unknown): void {
  const settle = (value: unknown): unknown => {
    const settings = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(owner, name, { ...settings, value });
    return value;
  };
  Object.defineProperty(owner, name, {
    configurable: true,
    enumerable: true,
    get: () => settle(make()),
    set: settle,
  });
}
