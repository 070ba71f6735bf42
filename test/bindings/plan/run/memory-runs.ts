import {
  type HeldRun,
  type KeptRun,
  type RunBeginning,
  type RunEvent,
  RunHeld,
  type RunId,
  type RunStore,
} from "../../../../src/runtime/runs/store.js";

/** A store of runs in memory, which can fail as a crash would make it fail. */
export interface MemoryRuns extends RunStore {
  /** Fails at the event with this number, from 0, and at everything after it. */
  crashAt(event: number): void;
  /** Fails once, to store the event with this number, from 0; or to hold the run, if it is `hold`. */
  failAt(moment: number | "hold", error: Error): void;
  /** Works again, as for the next process. Runs that were held are free. */
  restart(): void;
  /** Takes a run away from whoever holds it. */
  take(id: string): void;
  /** Events of a run, as `TYPE KEY`. */
  eventsOf(id: string): readonly string[];
  /** Forgets a run. */
  remove(id: string): void;
  /** Adds an event, as another process does. */
  add(id: string, event: RunEvent): void;
}

interface Entry {
  readonly run: RunId;
  readonly beginning: RunBeginning;
  readonly events: RunEvent[];
  holder: AbortController | undefined;
}

export function createMemoryRuns(): MemoryRuns {
  const entries = new Map<string, Entry>();
  let left = Number.POSITIVE_INFINITY;
  let failure: { readonly moment: number | "hold"; readonly error: Error } | undefined;
  const failOn = (moment: number | "hold"): void => {
    if (failure?.moment !== moment) return;
    const { error } = failure;
    failure = undefined;
    throw error;
  };
  const keyOf = ({ id, tenant }: RunId): string => JSON.stringify([tenant ?? null, id]);
  const entryOf = (id: string): Entry => {
    const found = [...entries.values()].find(({ run }) => run.id === id);
    if (found === undefined) throw new Error(`no run ${id}`);
    return found;
  };
  const requireAlive = (): void => {
    if (left < 0) throw new Error("the process is dead");
  };
  const hold = async (run: RunId, beginning?: RunBeginning): Promise<HeldRun | undefined> => {
    requireAlive();
    await Promise.resolve();
    failOn("hold");
    const known = entries.get(keyOf(run));
    if (known === undefined && beginning === undefined) return undefined;
    const entry = known ?? {
      run,
      beginning: structuredClone(beginning as RunBeginning),
      events: [],
      holder: undefined,
    };
    entries.set(keyOf(run), entry);
    if (entry.holder !== undefined) throw new RunHeld("somebody holds the run");
    const holder = new AbortController();
    entry.holder = holder;
    return {
      run,
      beginning: entry.beginning,
      events: structuredClone(entry.events),
      isNew: known === undefined,
      lost: holder.signal,
      async append(event) {
        await Promise.resolve();
        left -= 1;
        requireAlive();
        failOn(entry.events.length);
        if (entry.holder !== holder) throw new Error("another process holds the run");
        // JSON, as a real store keeps it.
        entry.events.push(JSON.parse(JSON.stringify(event)) as RunEvent);
      },
      async release() {
        requireAlive();
        if (entry.holder === holder) entry.holder = undefined;
      },
    };
  };
  return {
    kind: "memory",
    hold,
    async read(run): Promise<KeptRun | undefined> {
      requireAlive();
      const entry = entries.get(keyOf(run));
      return entry && structuredClone({ run, beginning: entry.beginning, events: entry.events });
    },
    async *list() {},
    prune: async () => 0,
    close: async () => {},
    crashAt: (event) => void (left = event),
    failAt: (moment, error) => void (failure = { moment, error }),
    restart() {
      left = Number.POSITIVE_INFINITY;
      for (const entry of entries.values()) entry.holder = undefined;
    },
    take(id) {
      const entry = entryOf(id);
      entry.holder?.abort();
      entry.holder = undefined;
    },
    eventsOf: (id) =>
      entryOf(id).events.map((each) => ("key" in each ? `${each.type} ${each.key}` : each.type)),
    remove: (id) => void entries.delete(keyOf(entryOf(id).run)),
    add: (id, event) => void entryOf(id).events.push(event),
  };
}
