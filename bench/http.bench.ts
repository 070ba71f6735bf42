/**
 * A tool's HTTP executor against hand-written undici calls that parse JSON and check nothing, over loopback. Ratios of medians from one run:
 * the two take turns, and the middle of several rounds counts.
 */
import { fork } from "node:child_process";
import { Bench } from "tinybench";
import { request } from "undici";
import type * as Executor from "../src/bindings/http/execute.js";

/** What is measured is what is shipped; typed by its source, so that types can be checked before anything is built. */
const built = new URL("../dist/bindings/http/execute.js", import.meta.url).href;
const { closeHttp, credential, http, pick, segment, text } = (await import(
  built
)) as typeof Executor;

const rounds = 7;
const roundMs = 700;

const server = fork(new URL("./loopback-server.ts", import.meta.url), {
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
const url = await new Promise<string>((resolve) => {
  server.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
});

interface Line {
  readonly sku: string;
  readonly quantity: number;
  readonly price: number;
}
const lines: readonly Line[] = [{ sku: "MUG-BLUE", quantity: 2, price: 1200 }];
const token = "bench-token";
const open = (): string => token;

const getOrder = http<{ id: string }, { data: { id: string } }>({
  method: "GET",
  request: (args) => ({
    url: [`${url}/orders/`, segment("/id", args.id)],
    headers: [["Authorization", text("Bearer ", credential("TOKEN"))]],
  }),
  maxResponseBytes: 10_485_760,
  statuses: { "404": "not_found" },
  data: (body) => pick(body, "data"),
});

const createOrder = http<{ customer_id: string; lines: readonly Line[] }, { data: { id: string } }>(
  {
    method: "POST",
    request: (args) => ({
      url: [`${url}/customers/`, segment("/customer_id", args.customer_id), "/orders"],
      headers: [["Authorization", text("Bearer ", credential("TOKEN"))]],
      body: { lines: args.lines.map(({ sku, quantity, price }) => ({ sku, quantity, price })) },
    }),
    idempotencyHeader: "Idempotency-Key",
    maxResponseBytes: 10_485_760,
    statuses: { "409": "conflict" },
    data: (body) => pick(body, "data"),
  },
);

const handGet = async (): Promise<unknown> => {
  const { body } = await request(`${url}/orders/ord_1001`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return body.json();
};
const handPost = async (): Promise<unknown> => {
  const { body } = await request(`${url}/customers/cus_ada/orders`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ lines }),
  });
  return body.json();
};
const attempt = () => ({
  tool: "bench/tool",
  number: 1,
  signal: new AbortController().signal,
  open,
});
const toolGet = (): Promise<unknown> => getOrder.prepare({ id: "ord_1001" }).send(attempt());
const toolPost = (): Promise<unknown> =>
  createOrder.prepare({ customer_id: "cus_ada", lines }).send(attempt());

/** Median milliseconds of a call, by task. */
async function round(
  tasks: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, number>> {
  const bench = new Bench({ time: roundMs, warmupTime: 100 });
  for (const [name, task] of Object.entries(tasks)) bench.add(name, task);
  await bench.run();
  return Object.fromEntries(
    bench.tasks.map(({ name, result }) => {
      if (!("latency" in result)) throw new Error(`${name} failed`);
      return [name, result.latency.p50 ?? Number.NaN];
    }),
  );
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

for (const [name, hand, tool] of [
  ["GET", handGet, toolGet],
  ["POST", handPost, toolPost],
] as const) {
  // The first round compiles and connects; it doesn't count.
  await round({ hand, tool });
  const ratios: number[] = [];
  const handMs: number[] = [];
  const toolMs: number[] = [];
  for (let at = 0; at < rounds; at += 1) {
    // Whoever runs second finds a warmer machine: they take turns at it.
    const turn = at % 2 === 0 ? { hand, tool } : { tool, hand };
    const { hand: a = Number.NaN, tool: b = Number.NaN } = await round(turn);
    handMs.push(a);
    toolMs.push(b);
    ratios.push(b / a);
  }
  console.log(
    `${name}  hand ${median(handMs).toFixed(4)} ms  tool ${median(toolMs).toFixed(4)} ms  ratio ${median(ratios).toFixed(3)}  (${ratios.map((each) => each.toFixed(3)).join(" ")})`,
  );
}

await closeHttp();
server.disconnect();
