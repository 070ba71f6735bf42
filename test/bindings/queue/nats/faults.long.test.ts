/**
 * Faults of NATS and of the connection: every call ends, and the next call finds the restored
 * server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openNats } from "../../../../src/bindings/queue/providers/nats/send/open-nats.js";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { publishWithin, rejection, startAttempt, TimedOut } from "../support/attempt.js";
import { writeCertificate } from "../support/certificate.js";
import { keptAliveBy } from "../support/exits.js";
import { muteServer } from "../support/mute-server.js";
import { messageTo, startNats, type TestNats, withNats } from "../support/nats.js";
import { type Proxy, startProxy } from "../support/proxy.js";
import { startSwallower } from "../support/swallower.js";

withNats("a NATS server that fails", () => {
  let nats: TestNats;
  let proxy: Proxy;
  let broker: ReturnType<typeof openNats>;
  beforeAll(async () => {
    nats = await startNats();
    await nats.addStream("S", ["s.>"], { storage: "file" });
    proxy = await startProxy({ port: nats.port });
    broker = openNats(`nats://127.0.0.1:${proxy.port}`);
  });
  afterEach(() => proxy.resume());
  afterAll(async () => {
    await broker.close();
    await proxy.close();
    await nats.close();
  });
  const publish = (subject: string, timeoutMs = 5000) =>
    publishWithin(timeoutMs, broker, messageTo(subject, "x"));

  test("a mute server fails the call as unavailable before the attempt ends", async () => {
    const mute = await muteServer();
    const own = openNats(`nats://127.0.0.1:${mute.port}`);
    const error = await rejection(publishWithin(1000, own, messageTo("s.a", "x")));
    expect(error).toEqual(new LostBroker("ETIMEDOUT", "not-done"));
    await own.close();
    await mute.close();
  });

  test("a lost acknowledgement leaves the outcome of the message unknown", async () => {
    const swallower = await startSwallower(nats.port, /H?PUB s\.lost/);
    const own = openNats(`nats://127.0.0.1:${swallower.port}`);
    const error = await rejection(publishWithin(1500, own, messageTo("s.lost", "x")));
    expect([new LostBroker("connection lost"), new TimedOut(1500, "unknown")]).toContainEqual(
      error,
    );
    await own.close();
    await swallower.close();
    expect((await nats.messages("S")).map(({ subject }) => subject)).toContain("s.lost");
  });

  test("a cut connection leaves waiting messages unknown, and the next call gets another connection", async () => {
    await publish("s.before");
    proxy.stall();
    const waiting = rejection(publish("s.cut"));
    await new Promise(setImmediate);
    await proxy.cut();
    expect(await waiting).toMatchObject({ name: "LostBroker", outcome: "unknown" });
    await proxy.resume();
    expect(await publish("s.after")).toMatchObject({ stream: "S" });
  });

  test("a server that acknowledges nothing in time leaves the outcome of the message unknown", async () => {
    await publish("s.before");
    proxy.stall();
    expect(await rejection(publish("s.stalled", 300))).toEqual(new TimedOut(300, "unknown"));
  });

  test("a call that gives up while the connection opens has sent nothing", async () => {
    const mute = await muteServer();
    const own = openNats(`nats://127.0.0.1:${mute.port}`);
    const { attempt, end } = startAttempt(5000);
    const call = rejection(own.publish(messageTo("s.never", "x"), attempt));
    expect(end(new Error("aborted"))).toBe("not-done");
    expect(await call).toEqual(new LostBroker("aborted", "not-done"));
    await own.close();
    await mute.close();
  });

  test("a server that was killed and restarted accepts the next message", async () => {
    await publish("s.before");
    await nats.kill();
    expect(await rejection(publish("s.while"))).toMatchObject({ name: "LostBroker" });
    await nats.start();
    expect(await publish("s.back")).toMatchObject({ stream: "S" });
  });

  test("close waits for messages under way, but not beyond its deadline", async () => {
    const own = openNats(nats.url);
    const sent = publishWithin(5000, own, messageTo("s.closing", "x"));
    await own.close();
    expect(await sent).toMatchObject({ stream: "S" });
    const stalled = openNats(`nats://127.0.0.1:${proxy.port}`);
    await publishWithin(5000, stalled, messageTo("s.open", "x"));
    proxy.stall();
    const call = rejection(publishWithin(60_000, stalled, messageTo("s.late", "x")));
    await new Promise(setImmediate);
    const late = new AbortController();
    const closed = stalled.close(late.signal);
    late.abort();
    expect(await call).toMatchObject({ name: "LostBroker", outcome: "unknown" });
    await closed;
  });

  test("a client without a connection and a call reports that once", async () => {
    let idle = 0;
    const own = openNats(nats.url, ".", () => {
      idle += 1;
    });
    await publishWithin(5000, own, messageTo("s.idle", "x"));
    expect(idle).toBe(0);
    await own.close();
    await vi.waitFor(() => expect(idle).toBe(1));
  });

  test("a process with nothing left to do ends after it has published", async () => {
    expect(await keptAliveBy("nats", nats.url, "s.exit")).toEqual([]);
  });
});

withNats("NATS with TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-nats-tls-"));
  let nats: TestNats;
  beforeAll(async () => {
    const { ca, key } = writeCertificate(folder);
    nats = await startNats([`tls { cert_file: "${ca}", key_file: "${key}" }`]);
    await nats.addStream("S", ["s"]);
  });
  afterAll(async () => {
    await nats.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const at = (scheme: string, query = "") =>
    openNats(`${scheme}://127.0.0.1:${nats.port}${query}`, folder);
  const publish = (broker: ReturnType<typeof openNats>) =>
    publishWithin(5000, broker, messageTo("s", "x")).finally(() => broker.close());

  test("a certificate of the URL's authority is trusted, and any certificate with tls=insecure", async () => {
    expect(await publish(at("tls", "?ca=cert.pem&servername=queue.test"))).toMatchObject({
      seq: 1,
    });
    expect(await publish(at("tls", "?tls=insecure"))).toMatchObject({ seq: 2 });
  });

  test("an untrusted certificate is rejected before anything is sent", async () => {
    expect(await rejection(publish(at("tls")))).toMatchObject({
      reason: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/) as string,
      outcome: "not-done",
    });
  });

  test("a URL without TLS gets no connection to a server that requires TLS", async () => {
    expect(await rejection(publish(at("nats")))).toMatchObject({ outcome: "not-done" });
  });
});
