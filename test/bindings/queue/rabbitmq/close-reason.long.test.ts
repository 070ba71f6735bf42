/** Reason with which RabbitMQ closes a connection in its handshake. amqplib does not pass it on. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { readRabbitmqUrl } from "../../../../src/bindings/queue/providers/rabbitmq/send/rabbitmq-url.js";
import { closeReason } from "../../../../src/bindings/queue/providers/rabbitmq/send/close-reason.js";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { rejection } from "../support/attempt.js";
import { muteServer } from "../support/mute-server.js";
import { startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";

const login = Buffer.from("\0guest\0guest");

withRabbitmq("reason for a closed handshake of RabbitMQ", () => {
  let rabbitmq: TestRabbitmq;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq();
  });
  afterAll(() => rabbitmq.close());
  const { signal } = new AbortController();
  const settings = (path: string) => readRabbitmqUrl(`${rabbitmq.url}${path}`, ".");

  test("the error for a missing vhost names the reason", async () => {
    expect(await rejection(connectRabbitmq(settings("/nowhere"), signal))).toEqual(
      new RejectedMessage("RabbitMQ has no such vhost (NOT_ALLOWED)"),
    );
  });

  test("returns RabbitMQ's own words, also for a name that is percent-encoded", async () => {
    expect(await closeReason(settings("/no%20where"), login, signal)).toBe(
      "NOT_ALLOWED - vhost no where not found",
    );
  });

  test("returns nothing for a vhost that opens", async () => {
    expect(await closeReason(settings(""), login, signal)).toBeUndefined();
  });

  test("returns nothing if no server answers or listens, or the caller gives up", async () => {
    const mute = await muteServer();
    const silent = readRabbitmqUrl(`amqp://127.0.0.1:${mute.port}`, ".");
    expect(await closeReason(silent, login, AbortSignal.abort())).toBeUndefined();
    expect(await closeReason(silent, login, signal)).toBeUndefined();
    await mute.close();
    expect(await closeReason(silent, login, signal)).toBeUndefined();
  });
});
