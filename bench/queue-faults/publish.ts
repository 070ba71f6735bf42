import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isToolError, type Runtime } from "@skillc/runtime";
import type { Burst } from "./plan.js";
import type { SubjectTool } from "./subject.js";

/** A finished call and its end. */
export interface Published {
  readonly id: string;
  readonly tool: SubjectTool;
  readonly ms: number;
  readonly end: End;
}

export type End =
  | { readonly kind: "resolved"; readonly status: string }
  | { readonly kind: "rejected"; readonly code: string; readonly outcome: string }
  /** The call did not end within its limit and `patienceMs`. */
  | { readonly kind: "hung" };

/** State that callers and faults share. */
export interface Traffic {
  /** Number of calls under way. */
  calls: number;
  /** True while the broker's process is not running. */
  isDown: boolean;
  /** Number of faults that are over. */
  faults: number;
}

/** Extra time to wait for a call beyond its limit, in milliseconds. */
const patienceMs = 30_000;

/** Factor by which a caller's pause grows after each burst with a failure, up to `maxRest`. */
const growth = 2;
const maxRest = 4;

export interface Publishing {
  /** Number of concurrent callers. */
  readonly callers: number;
  readonly runtime: Runtime;
  /** Updated during the run. */
  readonly traffic: Traffic;
}

/** Makes the calls of all bursts. */
export async function publishAll(
  tools: readonly SubjectTool[],
  bursts: Iterable<Burst>,
  { callers, runtime, traffic }: Publishing,
): Promise<readonly Published[]> {
  const all: Published[] = [];
  const next = bursts[Symbol.iterator]();
  const publish = async () => {
    let rest = 1;
    for (let turn = next.next(); !turn.done; turn = next.next()) {
      const { tools: chosen, pauseMs } = turn.value;
      const calls = chosen.flatMap((each) => tools[each] ?? []);
      traffic.calls += calls.length;
      const ended = await Promise.all(calls.map((tool) => publishOne(tool, runtime)));
      traffic.calls -= calls.length;
      all.push(...ended);
      const isWell = ended.every(({ end }) => end.kind === "resolved");
      rest = isWell ? 1 : Math.min(rest * growth, maxRest);
      await pause(pauseMs * rest);
      // Wait for a restart, which can take many seconds on a busy machine. Otherwise most calls
      // would fail because of it.
      if (!isWell) while (traffic.isDown) await pause(1);
    }
  };
  await Promise.all(Array.from({ length: callers }, publish));
  return all;
}

async function publishOne(tool: SubjectTool, runtime: Runtime): Promise<Published> {
  const id = randomUUID();
  const began = performance.now();
  const giveUp = new AbortController();
  const end = await Promise.race([
    endOf(tool, id, runtime),
    pause(tool.limitMs + patienceMs, { kind: "hung" } as const, { signal: giveUp.signal }),
  ]);
  const ms = performance.now() - began;
  giveUp.abort();
  return { id, tool, ms, end };
}

/** @throws any error that is no `ToolError` */
async function endOf(tool: SubjectTool, id: string, runtime: Runtime): Promise<End> {
  try {
    const { status } = await tool.call(id, { runtime, trace: id });
    return { kind: "resolved", status };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { kind: "rejected", code: error.code, outcome: error.outcome };
  }
}
