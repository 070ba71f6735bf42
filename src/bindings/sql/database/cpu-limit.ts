/** How often it is looked, in milliseconds. */
const interval = 200;

/**
 * Calls `onOver` once this process has spent so much CPU time from now on. It is CPU time because a busy machine, or one that was suspended, lets hours pass
 * over a short statement. That of other threads counts too: whoever sets a limit waits meanwhile.
 *
 * @returns lifts the limit
 */
export function limitCpu(limitMs: number, onOver: () => void): () => void {
  const since = process.cpuUsage();
  const timer = setInterval(() => {
    const { system, user } = process.cpuUsage(since);
    if ((system + user) / 1000 <= limitMs) return;
    clearInterval(timer);
    onOver();
  }, interval);
  return () => clearInterval(timer);
}
