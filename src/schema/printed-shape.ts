import { isNever, never, type ObjectPart, type Property, type Shape, unknown } from "./shape.js";

/**
 * An optional property named like a member of `Object.prototype`: TypeScript takes the inherited
 * member for the value of an object that leaves it out, so no narrower type would accept that
 * object.
 */
export function printedShape({ name, shape, required }: Property): Shape {
  return !required && isInherited(name) ? unknown : shape;
}

/** Checks if every object inherits a member of that name. */
export function isInherited(name: string): boolean {
  return name !== "__proto__" && name in Object.prototype;
}

/**
 * Printed type of unnamed properties; `never` for no index signature. If the schema merely doesn't
 * forbid other properties, no index signature is printed, so that a misspelt name is a type error.
 * Values with other properties stay assignable, except literals.
 */
export function printedRest({ properties, rest, statesOthers }: ObjectPart): Shape {
  if (properties.length === 0 || isNever(rest)) return rest;
  // TypeScript wants every known property to fit the index signature.
  return statesOthers ? unknown : never;
}
