import { LostBroker } from "../faults.js";
import { requestMs } from "./client.js";

/** Connections are made anew this often before an answer is given up. */
const mostResets = 3;

/** Limits for work of kafkajs, some of which never ends when its connection does. */
export interface Patience {
  within<Value>(work: () => Promise<Value>): Promise<Value>;
  /** To be called now and then. */
  check(): void;
  /** Work under way fails now, and none is begun any more. */
  end(reason: string): void;
}

interface Work {
  readonly fail: (error: Error) => void;
  resetAt: number;
  resets: number;
}

/** @param reset ends all connections, in a way that kafkajs notices */
export function createPatience(reset: () => void): Patience {
  const underWay = new Set<Work>();
  let ended: LostBroker | undefined;
  return {
    within: (begin) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const work = { fail: reject, resetAt: performance.now() + requestMs, resets: 0 };
        underWay.add(work);
        const over = () => underWay.delete(work);
        const begun = begin();
        begun.then(over, over);
        begun.then(resolve, reject);
      }),
    check() {
      const now = performance.now();
      const late = [...underWay].filter(({ resetAt }) => resetAt <= now);
      if (late.length > 0) reset();
      for (const work of late) {
        work.resetAt = now + requestMs;
        work.resets += 1;
        if (work.resets > mostResets) work.fail(new LostBroker("ETIMEDOUT"));
      }
    },
    end(reason) {
      ended ??= new LostBroker(reason);
      for (const { fail } of underWay) fail(ended);
    },
  };
}
