/**
 * The symbol by which Node's `util.inspect` and `console` find an object's own inspect method. It
 * is not imported from `node:util`, so that projects without Node's types can use this package's
 * types.
 */
export const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The `inspect` function that Node passes to such a method. */
export type Inspect = (value: unknown, options: object) => string;
