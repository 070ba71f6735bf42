/** A publisher whose channel no longer accepts a message, or never accepted it. */
import { type ChannelModel, type ConfirmChannel, connect } from "amqplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelHost } from "../../../../src/bindings/queue/providers/rabbitmq/send/publish-channel.js";
import {
  ObservedLimits,
  RejectedKeys,
} from "../../../../src/bindings/queue/providers/rabbitmq/send/deliveries.js";
import { ExchangePublisher } from "../../../../src/bindings/queue/providers/rabbitmq/send/exchange-publisher.js";
import { messageOf } from "../../../../src/bindings/queue/providers/rabbitmq/send/message.js";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { publishWithin, rejection } from "../support/attempt.js";
import { messageFor, startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";

withRabbitmq("a publisher", () => {
  let rabbitmq: TestRabbitmq;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq();
    await rabbitmq.side((channel) => channel.assertQueue("lane"));
  });
  afterAll(() => rabbitmq.close());
  const bodies = async () =>
    (await rabbitmq.drain("lane")).map(({ content }) => content.toString());

  test("a message that the client can't encode is rejected alone, and its error does not quote it", async () => {
    const broker = openRabbitmq(rabbitmq.url);
    // No header of a tool's is anything but text.
    const headers = [["x", (() => "s3cret") as unknown as string]] as const;
    const publish = (text: string, more = {}) =>
      publishWithin(5000, broker, messageFor("lane", text, more));
    const all = Array.from({ length: 20 }, (_, at) => publish(`${at}`));
    const refusal = rejection(publish("never", { headers }));
    expect(await refusal).toEqual(
      new RejectedMessage("the message contains data that AMQP can't carry"),
    );
    expect(await Promise.all([...all, publish("20")])).toHaveLength(21);
    expect(await bodies()).toEqual(Array.from({ length: 21 }, (_, at) => `${at}`));
    await broker.close();
  });

  /** A publisher of a connection, and the channels that it opened. */
  function laneOf(connection: ChannelModel) {
    const channels: ConfirmChannel[] = [];
    const host: ChannelHost = {
      isBlocked: false,
      hidden: [],
      createChannel: async (options) => {
        const channel = await connection.createConfirmChannel(options);
        channels.push(channel);
        return channel;
      },
      sent: () => {},
      asked: () => {},
      answered: () => {},
      exhausted: () => {},
    };
    const publisher = new ExchangePublisher(host, new ObservedLimits(new RejectedKeys()), {
      oneByOne: false,
    });
    const publish = (text: string) =>
      new Promise((resolve, reject) => {
        publisher.add({ message: messageOf(messageFor("lane", text), 4096), resolve, reject });
      });
    return { channels, publish };
  }

  test("a message for a closed channel goes over another channel", async () => {
    const connection = await connect(rabbitmq.url);
    const { channels, publish } = laneOf(connection);
    await publish("before");
    const lost = rejection(publish("lost"));
    const closed = channels[0]?.close();
    const after = publish("after");
    expect(await lost).toMatchObject({ reason: "connection lost", outcome: "unknown" });
    expect(await after).toMatchObject({ delivery_tag: 1 });
    await closed;
    await publish("last");
    expect(channels).toHaveLength(2);
    expect(await bodies()).toEqual(["before", "lost", "after", "last"]);
    await connection.close();
  });

  test("a message for a closed connection was not sent", async () => {
    const connection = await connect(rabbitmq.url);
    const { publish } = laneOf(connection);
    await publish("before");
    const closed = connection.close();
    expect(await rejection(publish("never"))).toMatchObject({ outcome: "not-done" });
    await closed;
    expect(await bodies()).toEqual(["before"]);
  });
});
