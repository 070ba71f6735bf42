/** What is used of libraries that they keep private, held to the libraries themselves: fails on the day that one of them changes. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import type { ChannelModel } from "amqplib";
import { Redis } from "ioredis";
import protobuf from "protobufjs";
import { expect, test } from "vitest";
import { createClient } from "../../../src/bindings/queue/providers/kafka/send/client.js";
import { createSockets } from "../../../src/bindings/queue/providers/kafka/send/sockets.js";
import { AmqplibSocket } from "../../../src/bindings/queue/providers/rabbitmq/send/amqplib-internals.js";
import { hideArguments } from "../../../src/bindings/queue/providers/redis/send/ioredis-internals.js";

test("amqplib's connection has a socket, a heartbeat, and the size of its frames", () => {
  const require = createRequire(import.meta.url);
  const file = join(dirname(require.resolve("amqplib")), "lib/connection.js");
  // amqplib's own, which has no types.
  const { Connection } = require(file) as { readonly Connection: new (stream: object) => object };
  const stream = new PassThrough();
  const connection = new Connection(stream);
  expect(Reflect.get(connection, "frameMax")).toBeTypeOf("number");
  expect(Reflect.get(connection, "startHeartbeater")).toBeTypeOf("function");
  expect(Reflect.get(connection, "stream")).toBe(stream);
  expect(new AmqplibSocket({ connection } as ChannelModel).frameMax).toBe(
    Reflect.get(connection, "frameMax"),
  );
});

test("ioredis asks a client for its description before it prints a command", () => {
  expect(typeof Reflect.get(Redis.prototype, "_getDescription")).toBe("function");
  const redis = hideArguments(new Redis({ lazyConnect: true }));
  const args = ["secret"];
  redis.sendCommand = function () {
    expect(Reflect.get(this, "_getDescription").call(this)).toBe("skillc");
  };
  expect(args.join()).toBe("secret");
  redis.disconnect();
});

test("kafkajs' client takes the repairs", () => {
  const sockets = createSockets({ ms: 1000 }, () => {});
  const settings = { brokers: ["127.0.0.1:1"], clientId: "skillc", createsTopics: false };
  expect(createClient(settings, sockets).isRepaired).toBe(true);
});

test("protobufjs prints the encoder of a message as it did when its text was taken over", () => {
  const { root } = protobuf.parse(
    'syntax = "proto3"; message Order { string id = 1; repeated Line lines = 2; message Line { int32 n = 1; } }',
  );
  const type = root.resolveAll().lookupType("Order");
  expect(protobuf.encoder(type).toString()).toMatchInlineSnapshot(`
    "function (m,w,q){
      if(!w)
      w=Writer.create()
      if(q===undefined)q=0
      if(q>util.recursionLimit)
      throw Error("max depth exceeded")
      if(m.id!=null&&Object.hasOwnProperty.call(m,"id")&&m.id!=="")
      w.uint32(10).string(m.id)
      if(m.lines!=null&&m.lines.length){
      for(var i=0;i<m.lines.length;++i)
      types[1].encode(m.lines[i],w.uint32(18).fork(),q+1).ldelim()
      }
      if(m.$unknowns!=null&&Object.hasOwnProperty.call(m,"$unknowns"))
      for(var i=0;i<m.$unknowns.length;++i)
      w.raw(m.$unknowns[i])
      return w
    }"
  `);
});
