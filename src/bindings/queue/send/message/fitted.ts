/** A parameter whose schema was found to fit its field's, which its type can't say. The message's validator looks at it in each call. */
export function fitted(value: unknown): never {
  // Of no type at all, it is taken for a value of any.
  return value as never;
}
