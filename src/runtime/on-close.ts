type Close = () => Promise<void>;

const closers = new WeakMap<object, Set<Close>>();

/**
 * Registers a function that closes a part of a runtime, such as its connections, after its calls
 * have ended.
 */
export function onClose(runtime: object, close: Close): void {
  const own = closers.get(runtime);
  if (own === undefined) closers.set(runtime, new Set([close]));
  else own.add(close);
}

/**
 * Closes all registered parts. It may be called again, because a later call opens new connections.
 */
export async function closeParts(runtime: object): Promise<void> {
  await Promise.all([...(closers.get(runtime) ?? [])].map((close) => close()));
}
