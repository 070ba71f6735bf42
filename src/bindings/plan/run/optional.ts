/** Returns an object with one property, or none if the value is undefined. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [N in Name]?: Value } {
  // A computed key makes TypeScript forget its name.
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: Value });
}
