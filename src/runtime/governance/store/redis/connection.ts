/** A store's single connection to Redis. It connects on first use, and again after a loss. */
import type { Redis } from "ioredis";
import { connect, createClient } from "../../../redis/client.js";
import { type RedisRequest, errorOfRedis } from "../../../redis/errors.js";
import { readRedisUrl, type RedisSettings } from "../../../redis/url.js";
import { StoreUnavailable } from "../store-unavailable.js";
import { within } from "../within.js";
import type { Script } from "./scripts.js";

/** The part of ioredis' clients, for one server or a cluster, that a store needs. */
export interface RedisClient {
  callBuffer(command: string, args: RedisArgument[]): Promise<unknown>;
}

export type RedisArgument = string | number | Buffer;

/** Runs scripts. */
export interface RedisConnection {
  /** Durability settings of the server; undefined while unknown. */
  readonly settings: RedisDurability | undefined;
  /**
   * Runs a script. Texts in the result are buffers.
   *
   * @throws StoreUnavailable if Redis can't be reached or fails
   */
  run(script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Durability settings of Redis, as far as it reports them. */
export interface RedisDurability {
  readonly appendonly?: string;
  readonly appendfsync?: string;
  readonly "maxmemory-policy"?: string;
}

/** Wraps an application's own client. The application configures and closes the client. */
export function borrowClient(client: RedisClient, timeoutMs: number): RedisConnection {
  return {
    settings: undefined,
    run: (script, keys, args) =>
      within(timeoutMs, "Redis", runOn(client, script, keys, args)).catch(asUnavailable),
    close: () => Promise.resolve(),
  };
}

/**
 * Opens a connection.
 *
 * @throws UnusableUrl if the URL is not valid
 */
export function openConnection(url: string, timeoutMs: number): RedisConnection {
  return new OwnConnection(readRedisUrl(url, process.cwd()), timeoutMs);
}

class OwnConnection implements RedisConnection {
  readonly #to: RedisSettings;
  readonly #timeoutMs: number;
  /** The current connection, or the attempt to connect. */
  #opening: Promise<Redis> | undefined;
  #open: Redis | undefined;
  /**
   * Number of operations in progress. If there are none, the connection doesn't keep the process
   * alive.
   */
  #running = 0;
  #isClosed = false;
  settings: RedisDurability | undefined;

  constructor(to: RedisSettings, timeoutMs: number) {
    this.#to = to;
    this.#timeoutMs = timeoutMs;
  }

  async run(
    script: Script,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
    this.#count(1);
    // Drop a connection that doesn't answer, because a new one may reach a working server.
    const giveUp = () => this.#drop();
    try {
      const work = this.#connected().then((redis) => runOn(redis, script, keys, args));
      return await within(this.#timeoutMs, "Redis", work, giveUp);
    } catch (error) {
      return asUnavailable(error);
    } finally {
      this.#count(-1);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#open;
    // A connection that is not ready can't send QUIT.
    if (open?.status === "ready")
      await within(this.#timeoutMs, "Redis", open.quit()).catch(() => {});
    this.#drop();
  }

  #count(change: number): void {
    this.#running += change;
    const stream = this.#open?.stream;
    // A connecting socket keeps the process alive anyway; a destroyed one would collect listeners.
    if (stream === undefined || stream.connecting || stream.destroyed) return;
    if (this.#running > 0) stream.ref();
    else stream.unref();
  }

  #drop(): void {
    this.#open?.disconnect();
    this.#open = undefined;
    this.#opening = undefined;
  }

  #connected(): Promise<Redis> {
    if (this.#opening !== undefined) return this.#opening;
    const redis = createClient(this.#to);
    this.#open = redis;
    const opening = this.#connect(redis);
    this.#opening = opening;
    const forget = () => {
      if (this.#open === redis) this.#drop();
    };
    redis.once("end", forget);
    opening.catch(forget);
    return opening;
  }

  /** Connects, logs in, and reads the durability settings. */
  async #connect(redis: Redis): Promise<Redis> {
    await connect(redis, this.#to);
    this.settings = await durabilityOf(redis);
    return redis;
  }
}

async function runOn(
  client: RedisClient,
  { digest, text }: Script,
  keys: readonly string[],
  args: readonly RedisArgument[],
): Promise<unknown> {
  try {
    return await client.callBuffer("evalsha", [digest, keys.length, ...keys, ...args]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    // Redis doesn't know the script, for example after a restart.
    return client.callBuffer("eval", [text, keys.length, ...keys, ...args]);
  }
}

/** Reads the durability settings; undefined if the server doesn't allow that, as many don't. */
async function durabilityOf(redis: Redis): Promise<RedisDurability | undefined> {
  const names = ["appendonly", "appendfsync", "maxmemory-policy"] as const;
  const replies = await Promise.allSettled(names.map((name) => redis.config("GET", name)));
  const known = replies.flatMap((each, at): readonly [string, string][] => {
    const [, value]: readonly unknown[] =
      each.status === "fulfilled" && Array.isArray(each.value) ? each.value : [];
    return typeof value === "string" ? [[names[at] ?? "", value]] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

const operation: RedisRequest = { what: "operation" };

function asUnavailable(error: unknown): never {
  if (error instanceof StoreUnavailable) throw error;
  throw new StoreUnavailable(
    `the governance store failed: ${errorOfRedis(error, operation).message}`,
  );
}
