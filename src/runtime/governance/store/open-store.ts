/**
 * The store that `store:` of skillc.yaml names, for the command line. Applications open theirs
 * themselves.
 */
import { ifMissing } from "../../call/missing-package.js";
import type { GovernanceStore } from "./store.js";

/**
 * @param url `redis://…`, `rediss://…`, `postgres://…` or `postgresql://…`, with what the store's
 *   own options are as `namespace` and `schema` of its query
 * @throws TypeError for another URL, UnusableUrl for one that can't be read; neither has a word of
 *   it
 * @throws MissingPackage
 */
export async function openGovernanceStore(url: string): Promise<GovernanceStore> {
  const scheme = /^\s*(rediss?|postgres(?:ql)?):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined)
    throw new TypeError("the store of governance is a `redis://` or a `postgres://` URL");
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

/** Makes the tables of a PostgreSQL store; Redis has none. Undefined where there are none. */
export async function migrateGovernanceStore(
  url: string,
): Promise<{ readonly before: number; readonly after: number } | undefined> {
  if (/^\s*rediss?:/i.test(url)) return undefined;
  const { migrateGovernance } = await import("./postgres/postgres-store.js").catch(ifMissing("pg"));
  const [server, schema] = withoutOption(url, "schema");
  return migrateGovernance({ url: server, ...(schema !== undefined && { schema }) });
}

/** The drivers' own readers know no such option. */
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
