const closers: (() => Promise<void>)[] = [];

/** Registers what `shutdown` closes: pools, clients, files. Called once, when the part that owns them is loaded. */
export function onShutdown(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes connections and hands over what the ledger still buffers. A process that forgets it loses nothing but time. */
export async function shutdown(): Promise<void> {
  await Promise.all(closers.map((close) => close()));
}
