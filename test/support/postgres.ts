import { randomBytes } from "node:crypto";
import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";
import type { Service } from "./service.js";

/**
 * URL of a server on which tests may create databases and roles: `SKILLC_TEST_POSTGRES`, or a
 * server on this machine.
 */
export const serverUrl =
  process.env["SKILLC_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

export const postgresService: Service = {
  name: "PostgreSQL",
  start: "on Debian: `apt-get install postgresql && pg_ctlcluster 15 main start`",
  async probe() {
    const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 3000 });
    await client.connect();
    await client.end();
  },
};

/** A database for one test. */
export interface OwnDatabase {
  readonly url: string;
  /** Returns the URL for another role, without a password. */
  urlAs(role: string): string;
  /** Runs SQL as the server's user, and returns the rows of the last statement. */
  run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Drops the database, even if clients are still connected. */
  drop(): Promise<void>;
}

/** Creates a database with these tables. */
export async function createDatabase(schema: string): Promise<OwnDatabase> {
  const name = `skillc_${randomBytes(6).toString("hex")}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  // Dropping the database ends connections that are still closing.
  pool.on("error", () => {});
  const run: OwnDatabase["run"] = async (sql) => [await pool.query(sql)].flat().at(-1)?.rows ?? [];
  const drop = async () => {
    await pool.end();
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  };
  await run(schema);
  return { url: url.href, urlAs: (role) => urlAs(url, role), run, drop };
}

function urlAs(url: URL, role: string): string {
  const other = new URL(url);
  other.username = role;
  other.password = "";
  return other.href;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

export interface ServerProxy {
  readonly url: string;
  /** Drops all bytes from now on, but keeps connections open, like a host that vanished. */
  stall(): void;
}

/**
 * Starts a proxy to a server. It closes when the test ends.
 *
 * @param cuts returns true to hang up instead of forwarding the bytes to the server
 */
export async function serverProxy(
  target: string,
  cuts: (sent: string) => boolean = () => false,
): Promise<ServerProxy> {
  const { hostname, port } = new URL(target);
  let stalled = false;
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => stalled || [client, upstream].forEach((each) => each.destroy()));
    }
    client.on("data", (data) => {
      if (cuts(data.toString("latin1"))) client.destroy();
      else if (!stalled) upstream.write(data);
    });
    upstream.on("data", (data) => void (stalled || client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(target);
  // The address of a TCP server that listens has this type.
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, stall: () => (stalled = true) };
}
