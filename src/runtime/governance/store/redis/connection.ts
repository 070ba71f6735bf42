/** The one connection of a store to Redis: made when it is needed, and again when it is lost. */
import type { Redis } from "ioredis";
import { connect, createClient } from "../../../redis/client.js";
import { type RedisRequest, errorOfRedis } from "../../../redis/errors.js";
import { readRedisUrl, type RedisSettings } from "../../../redis/url.js";
import { StoreUnavailable } from "../store-unavailable.js";
import { within } from "../within.js";
import type { Script } from "./scripts.js";

/** As much of ioredis' clients, for one server or a cluster, as a store needs. */
export interface RedisClient {
  callBuffer(command: string, args: RedisArgument[]): Promise<unknown>;
}

export type RedisArgument = string | number | Buffer;

/** Where scripts are run. */
export interface RedisConnection {
  /** Undefined while nobody has said how Redis keeps what it confirms. */
  readonly settings: RedisDurability | undefined;
  /**
   * Texts come as buffers.
   *
   * @throws StoreUnavailable
   */
  run(script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown>;
  close(): Promise<void>;
}

/** How Redis keeps what it confirms, as far as it tells. */
export interface RedisDurability {
  readonly appendonly?: string;
  readonly appendfsync?: string;
  readonly "maxmemory-policy"?: string;
}

/** Over an application's own client, which is its own to set up and to close. */
export function borrowClient(client: RedisClient, timeoutMs: number): RedisConnection {
  return {
    settings: undefined,
    run: (script, keys, args) =>
      within(timeoutMs, "Redis", runOn(client, script, keys, args)).catch(asUnavailable),
    close: () => Promise.resolve(),
  };
}

/** @throws UnusableUrl */
export function openConnection(url: string, timeoutMs: number): RedisConnection {
  return new OwnConnection(readRedisUrl(url, process.cwd()), timeoutMs);
}

class OwnConnection implements RedisConnection {
  readonly #to: RedisSettings;
  readonly #timeoutMs: number;
  /** One that is made, or being made. */
  #opening: Promise<Redis> | undefined;
  #open: Redis | undefined;
  /** Operations under way: without any, the connection keeps no process alive. */
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
    // What does not answer is given up: another connection may find a server that does.
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
    // A connection that is still being made can't send QUIT.
    if (open?.status === "ready")
      await within(this.#timeoutMs, "Redis", open.quit()).catch(() => {});
    this.#drop();
  }

  #count(change: number): void {
    this.#running += change;
    const stream = this.#open?.stream;
    // One that is being made is waited for, anyway; one that is gone would remember each time.
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

  /** Connects, logs in, and asks how Redis keeps what it confirms. */
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
    // Redis has not run it yet, since it was started.
    return client.callBuffer("eval", [text, keys.length, ...keys, ...args]);
  }
}

/** Many servers don't let their users ask. */
async function durabilityOf(redis: Redis): Promise<RedisDurability | undefined> {
  const names = ["appendonly", "appendfsync", "maxmemory-policy"] as const;
  const told = await Promise.allSettled(names.map((name) => redis.config("GET", name)));
  const known = told.flatMap((each, at): readonly [string, string][] => {
    const [, value]: readonly unknown[] =
      each.status === "fulfilled" && Array.isArray(each.value) ? each.value : [];
    return typeof value === "string" ? [[names[at] ?? "", value]] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

const operation: RedisRequest = { what: "operation" };

function asUnavailable(error: unknown): never {
  if (error instanceof StoreUnavailable) throw error;
  throw new StoreUnavailable(`Redis can't be asked: ${errorOfRedis(error, operation).message}`);
}
