/** Calls that share a broker's client, and the lifetime of the client. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { brokerAt, closeQueues } from "../../../src/bindings/queue/send/brokers.js";
import { json } from "../../../src/bindings/queue/execute.js";
import { openKafka } from "../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { nats } from "../../../src/bindings/queue/providers/nats/runtime.js";
import { openNats } from "../../../src/bindings/queue/providers/nats/send/open-nats.js";
import { openRabbitmq } from "../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { openRedis } from "../../../src/bindings/queue/providers/redis/send/open-redis.js";
import { kafka } from "../../../src/bindings/queue/providers/kafka/runtime.js";
import { rabbitmq } from "../../../src/bindings/queue/providers/rabbitmq/runtime.js";
import { redis as toRedis } from "../../../src/bindings/queue/providers/redis/runtime.js";
import type { Broker } from "../../../src/bindings/queue/send/broker.js";
import type { Open } from "../../../src/bindings/queue/send/provider.js";
import { LostBroker } from "../../../src/bindings/queue/send/failures.js";
import { shutdown } from "../../../src/runtime/shutdown.js";
import { stopClock } from "../../support/stopped-clock.js";
import { publishWithin, rejection, startAttempt } from "./support/attempt.js";
import { keptAliveBy } from "./support/exits.js";
import { writeCertificate } from "./support/certificate.js";
import { startProxy } from "./support/proxy.js";
import { entryFor, startRedis, type TestRedis, withRedis } from "./support/redis.js";
import { freePort } from "./support/server-process.js";

afterEach(() => closeQueues());

const opens = {
  kafka: async (...where: Parameters<typeof openKafka>) => openKafka(...where),
  nats: async (...where: Parameters<typeof openNats>) => openNats(...where),
  rabbitmq: async (...where: Parameters<typeof openRabbitmq>) => openRabbitmq(...where),
  redis: async (...where: Parameters<typeof openRedis>) => openRedis(...where),
} satisfies Readonly<Record<string, Open<Broker<never, object>>>>;

/** A place for each of them. */
const place = { topic: "t", subject: "s", stream: "s", exchange: "", routingKey: "q" };

const opensFor = (provider: keyof typeof opens): Open<Broker<typeof place, object>> =>
  opens[provider];

const common = { connection: "EVENTS", encode: json() };
const message = {};

/** A tool of each provider. */
const bindings = {
  kafka: kafka({ ...common, publish: () => ({ target: { topic: "t" }, message }) }),
  nats: nats({ ...common, publish: () => ({ target: { subject: "s" }, message }) }),
  rabbitmq: rabbitmq({
    ...common,
    publish: () => ({ target: { exchange: "", routing_key: "q" }, message }),
  }),
  redis: toRedis({ ...common, publish: () => ({ target: { stream: "s" }, message }) }),
};

describe("client of a broker", () => {
  const schemes = { kafka: "kafka", nats: "nats", rabbitmq: "amqp", redis: "redis" };
  const tlsSchemes = { kafka: "kafkas", nats: "tls", rabbitmq: "amqps", redis: "rediss" };

  test.each(["kafka", "nats", "rabbitmq", "redis"] as const)(
    "calls share a client by URL, and by folder only if the URL may name files: %s",
    async (provider) => {
      const url = `${tlsSchemes[provider]}://127.0.0.1:1/`;
      const at = (query: string, folder: string) =>
        brokerAt(opensFor(provider), url + query, folder);
      expect(await at("", "/a")).toBe(await at("", "/b"));
      expect(await at("?tls=insecure", "/a")).toBe(await at("?tls=insecure", "/a"));
      expect(await at("?tls=insecure", "/a")).not.toBe(await at("?tls=insecure", "/b"));
    },
  );

  test.each(["kafka", "nats", "rabbitmq", "redis"] as const)(
    "a call that is aborted while its client loads has sent nothing: %s",
    async (provider) => {
      const url = `${schemes[provider]}://127.0.0.1:${await freePort()}`;
      const { attempt, end } = startAttempt();
      const prepared = bindings[provider].prepare({}, { id: "1", toolId: "desk/tell" });
      const published = prepared.send({ ...attempt, open: () => url });
      expect(end(new Error("aborted"))).toBe("not-done");
      expect(await rejection(published)).toMatchObject({ code: "PROVIDER.UNAVAILABLE" });
    },
  );

  test.each(["kafka", "nats", "rabbitmq", "redis"] as const)(
    "a client without a connection and a call is forgotten: %s",
    async (provider) => {
      const port = await freePort();
      const url = `${schemes[provider]}://127.0.0.1:${port}`;
      const message = { ...place, body: Buffer.from("x"), contentType: "text/plain", headers: [] };
      const first = await brokerAt(opensFor(provider), url, ".");
      const [one, other] = [1, 2].map(() => publishWithin(5000, first, message));
      for (const each of [one, other]) await rejection(each ?? Promise.resolve());
      await pause(10);
      expect(await brokerAt(opensFor(provider), url, ".")).not.toBe(first);
    },
  );
});

withRedis("shutdown", () => {
  test("shutdown ends calls under way at its deadline, and nothing keeps the connection open", async () => {
    vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const redis = await startRedis();
    const proxy = await startProxy({ port: redis.port });
    const broker = await brokerAt(opens.redis, `redis://127.0.0.1:${proxy.port}`, ".");
    await publishWithin(5000, broker, entryFor("s", "x"));
    proxy.stall();
    stopClock();
    const call = rejection(publishWithin(60_000, broker, entryFor("s", "y")));
    const over = shutdown({ deadlineMs: 200 });
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toEqual(new LostBroker("connection lost", "unknown"));
    await over;
    vi.useRealTimers();
    await proxy.close();
    await redis.close();
  });
});

withRedis("certificates", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-tls-"));
  let redis: TestRedis;
  let url: string;
  let insecure: string;
  beforeAll(async () => {
    for (const each of ["own", "other", "used"]) mkdirSync(join(folder, each));
    const { ca, key } = writeCertificate(join(folder, "own"));
    writeCertificate(join(folder, "other"));
    const tlsPort = await freePort();
    const tls = ["--tls-cert-file", ca, "--tls-key-file", key, "--tls-ca-cert-file", ca];
    redis = await startRedis([...tls, "--tls-port", `${tlsPort}`, "--tls-auth-clients", "no"]);
    url = `rediss://127.0.0.1:${tlsPort}/?ca=cert.pem&servername=queue.test`;
    insecure = `rediss://127.0.0.1:${tlsPort}/?tls=insecure`;
  });
  afterAll(async () => {
    await redis.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const publishFrom = async (directory: string) =>
    publishWithin(
      5000,
      await brokerAt(opens.redis, url, join(folder, directory)),
      entryFor("s", "x"),
    );
  const untrusted = { reason: expect.stringMatching(/SELF_SIGNED_CERT$/) as string };

  test("a runtime reads certificates from its own folder, whichever runtime connected first", async () => {
    expect(await publishFrom("own")).toHaveProperty("id");
    expect(await rejection(publishFrom("other"))).toMatchObject(untrusted);
    expect(await publishFrom("own")).toHaveProperty("id");
  });

  test("a connection with certificates does not keep the process alive", async () => {
    expect(await keptAliveBy("redis", insecure, "exit")).toEqual([]);
  });

  test("each new connection reads the certificates again", async () => {
    const used = join(folder, "used/cert.pem");
    copyFileSync(join(folder, "own/cert.pem"), used);
    const broker = await brokerAt(opens.redis, url, join(folder, "used"));
    const publish = () => publishWithin(5000, broker, entryFor("s", "x"));
    await publish();
    copyFileSync(join(folder, "other/cert.pem"), used);
    await publish();
    await redis.side.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await pause(50);
    expect(await rejection(publish())).toMatchObject(untrusted);
    writeFileSync(used, "");
    expect(await rejection(publish())).toMatchObject({
      name: "UnusableUrl",
      message: "has a `ca` without a certificate (PEM)",
    });
  });
});
