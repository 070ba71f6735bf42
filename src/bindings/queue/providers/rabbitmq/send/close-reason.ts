import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { whenAborted } from "../../../send/deadline.js";
import type { RabbitmqSettings } from "./rabbitmq-url.js";

/** The answer only improves the error message, so don't wait longer for it. */
const askMs = 2000;

/** Methods of AMQP 0-9-1's class `connection`, by their numbers. */
const method = { start: 10, startOk: 11, tune: 30, tuneOk: 31, open: 40, openOk: 41, close: 50 };

const connectionClass = 10;
const methodFrame = 1;
const frameEnd = 0xce;

/** Size of type, channel and size, which precede the payload. One byte follows the payload. */
const headBytes = 7;

/**
 * Asks why RabbitMQ closes a connection instead of opening its vhost: `NOT_ALLOWED - vhost x not
 * found`. amqplib drops this text, so a second handshake asks again, and stops if the vhost opens.
 *
 * @param login the response of the mechanism PLAIN
 * @returns undefined if the vhost opens now, or RabbitMQ gives no reason
 */
export function closeReason(
  settings: RabbitmqSettings,
  login: Buffer,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = open(settings);
    let read: Buffer = Buffer.alloc(0);
    const end = (reason?: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reason);
    };
    const timer = setTimeout(() => end(), askMs);
    whenAborted(signal, () => end());
    socket.on("error", () => end()).on("close", () => end());
    socket.on("data", (bytes) => {
      read = Buffer.concat([read, bytes]);
      for (let payload = firstPayload(read); payload !== undefined; payload = firstPayload(read)) {
        read = read.subarray(headBytes + payload.length + 1);
        const number = payload.length < 4 ? undefined : payload.readUInt16BE(2);
        if (number === method.close) return end(shortText(payload, 6));
        if (number === method.start) socket.write(startOk(login));
        else if (number === method.tune) socket.write(tunedAndOpen(payload, settings));
        else return end();
      }
    });
    socket.write("AMQP\0\0\x09\x01", "latin1");
  });
}

function open({ connect, tls }: RabbitmqSettings): Socket {
  const { hostname: host = "localhost", port, protocol } = connect;
  return protocol === "amqps"
    ? connectTls({ ...tls, host, port: port ?? 5671 })
    : connectTcp({ host, port: port ?? 5672 });
}

/** Returns the payload of the first frame, once it is complete. */
function firstPayload(read: Buffer): Buffer | undefined {
  if (read.length < headBytes) return undefined;
  const size = read.readUInt32BE(3);
  return read.length > headBytes + size ? read.subarray(headBytes, headBytes + size) : undefined;
}

function startOk(login: Buffer): Buffer {
  const noProperties = Buffer.alloc(4);
  const response = Buffer.alloc(4);
  response.writeUInt32BE(login.length);
  return frame(method.startOk, noProperties, short("PLAIN"), response, login, short("en_US"));
}

/** Accepts the server's limits, without a heartbeat. */
function tunedAndOpen(tune: Buffer, { connect }: RabbitmqSettings): Buffer {
  const limits = tune.subarray(4, 10);
  const vhost = decodeURIComponent(connect.vhost ?? "/");
  const nothing = Buffer.alloc(2);
  return Buffer.concat([
    frame(method.tuneOk, limits, nothing),
    frame(method.open, short(vhost), nothing),
  ]);
}

function frame(number: number, ...fields: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(headBytes + 4);
  head.writeUInt8(methodFrame, 0);
  head.writeUInt32BE(4 + fields.reduce((sum, { length }) => sum + length, 0), 3);
  head.writeUInt16BE(connectionClass, headBytes);
  head.writeUInt16BE(number, headBytes + 2);
  return Buffer.concat([head, ...fields, Buffer.from([frameEnd])]);
}

/** Encodes AMQP's short string: its length, then its bytes. */
function short(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 255);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function shortText(payload: Buffer, at: number): string | undefined {
  return payload.length > at
    ? payload.subarray(at + 1, at + 1 + payload.readUInt8(at)).toString()
    : undefined;
}
