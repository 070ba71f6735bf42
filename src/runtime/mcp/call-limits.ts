/** Limits how many calls a server makes at once, so that no caller takes the place of others. */
import { type Leave, OriginTraffic } from "../http/origin-traffic.js";
import { type Owner, ownerDigest } from "./owner.js";

/** Maximum number of calls at once: of one caller, and of all callers. */
const maxOfCaller = 50;
const maxOfAll = 500;
/** Maximum number of calls of one caller that are made or wait. */
const longestLine = 1000;

/** The caller has too many calls that wait. */
export class TooManyCalls extends Error {
  override readonly name = "TooManyCalls";
}

/** Places for calls. Further calls wait for one, in the order of their arrival. */
export interface CallLimits {
  /**
   * Waits for a place.
   *
   * @returns a function that frees the place; call it once
   * @throws TooManyCalls if too many calls of the caller wait; also the signal's reason
   */
  enter(owner: Owner, signal: AbortSignal): Promise<Leave>;
}

interface Line {
  readonly traffic: OriginTraffic;
  length: number;
}

/** Makes the places of a server. */
export function callLimits(): CallLimits {
  const all = new OriginTraffic({ concurrency: maxOfAll });
  const lines = new Map<string, Line>();
  return {
    async enter(owner, signal) {
      const key = ownerDigest(owner);
      const line = lines.get(key) ?? newLine();
      if (line.length >= longestLine) throw new TooManyCalls("too many calls at once");
      lines.set(key, line);
      line.length += 1;
      const left = (): void => {
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      };
      try {
        const leaveOwn = await line.traffic.enter({ signal });
        const leaveAll = await all.enter({ signal }).catch((error: unknown) => {
          leaveOwn();
          throw error;
        });
        return () => {
          leaveAll();
          leaveOwn();
          left();
        };
      } catch (error) {
        left();
        throw error;
      }
    },
  };
}

function newLine(): Line {
  return { traffic: new OriginTraffic({ concurrency: maxOfCaller }), length: 0 };
}
