/**
 * The parts of pg that it doesn't document, asked on the wire: each of these fails on the day that
 * a version of pg changes what we rely on.
 */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import * as pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  cancelOnServer,
  closeSocket,
  isConnectTimeout,
  onceClosed,
  onSetting,
  runExchange,
  whyNoLogin,
} from "../../../src/runtime/postgres/pg-internals.js";

const PROTOCOL = 196_608;
const CANCEL = 80_877_102;
const TLS = 80_877_103;

const int = (value: number, bytes = 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
};
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int(body.length + 4), body]);
};

const setting = (name: string, value: string) => message("S", text(name), text(value));
const ready = message("Z", Buffer.from("I"));
const loggedIn = [message("R", int(0)), setting("TimeZone", "UTC"), message("K", int(7), int(9))];
const rowOfOne = message(
  "T",
  int(1, 2),
  text("n"),
  int(0),
  int(0, 2),
  int(23),
  int(4, 2),
  int(-1),
  int(0, 2),
);
const failed = message(
  "E",
  Buffer.from("S"),
  text("ERROR"),
  Buffer.from("C"),
  text("42P01"),
  Buffer.from("M"),
  text("gibt es nicht"),
  Buffer.from([0]),
);

let server: Server;
let clients: pg.Client[];
/** What clients sent after their first message, a text for each piece that arrived. */
let pieces: string[];
/** First messages that were no login: their code, and what came with it. */
let requests: number[][];
let onLogin: (socket: Socket) => void;
let answer: readonly Buffer[];

beforeEach(async () => {
  [clients, pieces, requests, answer] = [[], [], [], [ready]];
  onLogin = (socket) => socket.write(Buffer.concat([...loggedIn, ready]));
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (first) => {
      const code = first.readInt32BE(4);
      if (code === PROTOCOL) onLogin(socket);
      else if (code === TLS) socket.end("N");
      else {
        requests.push([code, first.readInt32BE(8), first.readInt32BE(12)]);
        socket.end();
      }
      socket.on("data", (piece) => {
        pieces.push(piece.toString("latin1"));
        socket.write(Buffer.concat(answer));
      });
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});

afterEach(async () => {
  for (const client of clients) closeSocket(client);
  server.close();
  await once(server, "close");
});

function newClient(options: pg.ClientConfig = {}): pg.Client {
  const { port } = server.address() as AddressInfo;
  const client = new pg.Client({ host: "127.0.0.1", port, user: "u", database: "d", ...options });
  client.on("error", () => {});
  clients.push(client);
  return client;
}

test("an exchange leaves in one piece, and its answers arrive one by one", async () => {
  const client = newClient();
  await client.connect();
  answer = [
    message("1"),
    message("t", int(1, 2), int(25)),
    rowOfOne,
    message("2"),
    message("D", int(1, 2), int(2), Buffer.from("41")),
    message("C", text("SELECT 1")),
    message("s"),
    ready,
  ];
  const heard: unknown[] = [];
  await runExchange(client, {
    write(to) {
      to.parse({ text: "SELECT 41" });
      to.describe({ type: "S" });
      to.bind({ values: ["x", null] });
      to.execute({ rows: 3 });
      to.sync();
    },
    parameterTypes: (oids) => heard.push(["parameters", ...oids]),
    fields: (fields) => heard.push(fields.map(({ name, dataTypeID }) => [name, dataTypeID])),
    row: (values) => heard.push(values),
    complete: (tag) => heard.push(tag),
  });
  expect(pieces).toHaveLength(1);
  expect(pieces[0]).toMatch(/^P.+SELECT 41.+D.+B.+E.+S.{4}$/s);
  expect(heard).toEqual([["parameters", 25], [["n", 23]], ["41"], "SELECT 1", ""]);
});

test("an exchange that fails rejects with pg's error, and the next one runs", async () => {
  const client = newClient();
  await client.connect();
  const write = (to: { sync(): void }) => to.sync();
  answer = [failed, ready];
  await expect(runExchange(client, { write })).rejects.toMatchObject({
    code: "42P01",
    severity: "ERROR",
  });
  answer = [ready];
  await expect(runExchange(client, { write })).resolves.toBeUndefined();
});

test("the types of one exchange's parameters don't reach another", async () => {
  const client = newClient();
  await client.connect();
  const heard: (readonly number[])[] = [];
  const exchange = {
    write: (to: { sync(): void }) => to.sync(),
    parameterTypes: (oids: readonly number[]) => heard.push(oids),
  };
  await runExchange(client, exchange);
  answer = [message("t", int(1, 2), int(20)), ready];
  await runExchange(client, exchange);
  expect(heard).toEqual([[20]]);
});

test("settings are heard from the login on", async () => {
  const client = newClient();
  const heard: string[] = [];
  onSetting(client, (name, value) => heard.push(`${name}=${value}`));
  await client.connect();
  answer = [setting("TimeZone", "Europe/Zurich"), ready];
  await runExchange(client, { write: (to) => to.sync() });
  expect(heard).toEqual(["TimeZone=UTC", "TimeZone=Europe/Zurich"]);
});

test("a request to cancel names the process and the key of the login", async () => {
  const client = newClient();
  await client.connect();
  await cancelOnServer(pg, client, 10_000);
  expect(requests).toEqual([[CANCEL, 7, 9]]);
});

test("a socket that is closed ends the connection", async () => {
  const client = newClient();
  await client.connect();
  const closed = new Promise<void>((resolve) => onceClosed(client, resolve));
  closeSocket(client);
  await expect(closed).resolves.toBeUndefined();
});

test("a server without TLS is recognized", async () => {
  const thrown = await newClient({ ssl: true }).connect().catch(String);
  expect(whyNoLogin(new Error(String(thrown)))).toMatch(/server doesn't offer/);
});

test("a login without the password that the server asks for is recognized", async () => {
  onLogin = (socket) =>
    socket.write(message("R", int(10), text("SCRAM-SHA-256"), Buffer.from([0])));
  answer = [message("R", int(11), Buffer.from("r=nonce,s=c2FsdA==,i=4096"))];
  const thrown: unknown = await newClient()
    .connect()
    .catch((error: unknown) => error);
  expect(whyNoLogin(thrown)).toMatch(/has no password/);
});

test("a server that speaks no SCRAM of ours is recognized", async () => {
  onLogin = (socket) => socket.write(message("R", int(10), text("SCRAM-9"), Buffer.from([0])));
  const thrown: unknown = await newClient({ password: "secret" })
    .connect()
    .catch((error: unknown) => error);
  expect(whyNoLogin(thrown)).toMatch(/SASL/);
});

test("a server that is silent at the login is recognized", async () => {
  onLogin = () => {};
  const thrown: unknown = await newClient({ connectionTimeoutMillis: 20 })
    .connect()
    .catch((error: unknown) => error);
  expect(isConnectTimeout(thrown)).toBe(true);
});
