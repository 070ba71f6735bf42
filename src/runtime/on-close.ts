type Close = () => Promise<void>;

const closers = new WeakMap<object, Set<Close>>();

/**
 * Registers what is closed with a runtime, once its calls have ended: the connections that they
 * used.
 */
export function onClose(runtime: object, close: Close): void {
  const own = closers.get(runtime);
  if (own === undefined) closers.set(runtime, new Set([close]));
  else own.add(close);
}

/** Each may be called again: a call that is made later opens what it needs. */
export async function closeParts(runtime: object): Promise<void> {
  await Promise.all([...(closers.get(runtime) ?? [])].map((close) => close()));
}
