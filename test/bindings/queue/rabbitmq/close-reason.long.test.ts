/**
 * What RabbitMQ says when it closes a connection in its handshake, which amqplib doesn't pass on.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { readRabbitmqUrl } from "../../../../src/bindings/queue/providers/rabbitmq/send/rabbitmq-url.js";
import { closeReason } from "../../../../src/bindings/queue/providers/rabbitmq/send/close-reason.js";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { rejection } from "../support/attempt.js";
import { muteServer } from "../support/mute-server.js";
import { startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";

const login = Buffer.from("\0guest\0guest");

withRabbitmq("why RabbitMQ closed a handshake", () => {
  let rabbitmq: TestRabbitmq;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq();
  });
  afterAll(() => rabbitmq.close());
  const { signal } = new AbortController();
  const settings = (path: string) => readRabbitmqUrl(`${rabbitmq.url}${path}`, ".");

  test("is told of a vhost that is not there", async () => {
    expect(await rejection(connectRabbitmq(settings("/nowhere"), signal))).toEqual(
      new RejectedMessage("RabbitMQ has no such vhost (NOT_ALLOWED)"),
    );
  });

  test("is in RabbitMQ's own words, also of a name that is percent-encoded", async () => {
    expect(await closeReason(settings("/no%20where"), login, signal)).toBe(
      "NOT_ALLOWED - vhost no where not found",
    );
  });

  test("is nothing for a vhost that opens", async () => {
    expect(await closeReason(settings(""), login, signal)).toBeUndefined();
  });

  test("is nothing where nobody answers, nobody listens, or the caller waits no longer", async () => {
    const mute = await muteServer();
    const silent = readRabbitmqUrl(`amqp://127.0.0.1:${mute.port}`, ".");
    expect(await closeReason(silent, login, AbortSignal.abort())).toBeUndefined();
    expect(await closeReason(silent, login, signal)).toBeUndefined();
    await mute.close();
    expect(await closeReason(silent, login, signal)).toBeUndefined();
  });
});
