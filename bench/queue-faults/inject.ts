import { setTimeout as pause } from "node:timers/promises";
import type { Fault, FaultKind } from "./plan.js";
import type { Traffic } from "./publish.js";
import type { Subject } from "./subject.js";

/**
 * Injects one fault after the other until the signal aborts, then restores normal operation.
 * Returns the kinds of the injected faults.
 */
export async function injectFaults(
  { broker, proxy }: Pick<Subject, "broker" | "proxy">,
  faults: readonly Fault[],
  traffic: Traffic,
  signal: AbortSignal,
): Promise<readonly FaultKind[]> {
  const begin: Readonly<Record<FaultKind, () => Promise<void> | void>> = {
    cut: () => proxy.cut(),
    drop: () => proxy.drop(),
    "stall everything": () => proxy.stall("everything"),
    "stall answers": () => proxy.stall("answers"),
    restart: () => broker?.kill(),
  };
  const injected: FaultKind[] = [];
  for (const { delayMs, endsInDrop, kind, lastsMs, quietMs } of faults) {
    await pause(quietMs);
    while (traffic.calls === 0 && !signal.aborted) await pause(1);
    await pause(delayMs);
    if (signal.aborted) break;
    injected.push(kind);
    traffic.isDown = kind === "restart";
    await begin[kind]();
    await pause(lastsMs);
    if (kind === "restart") await broker?.start();
    traffic.isDown = false;
    if (endsInDrop) proxy.drop();
    await proxy.resume();
    traffic.faults += 1;
  }
  return injected;
}
