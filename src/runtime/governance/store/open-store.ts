/**
 * Opens the store of `store:` in skillc.yaml for the command line. Applications create their own
 * stores.
 */
import { ifMissing } from "../../call/missing-package.js";
import type { GovernanceStore } from "./store.js";

/**
 * Opens a store.
 *
 * @param url `redis://…`, `rediss://…`, `postgres://…` or `postgresql://…`; its query may contain
 * the store's option `namespace` or `schema`
 * @throws TypeError for another URL, UnusableUrl if the URL is not valid; no message quotes the URL
 * @throws MissingPackage if the driver is not installed
 */
export async function openGovernanceStore(url: string): Promise<GovernanceStore> {
  const scheme = /^\s*(rediss?|postgres(?:ql)?):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined)
    throw new TypeError("the store of governance must be a `redis://` or `postgres://` URL");
  if (scheme.startsWith("redis")) {
    const { createRedisStore } = await import("./redis/redis-store.js").catch(ifMissing("ioredis"));
    const [server, namespace] = withoutOption(url, "namespace");
    return createRedisStore({ server, ...(namespace !== undefined && { namespace }) });
  }
  const { createPostgresStore } = await import("./postgres/postgres-store.js").catch(
    ifMissing("pg"),
  );
  const [server, schema] = withoutOption(url, "schema");
  return createPostgresStore({ url: server, ...(schema !== undefined && { schema }) });
}

/** Creates the tables of a PostgreSQL store; undefined for Redis, which has none. */
export async function migrateGovernanceStore(
  url: string,
): Promise<{ readonly before: number; readonly after: number } | undefined> {
  if (/^\s*rediss?:/i.test(url)) return undefined;
  const { migrateGovernance } = await import("./postgres/postgres-store.js").catch(ifMissing("pg"));
  const [server, schema] = withoutOption(url, "schema");
  return migrateGovernance({ url: server, ...(schema !== undefined && { schema }) });
}

/** Removes an option from the URL's query, because the drivers don't know it. */
function withoutOption(
  url: string,
  name: string,
): readonly [rest: string, value: string | undefined] {
  const [, before = "", value] = new RegExp(`^(.*)[?&]${name}=([^&#]*)`, "s").exec(url) ?? [];
  if (value === undefined) return [url, undefined];
  const after = url.slice(before.length + 1 + name.length + 1 + value.length);
  const isFirst = url[before.length] === "?";
  return [before + (isFirst ? after.replace(/^&/, "?") : after), decodeURIComponent(value)];
}
