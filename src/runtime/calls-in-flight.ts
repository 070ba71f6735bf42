interface Flights {
  calls: number;
  readonly waiting: (() => void)[];
}

const flights = new WeakMap<object, Flights>();

/** Counts a call of the runtime; what it returns is to be called once, when the call has ended. */
export function startFlight(runtime: object): () => void {
  const own = flights.get(runtime) ?? { calls: 0, waiting: [] };
  flights.set(runtime, own);
  own.calls += 1;
  return () => {
    own.calls -= 1;
    if (own.calls === 0) for (const resume of own.waiting.splice(0)) resume();
  };
}

/** Runs the action when no call of the runtime is under way: at once if there is none. */
export function whenIdle(runtime: object, action: () => void): void {
  const own = flights.get(runtime);
  if (own === undefined || own.calls === 0) action();
  else own.waiting.push(action);
}
