/** A server that speaks the protocol of Redis but gives answers that Redis never gives. */
import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf } from "../../../../src/bindings/queue/send/failures.js";
import { openRedis } from "../../../../src/bindings/queue/providers/redis/send/open-redis.js";
import { publishWithin, rejection, startAttempt } from "../support/attempt.js";
import { entryFor } from "../support/redis.js";
import { startTcpServer } from "../support/tcp-server.js";

/** @param answers what the server answers to commands of these names; to every other, OK */
async function startStrange(answers: Readonly<Record<string, string>>) {
  const server = await startTcpServer((socket) => {
    socket.on("data", (data) => {
      for (const [, name = ""] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n/g))
        socket.write(answers[name.toUpperCase()] ?? "+OK\r\n");
    });
  });
  onTestFinished(() => server.close());
  return server.port;
}

async function publishTo(port: number, path = "", idempotencyKey?: string) {
  const broker = openRedis(`redis://127.0.0.1:${port}${path}`);
  onTestFinished(() => broker.close());
  const entry = entryFor("stream", "text", idempotencyKey === undefined ? {} : { idempotencyKey });
  return publishWithin(5000, broker, entry);
}

const answers = [
  ["nil", "$-1\r\n"],
  ["OK", "+OK\r\n"],
  ["a number", ":1\r\n"],
  ["text", "$5\r\nhello\r\n"],
  ["an empty list", "*0\r\n"],
  ["an id and more", "$6\r\n1-1\r\n!\r\n"],
  ["a list of lists", "*1\r\n*1\r\n$3\r\n1-1\r\n"],
] as const;

describe("answer that is not the id of an entry", () => {
  test.each(answers)("%s as the answer to XADD leaves the outcome unknown", async (_, answer) => {
    const port = await startStrange({ XADD: answer });
    const fault = await rejection(publishTo(port));
    expect(failureOf(startAttempt().attempt, "${EVENTS}", fault)).toMatchObject({
      outcome: "unknown",
      failure: {
        code: "PROVIDER.PROTOCOL",
        reason: "the response of Redis to XADD is not the id of an entry",
      },
    });
  });

  test.each(answers)(
    "%s as the answer to the idempotency script leaves the outcome unknown",
    async (_, answer) => {
      const port = await startStrange({ EVALSHA: answer });
      expect(await rejection(publishTo(port, "", randomUUID()))).toHaveProperty(
        "name",
        "UnknownAnswer",
      );
    },
  );

  test("an entry's id becomes the receipt", async () => {
    const port = await startStrange({ XADD: "$3\r\n7-0\r\n", EVALSHA: "*1\r\n$3\r\n6-0\r\n" });
    expect(await publishTo(port)).toEqual({ stream: "stream", id: "7-0" });
    expect(await publishTo(port, "", "k")).toEqual({ stream: "stream", id: "6-0", repeated: true });
  });
});

test("a database gets no message unless the server confirms its selection", async () => {
  const port = await startStrange({ SELECT: "$-1\r\n", XADD: "$3\r\n7-0\r\n" });
  expect(await rejection(publishTo(port, "/3"))).toHaveProperty(
    "message",
    "Redis did not answer OK to SELECT",
  );
});

test.each(answers.filter(([name]) => name !== "OK"))(
  "a login that the server answers with %s instead of OK gets no message",
  async (_, answer) => {
    const port = await startStrange({ AUTH: answer, XADD: "$3\r\n7-0\r\n" });
    const broker = openRedis(`redis://ann:hunter2@127.0.0.1:${port}`);
    onTestFinished(() => broker.close());
    const fault = await rejection(publishWithin(5000, broker, entryFor("stream", "text", {})));
    expect(fault).toHaveProperty("message", "Redis did not answer OK to AUTH");
    const failed = failureOf(startAttempt().attempt, "${EVENTS}", fault);
    expect(failed).toMatchObject({ outcome: "not-done" });
    expect(JSON.stringify(failed)).not.toContain("hunter2");
  },
);

test("an unreadable size limit stops no message", async () => {
  const port = await startStrange({ CONFIG: "$-1\r\n", XADD: "$3\r\n7-0\r\n" });
  expect(await publishTo(port)).toEqual({ stream: "stream", id: "7-0" });
});
