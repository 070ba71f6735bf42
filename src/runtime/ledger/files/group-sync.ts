/** Runs one sync at a time. Requests during a sync share the next one. */
export interface GroupSync {
  /** Requests a sync soon, without waiting for it. */
  request(): void;
  /** Resolves after a sync that began after this call; rejects if it failed. */
  wait(): Promise<void>;
  /** Resolves when no sync is running. It doesn't start one. */
  settled(): Promise<void>;
  /** True if a requested sync has not ended. */
  readonly due: boolean;
  /** Drops requested syncs: the caller has synced itself, or has nothing to sync. */
  cancel(): void;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Creates a group sync.
 *
 * @param delayMs time during which `request` collects others before the sync begins, in
 * milliseconds
 */
export function createGroupSync(sync: () => Promise<void>, delayMs: number): GroupSync {
  let waiters: Waiter[] = [];
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let running: Promise<void> | undefined;
  let due = false;

  function start(): void {
    if (running) return;
    stopClocks();
    const group = waiters;
    waiters = [];
    due = false;
    running = serve(group);
  }

  async function serve(group: readonly Waiter[]): Promise<void> {
    try {
      await sync();
      for (const each of group) each.resolve();
    } catch (error) {
      for (const each of group) each.reject(error);
    }
    next();
  }

  function next(): void {
    running = undefined;
    if (waiters.length > 0) start();
    else if (due) timer ??= startLater();
  }

  /** The timer doesn't keep the process alive; its `exit` listener syncs. */
  function startLater(): NodeJS.Timeout {
    return setTimeout(start, delayMs).unref();
  }

  function stopClocks(): void {
    clearTimeout(timer);
    clearImmediate(immediate);
    timer = immediate = undefined;
  }

  return {
    request() {
      due = true;
      if (!running) timer ??= startLater();
    },
    wait() {
      due = true;
      // All requests of this turn of the event loop share one sync.
      if (!running) immediate ??= setImmediate(start);
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
    },
    settled: () => running ?? Promise.resolve(),
    get due() {
      return due || running !== undefined;
    },
    cancel() {
      stopClocks();
      due = false;
      waiters.forEach((each) => each.resolve());
      waiters = [];
    },
  };
}
