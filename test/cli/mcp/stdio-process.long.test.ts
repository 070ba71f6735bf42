/** `skillc mcp` over standard input and output, as a process. */
import { describe, expect, test } from "vitest";
import {
  ledgerOf,
  servedProjects,
  type ServedProcess,
  startHeldService,
  startMcp,
} from "./served-project.js";

const projectOf = servedProjects();

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request for a call. */
function call(id: number, name: string, args: Readonly<Record<string, string>>): string {
  const params = { name, arguments: args, _meta: meta };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

const say = (id: number, how = "say") => call(id, "desk__say", { text: "hello", how });

/** Reads each line of stdout as JSON. */
function messages({ output }: ServedProcess): readonly { readonly id?: number }[] {
  const lines = output.stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as { readonly id?: number });
}

async function answered(served: ServedProcess, id: number): Promise<void> {
  await served.has("stdout", `"id":${id}`);
}

describe("a handler over stdio", () => {
  test("prints to stderr, also while it is loaded, and stdout has messages alone", async () => {
    const served = startMcp(projectOf(), []);
    served.child.stdin.write(say(1, "print"));
    await answered(served, 1);
    served.child.stdin.end();
    expect(await served.exited).toBe(0);
    const { stderr } = served.output;
    for (const text of ["printed while loading", "printed hello", "written hello", "│ 'hello' │"])
      expect(stderr).toContain(text);
    expect(messages(served).map(({ id }) => id)).toEqual([1]);
  });

  test("may forget a promise that fails, or throw, and the server goes on", async () => {
    const served = startMcp(projectOf(), []);
    served.child.stdin.write(say(1, "forget"));
    await answered(served, 1);
    await served.has("stderr", "no handler caught it: Error: forgotten hello");
    served.child.stdin.write(say(2, "throw"));
    await answered(served, 2);
    served.child.stdin.write(say(3));
    await answered(served, 3);
    served.child.stdin.end();
    expect(await served.exited).toBe(0);
    const texts = messages(served).map((message) => JSON.stringify(message));
    expect(texts[0]).toContain("success");
    expect(texts[1]).toContain('"isError":true');
    expect(texts[2]).toContain("success");
  });
});

describe("bad input over stdio", () => {
  test("malformed lines change nothing for the next call", async () => {
    const served = startMcp(projectOf(), []);
    const lines = [
      "hello",
      '{"jsonrpc":"2.0"',
      "[]",
      "null",
      "",
      "\u0000\u001b[2J",
      '{"jsonrpc":"1.0","id":9,"method":"tools/list"}',
      '{"__proto__":{"jsonrpc":"2.0"},"id":9}',
      "[".repeat(100_000),
      '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    ];
    served.child.stdin.write(`${lines.join("\n")}\n${say(1)}`);
    await answered(served, 1);
    served.child.stdin.end();
    expect(await served.exited).toBe(0);
    expect(JSON.stringify(messages(served).at(-1))).toContain("success");
    // Terminals obey escapes.
    expect(served.output.stderr).not.toContain("\u001b[2J");
  });

  test("a line of 50 MB ends the server, which says why", async () => {
    const root = projectOf();
    const served = startMcp(root, []);
    served.child.stdin.write(say(1));
    await answered(served, 1);
    served.child.stdin.write("a".repeat(50_000_000));
    expect(await served.exited).toBe(0);
    expect(served.output.stderr).toMatch(/error: .*(?:exceed|large|maximum|size)/i);
    expect(messages(served).map(({ id }) => id)).toEqual([1]);
  });
});

describe("a write over stdio", () => {
  async function startWrite() {
    const service = await startHeldService();
    const root = projectOf();
    const served = startMcp(root, [], { ORDERS_URL: service.url });
    served.child.stdin.write(call(1, "desk__place-order", { note: "tea" }));
    const order = await service.next();
    const records = () => ledgerOf(root).filter(({ type }) => type === "begin" || type === "end");
    return { order, records, served };
  }

  test("a write whose client closes its end is recorded as unknown", async () => {
    const { order, records, served } = await startWrite();
    served.child.stdin.end();
    await order.closed;
    expect(await served.exited).toBe(0);
    expect(records()).toEqual([
      expect.objectContaining({ type: "begin" }),
      expect.objectContaining({ type: "end", status: "unknown" }),
    ]);
  });

  test("a write that goes on at SIGTERM ends, and is answered", async () => {
    const { order, records, served } = await startWrite();
    served.child.kill("SIGTERM");
    order.answer();
    await answered(served, 1);
    expect(await served.exited).toBe(0);
    expect(records()).toEqual([
      expect.objectContaining({ type: "begin" }),
      expect.objectContaining({ type: "end", status: "success" }),
    ]);
  });
});
