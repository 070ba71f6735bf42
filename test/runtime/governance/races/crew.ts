/** Starts the processes of a race, gives them orders, and collects their reports. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { loaderArgs } from "../../../support/node-loader.js";
import type { End, Order, Report, Start, ToProcess } from "./process.js";

const file = fileURLToPath(new URL("./process.ts", import.meta.url));

export interface Member {
  /** Resolves when all of its calls have ended. */
  order(order: Omit<Order, "number">): Promise<readonly End[]>;
  stop(): void;
  /** Stops the process at once, like a crash. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

interface GivenOrder {
  readonly resolve: (ends: readonly End[]) => void;
  readonly reject: (error: Error) => void;
}

export async function startMember(start: Start): Promise<Member> {
  const child = fork(file, [JSON.stringify(start)], { execArgv: [...loaderArgs] });
  const orders = new Map<number, GivenOrder>();
  await once(child, "message");
  child.on("message", ({ ends, number }: Report) => {
    orders.get(number)?.resolve(ends);
    orders.delete(number);
  });
  child.once("exit", () => {
    for (const { reject } of orders.values()) reject(new Error("a process of the race is gone"));
  });
  let count = 0;
  const tell = (what: ToProcess) => void child.send(what);
  return {
    order: (order) =>
      new Promise((resolve, reject) => {
        count += 1;
        orders.set(count, { resolve, reject });
        tell({ ...order, number: count });
      }),
    stop: () => tell("stop"),
    kill: () => ended(child, () => child.kill("SIGKILL")),
    close: () => ended(child, () => tell("close")),
  };
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  end();
  await exit;
}

/** Gives all members the order at once. */
export async function orderAll(
  crew: readonly Member[],
  order: Omit<Order, "number">,
): Promise<readonly End[]> {
  return (await Promise.all(crew.map((each) => each.order(order)))).flat();
}
