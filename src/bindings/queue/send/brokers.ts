import { resolve as resolvePath } from "node:path";
import { onShutdown } from "../../../runtime/executor.js";
import type { Client, Open } from "./provider.js";

/** Open clients by the function that opened them and by URL. The calls of all tools share them. */
const open = new Map<Open<Client>, Map<string, Promise<Client>>>();

/**
 * Returns the client of the broker behind a URL. If opening fails, the next call tries again.
 *
 * @param opens the provider's function that opens clients
 * @param directory start of relative paths in the URL
 * @throws UnusableUrl
 */
export function brokerAt<Opened extends Client>(
  opens: Open<Opened>,
  url: string,
  directory: string,
): Promise<Opened> {
  // Each function's map only contains the results of that function.
  const known = (open.get(opens) ?? new Map()) as Map<string, Promise<Opened>>;
  open.set(opens, known);
  const key = keyOf(url, directory);
  const found = known.get(key);
  if (found !== undefined) return found;
  const forget = () => {
    if (known.get(key) === opening) known.delete(key);
  };
  const opening = opens(url, directory, forget);
  known.set(key, opening);
  opening.catch(forget);
  return opening;
}

/** The URL's options may name files by relative paths, which depend on the folder. */
function keyOf(url: string, directory: string): string {
  return url.includes("?") ? `${resolvePath(directory)} ${url}` : url;
}

/**
 * Waits for messages under way and closes all connections. A later call opens new ones.
 *
 * @param late ends the wait: see `Broker`
 */
export async function closeQueues(late?: AbortSignal): Promise<void> {
  const opening = [...open.values()].flatMap((each) => {
    const all = [...each.values()];
    each.clear();
    return all;
  });
  const opened = await Promise.allSettled(opening);
  await Promise.all(
    opened.map((each) => (each.status === "fulfilled" ? each.value.close(late) : undefined)),
  );
}

onShutdown(closeQueues);
