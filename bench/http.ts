/**
 * Compares a generated GET and POST with hand-written undici calls that parse JSON and check
 * nothing, over loopback.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime, type Runtime, type RuntimeOptions, shutdown } from "@skillc/runtime";
import { request } from "undici";
import { createOrder, getOrder } from "../generated/order-desk/index.js";
import { compareTasks, type Measurement } from "./measurement.js";

const lines = [{ sku: "MUG-BLUE", quantity: 2, price: 1200 }];
const token = "bench-token";
/** Short turns spread other load on the machine over all tasks alike. */
const rounds = { rounds: 60, roundMs: 80 };
const baseline = "hand-written undici call that parses JSON and checks nothing";

export async function measureHttp(): Promise<readonly Measurement[]> {
  const server = await startServer();
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  const withLedger = runtimeFor(server.url, { directory });
  const without = runtimeFor(server.url, false);
  try {
    return [
      ...(await measure(
        "GET",
        handGet(server.url),
        (runtime) => get(runtime),
        withLedger,
        without,
      )),
      ...(await measure(
        "POST",
        handPost(server.url),
        (runtime) => post(runtime),
        withLedger,
        without,
      )),
    ];
  } finally {
    await withLedger.close();
    await shutdown();
    server.stop();
    rmSync(directory, { recursive: true });
  }
}

async function measure(
  method: string,
  hand: () => Promise<unknown>,
  generated: (runtime: Runtime) => Promise<unknown>,
  withLedger: Runtime,
  without: Runtime,
): Promise<readonly Measurement[]> {
  const tasks = {
    hand,
    "ledger on": () => generated(withLedger),
    "ledger off": () => generated(without),
  };
  const measured = await compareTasks(tasks, rounds);
  return ["ledger on", "ledger off"].map((name) => ({
    name: `generated ${method}, validation, ${name}: p50`,
    value: measured.get(name)?.ratio ?? Number.NaN,
    unit: "×",
    baseline: `${baseline} (${((measured.get("hand")?.ms ?? Number.NaN) * 1000).toFixed(0)} µs)`,
  }));
}

function runtimeFor(url: string, ledger: NonNullable<RuntimeOptions["ledger"]>): Runtime {
  const credentials = { ORDERS_URL: url, ORDERS_TOKEN: token };
  return createRuntime({ credentials, ledger });
}

async function get(runtime: Runtime): Promise<void> {
  const result = await getOrder({ order_id: "ord_1001" }, { runtime });
  if (result.status !== "success") throw new Error(`GET gave ${result.status}`);
}

async function post(runtime: Runtime): Promise<void> {
  const result = await createOrder({ customer_id: "cus_ada", lines }, { runtime });
  if (result.status !== "success") throw new Error(`POST gave ${result.status}`);
}

const handGet = (url: string) => async (): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await request(`${url}/orders/ord_1001`, { headers });
  return body.json();
};

const handPost = (url: string) => async (): Promise<unknown> => {
  const { body } = await request(`${url}/customers/cus_ada/orders`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ lines, note: "created for cus_ada by an agent" }),
  });
  return body.json();
};

/** Starts the server in another process, so that its work is not measured with the client's. */
async function startServer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = fork(new URL("./loopback-server.js", import.meta.url), {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const url = await new Promise<string>((resolve) => {
    server.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
  });
  return { url, stop: () => server.disconnect() };
}
