/** The ledger of a process that was killed in the middle of writes. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LedgerVerification } from "../../src/runtime/index.js";
import { loaderArgs } from "../support/node-loader.js";

const writer = fileURLToPath(new URL("./order-writer.ts", import.meta.url));
const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

interface Plan {
  readonly orders: number;
  readonly inFlight: number;
  /** The child is killed when the service has received so many. */
  readonly killAt: number;
}

interface Story {
  readonly folder: string;
  readonly signal: NodeJS.Signals | null;
  /** References of the orders, as each side saw them. */
  readonly started: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
  readonly received: ReadonlySet<string>;
  readonly replied: ReadonlySet<string>;
}

/** A service that keeps what it received and what it has replied to. It calls `kill` with a request, and replies to nothing any more. */
async function countingService(killAt: number, kill: () => void) {
  const received = new Set<string>();
  const replied = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    // `IncomingMessage` gives buffers unless an encoding is set.
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { reference, lines } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    received.add(reference);
    if (received.size === killAt) kill();
    // Replies overtake each other.
    await new Promise((resolve) => setTimeout(resolve, Number(reference) % 4));
    if (received.size >= killAt) return;
    const order = { id: reference, customer_id: "cus_load", status: "open", lines, total: 8900 };
    replied.add(reference);
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: { ...order, created_at: "2026-01-01T00:00:00Z" } }));
  }).on("clientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, replied };
}

async function writeAndDie({ orders, inFlight, killAt }: Plan): Promise<Story> {
  const folder = mkdtempSync(join(tmpdir(), "skillc-kill-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let child: ChildProcess | undefined;
  const service = await countingService(killAt, () => child?.kill("SIGKILL"));
  // A file takes what the child tells at full speed, and keeps it when the child is killed.
  const told = openSync(join(folder, "told"), "a");
  const args = [folder, service.url, `${orders}`, `${inFlight}`];
  child = spawn(process.execPath, [...loaderArgs, writer, ...args], {
    stdio: ["ignore", told, "inherit"],
  });
  closeSync(told);
  await once(child, "close");
  const lines = readFileSync(join(folder, "told"), "utf8").split("\n");
  const after = (word: string) =>
    new Set(lines.flatMap((line) => (line.startsWith(word) ? [line.slice(word.length + 1)] : [])));
  return {
    folder,
    signal: child.signalCode,
    started: after("started"),
    answered: after("answered"),
    received: service.received,
    replied: service.replied,
  };
}

/** What stands in the ledger's files, read without any of its code: which orders have which record, and the calls' ids. */
function rawRecords(folder: string) {
  const ledger = join(folder, ".skillc/ledger");
  const begun = new Map<string, string>();
  const ended = new Set<string>();
  for (const file of readdirSync(ledger)) {
    const lines = readFileSync(join(ledger, file), "utf8").split("\n").slice(0, -1);
    for (const line of lines) {
      const record = JSON.parse(line);
      if (record.type === "begin") begun.set(record.parameters.reference, record.id);
      if (record.type === "end") ended.add(record.parameters.reference);
    }
  }
  return { begun, ended };
}

async function verify(folder: string): Promise<LedgerVerification> {
  // Rejects when it exits with anything but 0: then it did not pass.
  const { stdout } = await new Promise<{ stdout: string }>((resolve, reject) => {
    execFile(
      process.execPath,
      [bin, "ledger", "verify", "--json", "--cwd", folder],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, out) => (error ? reject(error) : resolve({ stdout: out })),
    );
  });
  return JSON.parse(stdout);
}

const without = (all: Iterable<string>, others: { has(each: string): boolean }) =>
  [...all].filter((each) => !others.has(each));

function expectNothingLost(plan: Plan, story: Story, found: LedgerVerification): void {
  const { begun, ended } = rawRecords(story.folder);
  expect(found.records).toBe(begun.size + ended.size);
  const unknown = new Set(found.unknownOutcomes.map((each) => each.id));
  const referenceOf = new Map([...begun].map(([reference, id]) => [id, reference]));

  // Exactly the calls that began and did not end.
  const expected = without(begun.keys(), ended).map((reference) => begun.get(reference) ?? "");
  expect([...unknown].toSorted()).toEqual(expected.toSorted());
  // Whatever reached the service is in the ledger; nothing is there that was not started.
  expect(without(story.received, begun)).toEqual([]);
  expect(without(begun.keys(), story.started)).toEqual([]);
  // Known outcomes are true: the service replied. Every reply that the caller was given is known.
  expect(without(ended, story.replied)).toEqual([]);
  expect(without(story.answered, ended)).toEqual([]);
  // What the service had not replied to is unknown; what the caller was given is not.
  const unknownReferences = new Set([...unknown].map((id) => referenceOf.get(id) ?? id));
  const unanswered = without(story.received, story.replied);
  expect(unanswered.length).toBeGreaterThan(0);
  expect(without(unanswered, unknownReferences)).toEqual([]);
  expect([...unknownReferences].filter((each) => story.answered.has(each))).toEqual([]);
  expect(unknown.size).toBeLessThanOrEqual(plan.inFlight);
  expect(found.unknownOutcomes.every((each) => each.writer === "gone")).toBe(true);
}

const between = (low: number, high: number) => low + Math.floor(Math.random() * (high - low));

describe("kill -9", () => {
  test("leaves a valid ledger in the middle of 10,000 writes, which lists exactly the calls with unknown outcome", async () => {
    const plan = { orders: 10_000, inFlight: 32, killAt: between(4000, 6000) };
    const story = await writeAndDie(plan);
    expect(story.signal).toBe("SIGKILL");
    const found = await verify(story.folder);
    expect(found).toMatchObject({ problems: [], problemsLeftOut: 0 });
    expectNothingLost(plan, story, found);
  }, 60_000);

  test.each([between(1, 4), between(4, 60), between(60, 250), between(250, 400)])(
    "leaves such a ledger after %i of 400 writes too",
    async (killAt) => {
      const plan = { orders: 400, inFlight: 8, killAt };
      const story = await writeAndDie(plan);
      expect(story.signal).toBe("SIGKILL");
      const found = await verify(story.folder);
      expect(found).toMatchObject({ problems: [], problemsLeftOut: 0 });
      expectNothingLost(plan, story, found);
    },
  );
});
