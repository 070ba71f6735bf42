/** RabbitMQ over TLS. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { publishWithin, rejection } from "../support/attempt.js";
import { writeCertificate } from "../support/certificate.js";
import { messageFor, startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";
import { freePort, until, isListening } from "../support/server-process.js";

withRabbitmq("a RabbitMQ with TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-tls-"));
  let rabbitmq: TestRabbitmq;
  let tlsPort: number;
  beforeAll(async () => {
    const { ca, key } = writeCertificate(folder);
    tlsPort = await freePort();
    rabbitmq = await startRabbitmq([
      `listeners.ssl.1 = 127.0.0.1:${tlsPort}`,
      `ssl_options.cacertfile = ${ca}`,
      `ssl_options.certfile = ${ca}`,
      `ssl_options.keyfile = ${key}`,
    ]);
    await until("the port for TLS", () => isListening(tlsPort));
    await rabbitmq.side((channel) => channel.assertQueue("tls"));
  });
  afterAll(async () => {
    await rabbitmq.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const publishTo = async (query: string, scheme = "amqps") => {
    const broker = openRabbitmq(`${scheme}://127.0.0.1:${tlsPort}?${query}`, folder);
    try {
      return await publishWithin(5000, broker, messageFor("tls", "x"));
    } finally {
      await broker.close();
    }
  };

  test("the certificate must match the name and the authority of the URL", async () => {
    expect(await publishTo("ca=cert.pem&servername=queue.test")).toHaveProperty("delivery_tag");
    expect(await publishTo("tls=insecure")).toHaveProperty("delivery_tag");
    const untrusted = await rejection(publishTo(""));
    expect(String(untrusted)).toMatch(/^LostBroker: (DEPTH_ZERO_)?SELF_SIGNED_CERT$/);
    const misnamed = await rejection(publishTo("ca=cert.pem"));
    expect(String(misnamed)).toBe("LostBroker: ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await rabbitmq.drain("tls")).toHaveLength(2);
  });

  test("a server that requires TLS rejects a URL without TLS", async () => {
    const error = await rejection(publishTo("", "amqp"));
    expect(error.name).toBe("LostBroker");
  });
});
