import { resolve as resolvePath } from "node:path";
import { onShutdown } from "../../../runtime/executor.js";
import type { Client, Open } from "./provider.js";

/** What is open, by how it is opened: calls of all tools share it. */
const open = new Map<Open<Client>, Map<string, Promise<Client>>>();

/**
 * The client of the broker behind a URL. One that can't be used is tried again by the next call.
 *
 * @param opens the provider's way to open one
 * @param directory what relative paths in the URL start from
 * @throws UnusableUrl
 */
export function brokerAt<Opened extends Client>(
  opens: Open<Opened>,
  url: string,
  directory: string,
): Promise<Opened> {
  // What was put in under a function is what that gave.
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

/** Options may name files, which are others in another folder. */
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
