import { isNever, never, type ObjectPart, type Property, type Shape, unknown } from "./shape.js";

/**
 * Shape of a property as the printed type has it: `unknown` for an optional property with an
 * inherited name. If an object omits such a property, TypeScript checks the inherited member. A
 * narrower type would reject the object.
 */
export function printedShape({ name, shape, required }: Property): Shape {
  return !required && isInherited(name) ? unknown : shape;
}

/** Checks if every object inherits a member of that name. */
export function isInherited(name: string): boolean {
  return name !== "__proto__" && name in Object.prototype;
}

/**
 * Printed type of undeclared properties; `never` for no index signature. A schema that merely
 * doesn't forbid other properties gets no index signature, so that a misspelt name is a type error.
 * Values with other properties stay assignable, except literals.
 */
export function printedRest({ properties, rest, statesOthers }: ObjectPart): Shape {
  if (properties.length === 0 || isNever(rest)) return rest;
  // TypeScript requires every declared property to fit the index signature.
  return statesOthers ? unknown : never;
}
