import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What is used of amqplib's own connection. */
interface Connection {
  open(fields: Fields | undefined, callback: Opened | undefined): void;
  recvFrame?(): unknown;
}

interface Fields {
  /** What it logs in with. */
  readonly response?: unknown;
}

type Opened = (error: unknown, ok?: unknown) => void;

/** Of our connections: amqplib passes each on as the very object that it was given. */
const logins = new WeakSet<object>();

/** By the error of the handshake that it ended. */
const reasons = new WeakMap<Error, string>();

/** What RabbitMQ said when it closed one of our connections in its handshake: `NOT_ALLOWED - vhost x not found`. */
export function closeReasonOf(error: unknown): string | undefined {
  return error instanceof Error ? reasons.get(error) : undefined;
}

let isPatched = false;

/**
 * Takes note of what RabbitMQ says when it closes a connection instead of opening its vhost. amqplib 2.3.1 drops it, whether there is no such vhost or it
 * has no room at the moment; where amqplib is built otherwise, nothing is noted.
 *
 * @param login what the connection logs in with; others are left alone
 */
export function keepCloseReason(login: Buffer): void {
  logins.add(login);
  if (isPatched) return;
  isPatched = true;
  const prototype = connectionPrototype();
  if (typeof prototype?.open !== "function") return;
  const { open } = prototype;
  prototype.open = function (fields, callback) {
    return open.call(this, fields, isOurs(fields) ? keeping(this, callback) : callback);
  };
}

function isOurs(fields: Fields | undefined): boolean {
  const login = fields?.response;
  return isObject(login) && logins.has(login);
}

function connectionPrototype(): Connection | undefined {
  try {
    const require = createRequire(import.meta.url);
    const file = join(dirname(require.resolve("amqplib")), "lib/connection.js");
    // The file's own form, which has no types.
    return (require(file) as { readonly Connection?: { readonly prototype: Connection } })
      .Connection?.prototype;
  } catch {
    return undefined;
  }
}

/** Looks at what comes in until the handshake is over. */
function keeping(connection: Connection, callback: Opened | undefined): Opened | undefined {
  const { recvFrame } = connection;
  if (typeof recvFrame !== "function" || typeof callback !== "function") return callback;
  let reason: string | undefined;
  connection.recvFrame = () => {
    const frame = recvFrame.call(connection);
    reason ??= replyTextIn(frame);
    return frame;
  };
  return (error, ok) => {
    delete connection.recvFrame;
    if (error instanceof Error && reason !== undefined) reasons.set(error, reason);
    callback(error, ok);
  };
}

/** In a handshake only `connection.close` has one. */
function replyTextIn(frame: unknown): string | undefined {
  const fields: unknown = isObject(frame) ? frame["fields"] : undefined;
  const text: unknown = isObject(fields) ? fields["replyText"] : undefined;
  return typeof text === "string" ? text : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
