/** What RabbitMQ says when it closes a connection in its handshake, which amqplib doesn't pass on. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { connect } from "amqplib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { closeReasonOf } from "../../../../src/bindings/queue/providers/rabbitmq/send/amqplib-internals.js";
import {
  connectRabbitmq,
  readRabbitmqUrl,
} from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { LostBroker, RefusedMessage } from "../../../../src/bindings/queue/send/faults.js";
import { rejection } from "../support/attempt.js";
import { startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";

interface Frame {
  readonly fields?: { readonly replyText?: unknown };
}

interface Receiving {
  recvFrame: (this: Receiving) => Frame | false;
}

const require = createRequire(import.meta.url);
const file = join(dirname(require.resolve("amqplib")), "lib/connection.js");
// amqplib's own, which has no types.
const { Connection } = require(file) as { readonly Connection: new () => Receiving };
// A class's prototype is an instance's.
const prototype = Connection.prototype as Receiving;
const { recvFrame } = prototype;

withRabbitmq("why RabbitMQ closed a handshake", () => {
  let rabbitmq: TestRabbitmq;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq();
  });
  afterEach(() => {
    prototype.recvFrame = recvFrame;
  });
  afterAll(() => rabbitmq.close());
  const open = (path: string) =>
    connectRabbitmq(readRabbitmqUrl(`${rabbitmq.url}${path}`, "."), new AbortController().signal);

  test("is known of our own connections", async () => {
    expect(await rejection(open("/nowhere"))).toEqual(
      new RefusedMessage("RabbitMQ has no such vhost (NOT_ALLOWED)"),
    );
  });

  test("is not looked for in others, whatever they are called", async () => {
    const error = await rejection(
      connect(`${rabbitmq.url}/nowhere`, { clientProperties: { connection_name: "skillc" } }),
    );
    expect(error.message).toMatch(/^Expected ConnectionOpenOk; got <ConnectionClose/);
    expect(closeReasonOf(error)).toBeUndefined();
  });

  test("leaves nothing behind on a connection", async () => {
    const model = await open("");
    expect(model.connection).toBeInstanceOf(Connection);
    expect(Object.hasOwn(model.connection, "recvFrame")).toBe(false);
    await model.close();
  });

  test("is not known when amqplib's frames are others: then it may pass", async () => {
    prototype.recvFrame = function () {
      const frame = recvFrame.call(this);
      if (frame === false || frame.fields?.replyText === undefined) return frame;
      return { ...frame, fields: { ...frame.fields, replyText: undefined } };
    };
    expect(await rejection(open("/nowhere"))).toEqual(new LostBroker("the vhost was refused"));
  });
});
