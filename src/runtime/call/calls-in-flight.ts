interface Flights {
  calls: number;
  readonly waiting: (() => void)[];
}

/** Of all runtimes. */
const all: Flights = { calls: 0, waiting: [] };
const flights = new WeakMap<object, Flights>();

let begun = 0;

/** Calls of all runtimes are numbered from 1, in the order in which they begin. */
export function nextCallNumber(): number {
  return (begun += 1);
}

/** That of the call which began last; 0 before the first. */
export function lastCallNumber(): number {
  return begun;
}

/** Counts a call of the runtime; what it returns is to be called once, when the call has ended. */
export function startFlight(runtime: object): () => void {
  let own = flights.get(runtime);
  if (own === undefined) flights.set(runtime, (own = { calls: 0, waiting: [] }));
  own.calls += 1;
  all.calls += 1;
  return () => {
    land(own);
    land(all);
  };
}

function land(group: Flights): void {
  group.calls -= 1;
  if (group.calls === 0) for (const resume of group.waiting.splice(0)) resume();
}

/** Resolves when no call of the runtime, or of any, is under way; undefined if there is none now. */
export function landing(runtime?: object): Promise<void> | undefined {
  const group = runtime === undefined ? all : flights.get(runtime);
  if (group === undefined || group.calls === 0) return undefined;
  return new Promise((resolve) => group.waiting.push(resolve));
}
