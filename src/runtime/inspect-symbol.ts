/**
 * What Node's `util.inspect`, and so its console, looks for. Not taken from `node:util`: the
 * declarations of this package are read by projects without Node's types.
 */
export const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The part of Node's `inspect` that such a method is given. */
export type Inspect = (value: unknown, options: object) => string;
