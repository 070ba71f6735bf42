/** Runs one sync at a time; whoever asks while one runs shares the next. */
export interface GroupSync {
  /** Asks for a sync soon, and doesn't wait for it. */
  request(): void;
  /** Resolves after a sync that began after this call; rejects when it failed. */
  wait(): Promise<void>;
  /** Resolves when no sync runs. Starts none. */
  settled(): Promise<void>;
  /** Whether a sync that was asked for has not ended. */
  readonly due: boolean;
  /** Forgets what is due: the caller has synced, or has nothing to sync any more. */
  cancel(): void;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** @param delayMs how long `request` may gather others before the sync begins */
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

  /** A process that is done need not stay for the sync: its `exit` event does it. */
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
      // Everything that is asked for in this turn of the event loop goes into one sync.
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
