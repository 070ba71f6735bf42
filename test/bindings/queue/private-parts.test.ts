/**
 * skillc uses private parts of some libraries. These tests fail on the day that a library changes
 * such a part.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { format } from "node:util";
import type { ChannelModel } from "amqplib";
import { Redis } from "ioredis";
import protobuf from "protobufjs";
import { expect, onTestFinished, test } from "vitest";
import { emptyRoot, parseText } from "../../../src/bindings/queue/protobuf/parse-text.js";
import { isOpenEnum } from "../../../src/bindings/queue/protobuf/protobufjs-internals.js";
import { createClient } from "../../../src/bindings/queue/providers/kafka/send/client.js";
import { createSockets } from "../../../src/bindings/queue/providers/kafka/send/sockets.js";
import { AmqplibSocket } from "../../../src/bindings/queue/providers/rabbitmq/send/amqplib-internals.js";
import { hideArguments } from "../../../src/runtime/redis/ioredis-internals.js";

const require = createRequire(import.meta.url);
const connectionFile = join(dirname(require.resolve("amqplib")), "lib/connection.js");
// amqplib's own, which has no types.
const { Connection } = require(connectionFile) as {
  readonly Connection: new (stream: object) => object;
};

test("amqplib's connection has a socket, a heartbeat, and the size of its frames", () => {
  const stream = new PassThrough();
  const connection = new Connection(stream);
  expect(Reflect.get(connection, "frameMax")).toBeTypeOf("number");
  expect(Reflect.get(connection, "startHeartbeater")).toBeTypeOf("function");
  expect(Reflect.get(connection, "stream")).toBe(stream);
  expect(new AmqplibSocket({ connection } as ChannelModel).frameMax).toBe(
    Reflect.get(connection, "frameMax"),
  );
});

test("amqplib's heartbeat has two timers, which stop keeping the process alive", () => {
  const connection = new Connection(new PassThrough());
  Reflect.set(connection, "heartbeat", 10);
  const heartbeater: unknown = Reflect.get(connection, "startHeartbeater").call(connection);
  if (typeof heartbeater !== "object" || heartbeater === null) throw new Error("no heartbeat");
  onTestFinished(() => Reflect.get(heartbeater, "clear").call(heartbeater));
  Reflect.set(connection, "heartbeater", heartbeater);
  // Node's timers, which the test asks what they are.
  const timers = ["sendTimer", "recvTimer"].map(
    (name) => Reflect.get(heartbeater, name) as Partial<NodeJS.Timeout>,
  );
  expect(timers.map((timer) => timer.hasRef?.())).toEqual([true, true]);
  expect(new AmqplibSocket({ connection } as ChannelModel)).toHaveProperty("frameMax");
  expect(timers.map((timer) => timer.hasRef?.())).toEqual([false, false]);
});

test("ioredis asks a client for its description before it prints a command", async () => {
  // The package that ioredis prints with, as far as the test needs it.
  const debug = createRequire(require.resolve("ioredis"))("debug") as {
    enable(names: string): void;
    disable(): string;
    log(...printed: readonly unknown[]): void;
  };
  const printed: string[] = [];
  const { log } = debug;
  debug.log = (...each) => void printed.push(format(...each));
  debug.enable("ioredis:redis");
  onTestFinished(() => {
    debug.disable();
    debug.log = log;
  });
  const redis = hideArguments(new Redis({ lazyConnect: true, retryStrategy: () => null }));
  redis.on("error", () => {});
  const answer = redis.auth("s3cret").catch(() => {});
  redis.disconnect();
  await answer;
  expect(printed.join("\n")).toMatch(/queue command\[skillc\].* auth\(.*hidden/);
  expect(printed.join("\n")).not.toContain("s3cret");
});

test("kafkajs' client accepts the repairs", () => {
  const sockets = createSockets({ ms: 1000 }, () => {});
  const settings = { brokers: ["127.0.0.1:1"], clientId: "skillc", createsTopics: false };
  expect(createClient(settings, sockets).isRepaired).toBe(true);
});

test("protobufjs records if an enum is open", () => {
  const enumOf = (syntax: string) =>
    isOpenEnum(parsed(`syntax = "${syntax}"; enum Kind { A = 0; }`).lookupEnum("Kind"));
  expect([enumOf("proto2"), enumOf("proto3")]).toEqual([false, true]);
});

test("protobufjs skips extensions of unknown messages", () => {
  const root = emptyRoot();
  parseText("extend Other { optional int32 extra = 100; } message Order {}", root);
  expect(root.deferred).toHaveLength(0);
  root.resolveAll();
  expect(root.lookupType("Order").fieldsArray).toEqual([]);
});

function parsed(text: string): protobuf.Root {
  const { root } = protobuf.parse(text);
  root.resolveAll();
  return root;
}

test("protobufjs still prints the encoder of a message in the copied form", () => {
  const root = parsed(
    'syntax = "proto3"; message Order { string id = 1; repeated Line lines = 2; message Line { int32 n = 1; } }',
  );
  const type = root.lookupType("Order");
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
