/**
 * Gives an object, or a list, a member that is made when it is first asked for. It is a member like
 * any other: listed, and part of the object's JSON.
 *
 * @param owner nobody else's yet
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
