/**
 * Errors of Redis when it accepts no message: temporary errors are retried, others are not, and no
 * error shows a secret.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnusableUrl } from "../../../../src/runtime/connection/errors.js";
import { openRedis } from "../../../../src/bindings/queue/providers/redis/send/open-redis.js";
import { publishWithin, rejection } from "../support/attempt.js";
import { writeCertificate } from "../support/certificate.js";
import { freePort } from "../support/server-process.js";
import { entryFor, startRedis, type TestRedis, withRedis } from "../support/redis.js";

/** Publishes once, over a connection of its own. */
async function publishTo(url: string, text = "hidden body") {
  const broker = openRedis(url);
  try {
    await publishWithin(5000, broker, entryFor("stream", text, { idempotencyKey: randomUUID() }));
    return await publishWithin(5000, broker, entryFor("stream", text));
  } finally {
    await broker.close();
  }
}

async function refusal(url: string): Promise<string> {
  const error = await rejection(publishTo(url));
  for (const secret of ["hidden", "s3cret", "wr0ng", "127.0.0.1"])
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  return `${error.name}: ${error.message}`;
}

withRedis("a Redis that refuses", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis([], { password: "s3cret" });
  });
  afterAll(() => redis.close());
  const at = (user: string, path = "") => `redis://${user}@127.0.0.1:${redis.port}${path}`;

  test("a correct login publishes", async () => {
    await expect(publishTo(at(":s3cret"))).resolves.toMatchObject({ stream: "stream" });
  });

  test("a missing password, a wrong password, and a user without permission are rejected", async () => {
    await redis.side.acl("SETUSER", "reader", "on", ">s3cret", "~*", "+@read", "+@connection");
    expect(await refusal(redis.url)).toBe(
      "RejectedMessage: Redis refused the login: a password is required (NOAUTH)",
    );
    expect(await refusal(at(":wr0ng"))).toBe(
      "RejectedMessage: Redis refused the login: the user or the password is wrong (WRONGPASS)",
    );
    expect(await refusal(at("reader:s3cret"))).toBe(
      "RejectedMessage: Redis refused the message: the user lacks the permission (NOPERM)",
    );
  });

  test("a user who may not store keys adds no entry with a key", async () => {
    await redis.side.acl("SETUSER", "noset", "on", ">s3cret", "~*", "+@all", "-set");
    await redis.side.del("stream");
    expect(await refusal(at("noset:s3cret"))).toBe(
      "RejectedMessage: Redis refused the message: the user lacks the permission (NOPERM)",
    );
    expect(await redis.side.xlen("stream")).toBe(0);
  });

  test("a user who may not add entries stores no key", async () => {
    await redis.side.acl("SETUSER", "noadd", "on", ">s3cret", "~*", "+@all", "-xadd");
    const own = openRedis(at("noadd:s3cret"));
    const entry = entryFor("refused", "x", { idempotencyKey: "k" });
    expect(await rejection(publishWithin(5000, own, entry))).toHaveProperty(
      "message",
      "Redis refused the message: the user lacks the permission (NOPERM)",
    );
    expect(await redis.side.keys("skillc:idempotency:{refused}:*")).toEqual([]);
    await own.close();
  });

  test("a key that could not be removed after a failure does not count as published", async () => {
    await redis.side.acl("SETUSER", "nodel", "on", ">s3cret", "~*", "+@all", "-xadd", "-del");
    const entry = entryFor("left", "x", { idempotencyKey: "k" });
    const own = openRedis(at("nodel:s3cret"));
    await rejection(publishWithin(5000, own, entry));
    await own.close();
    expect(await redis.side.get("skillc:idempotency:{left}:k")).toBe("");
    const other = openRedis(at(":s3cret"));
    const receipt = await publishWithin(5000, other, entry);
    await other.close();
    expect(receipt).not.toHaveProperty("repeated");
    expect(await redis.side.xlen("left")).toBe(1);
  });

  test("a user who may not name the connection or ask for limits can still publish", async () => {
    await redis.side.acl(
      "SETUSER",
      "least",
      "on",
      ">s3cret",
      "~*",
      "+xadd",
      "+evalsha",
      "+eval",
      "+get",
      "+set",
    );
    await expect(publishTo(at("least:s3cret"))).resolves.toHaveProperty("id");
    expect(await refusal(at("least:s3cret", "/3"))).toBe(
      "RejectedMessage: Redis refused the database: the user lacks the permission (NOPERM)",
    );
  });

  test("a missing database is not replaced by the first one", async () => {
    expect(await refusal(at(":s3cret", "/99"))).toBe(
      "RejectedMessage: Redis refused the database: the database does not exist (ERR)",
    );
    await publishTo(at(":s3cret", "/3"), "in three");
    await redis.side.select(3);
    expect(await redis.entries("stream")).toHaveLength(2);
    await redis.side.select(0);
  });

  test("full memory and a replica are unavailable, because they may pass", async () => {
    await redis.side.config("SET", "maxmemory", "1");
    expect(await refusal(at(":s3cret"))).toBe("LostBroker: OOM");
    await redis.side.config("SET", "maxmemory", "0");
    await redis.side.replicaof("127.0.0.1", String(await freePort()));
    expect(await refusal(at(":s3cret"))).toBe("LostBroker: READONLY");
    await redis.side.replicaof("NO", "ONE");
    await publishTo(at(":s3cret"));
  });

  test("too many clients are unavailable, because that may pass", async () => {
    await redis.side.config("SET", "maxclients", "1");
    expect(await refusal(at(":s3cret"))).toMatch(/^LostBroker: (maxclients|EPIPE|ECONNRESET)$/);
    await redis.side.config("SET", "maxclients", "1000");
  });
});

withRedis("a Redis with TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-tls-"));
  const { ca, key } = writeCertificate(folder);
  let redis: TestRedis;
  beforeAll(async () => {
    const tls = ["--tls-cert-file", ca, "--tls-key-file", key, "--tls-ca-cert-file", ca];
    const port = ["--tls-port", String((tlsPort = await freePort()))];
    redis = await startRedis([...tls, ...port, "--tls-auth-clients", "no"]);
  });
  afterAll(async () => {
    await redis.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let tlsPort: number;
  const at = (query: string) => `rediss://127.0.0.1:${tlsPort}/?${query}`;

  test("the certificate must match the name and the authority of the URL", async () => {
    const trusted = `ca=${encodeURIComponent(ca)}`;
    expect(await publishTo(at(`${trusted}&servername=queue.test`))).toHaveProperty("id");
    expect(await publishTo(at("tls=insecure"))).toHaveProperty("id");
    expect(await refusal(at(""))).toMatch(/^LostBroker: (DEPTH_ZERO_)?SELF_SIGNED_CERT$/);
    expect(await refusal(at(trusted))).toBe("LostBroker: ERR_TLS_CERT_ALTNAME_INVALID");
  });

  test("a server that requires TLS rejects a URL without TLS", async () => {
    expect(await refusal(`redis://127.0.0.1:${tlsPort}`)).toMatch(
      /^LostBroker: (connection lost|ECONNRESET)$/,
    );
  });
});

describe("unusable URL", () => {
  const unreadable =
    "is not a valid URL; percent-encode user and password: `#` is `%23`, `/` is `%2F`, `?` is `%3F`";
  test.each([
    ["http://h", "must begin with redis:// or rediss://"],
    ["redis://", "has no host"],
    ["redis://h:99999", "is not a valid URL"],
    ["redis://:s3#cret@h", unreadable],
    ["redis://:s3/cret@h", unreadable],
    ["redis://u:12/s3cret@h", unreadable],
    ["redis://user:s3cret@h/0#x", "has a `#`: write `%23`"],
    ["redis://:s3%cret@h", "has an invalid `%` escape in its password"],
    ["redis://s3cret@h", "has a user but no password; write a password alone as `:password@`"],
    ["redis://h/zero", "has a path that is not the number of a database"],
    ["redis://h?ca=x", "has the option `ca`, which needs a URL with TLS"],
    ["rediss://h?ca=/does/not/exist", "has an unreadable file as `ca`"],
    ["rediss://h?cert=x", "has only one of `cert` and `key`"],
    ["rediss://h?tls=off", "has a `tls` option other than `tls=insecure`"],
    ["rediss://h?tls=insecure&tls=insecure", "has `tls` twice"],
    [
      "redis://h?family=4",
      "has an unknown option; the known options are `ca`, `cert`, `key`, `servername`, `tls`",
    ],
    [
      "redis://u:123?s3cr&et@h",
      "has an unknown option; the known options are `ca`, `cert`, `key`, `servername`, `tls`; in a user or a password, write `?` as `%3F`",
    ],
    [
      "redis://h?s3cr%3Det=4",
      "has an unknown option; the known options are `ca`, `cert`, `key`, `servername`, `tls`",
    ],
  ])("reports the mistake in %s without its values", (url, message) => {
    let thrown: unknown;
    try {
      openRedis(url);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(new UnusableUrl(message));
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain("s3cr");
  });
});
