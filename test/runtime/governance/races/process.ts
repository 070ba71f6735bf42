/**
 * A process of a race. It makes the calls that its parent orders, and reports how each ended.
 * Argument: a `Start`, as JSON.
 */
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { isToolError, type ToolError } from "../../../../src/runtime/errors.js";
import { governance, type GovernanceStore } from "../../../../src/runtime/governance/index.js";
import { createPostgresStore } from "../../../../src/runtime/governance/store/postgres/postgres-store.js";
import { createRedisStore } from "../../../../src/runtime/governance/store/redis/redis-store.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { Params } from "../../example-tool.js";
import { policy, type ToolName, toolOf } from "./policy.js";
import type { ToProvider } from "./provider.js";

export interface Start {
  readonly store: string;
  /** Folder of the ledger that all processes share. */
  readonly ledger: string;
  readonly provider: number;
  readonly readsWithoutStore: "made" | "refused";
}

/** Orders callers to make calls: one call of each caller in every round. */
export interface Order {
  readonly number: number;
  readonly callers: number;
  /** Number of rounds; if absent, the rounds continue until `stop`. */
  readonly rounds?: number;
  readonly tools: readonly ToolName[];
  readonly tenants: readonly string[];
  /** Keys of keyed calls: their prefix and their number. */
  readonly keys: { readonly prefix: string; readonly count: number };
}

export type ToProcess = Order | "stop" | "close";

/** How a call ended. */
export interface End {
  readonly tool: ToolName;
  readonly tenant: string;
  readonly key?: string;
  /** `success`, or the reason, else the code, of its failure. */
  readonly how: string;
  readonly outcome?: ToolError["outcome"];
  /** Id of the call that the answer belongs to. */
  readonly answeredBy?: string;
}

export interface Report {
  readonly number: number;
  readonly ends: readonly End[];
}

const start = JSON.parse(process.argv[2] ?? "") as Start;
const runtime = createRuntime({
  ledger: { directory: start.ledger },
  env: {},
  inherit: false,
  governance: governance({
    policy,
    store: openStore(start.store),
    key: Buffer.alloc(32, 7),
    readsWithoutStore: start.readsWithoutStore,
  }),
});

function openStore(url: string): GovernanceStore {
  const timeoutMs = 5000;
  if (url.startsWith("redis")) return createRedisStore({ server: url, timeoutMs });
  return createPostgresStore({ url, timeoutMs });
}

const provider = connect(start.provider, "127.0.0.1");
const waiting = new Map<string, () => void>();
createInterface({ input: provider }).on("line", (id) => {
  waiting.get(id)?.();
  waiting.delete(id);
});
const write = (what: ToProvider) => void provider.write(`${JSON.stringify(what)}\n`);

/** Parameters of a call. The path contains `tenant/key`. */
const contract = (tool: ToolName) =>
  toolOf(
    tool,
    (id, args: Params, attempt) =>
      new Promise((resolve) => {
        const [tenant = "", key] = args.id.split("/");
        attempt.onAbort(() => {
          waiting.delete(id);
          write({ givenUp: id });
          return "unknown";
        });
        waiting.set(id, () => resolve({ result: { status: "success", data: { by: id } } }));
        write({ id, tool, tenant, ...(tool === "once" && key !== undefined && { key }) });
      }),
  );

let isStopped = false;

async function callOnce(tool: ToolName, tenant: string, key: string): Promise<End> {
  const keyed = tool === "once" ? { key } : {};
  const made = { tool, tenant, ...keyed };
  const id = tool === "once" ? `${tenant}/${key}` : tenant;
  try {
    const result = await callTool(
      contract(tool),
      { id },
      {
        runtime,
        caller: { tenant, subject: "racer" },
        ...(tool === "once" && { idempotencyKey: key }),
      },
    );
    const data = "data" in result ? result.data : undefined;
    const by = typeof data === "object" && data !== null && "by" in data ? String(data.by) : "";
    return { ...made, how: result.status, answeredBy: by };
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { failure, outcome } = error;
    return { ...made, how: "reason" in failure ? failure.reason : failure.code, outcome };
  }
}

async function follow({ callers, keys, number, rounds, tenants, tools }: Order): Promise<Report> {
  const ends: End[] = [];
  const run = async (caller: number): Promise<void> => {
    for (let round = 0; rounds === undefined ? !isStopped : round < rounds; round += 1) {
      const at = caller + callers * round;
      const tool = tools[at % tools.length] ?? "other";
      const tenant = tenants[(at >> 1) % tenants.length] ?? "";
      const end = await callOnce(tool, tenant, `${keys.prefix}${(at * 7) % keys.count}`);
      ends.push(end);
      // The number of callers makes the load, so each may pause.
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)));
  return { number, ends };
}

process.on("message", (told: ToProcess) => {
  if (told === "stop") {
    isStopped = true;
  } else if (told === "close") {
    void runtime
      .close()
      .then(() => runtime.governance?.store.close())
      .then(() => process.exit(0));
  } else {
    isStopped = false;
    void follow(told).then((report) => process.send?.(report));
  }
});
// If the parent is gone, nobody sends `close`.
process.on("disconnect", () => process.exit());
process.send?.("ready");
