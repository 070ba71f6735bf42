import { hash } from "node:crypto";
import type { Attempt, CallHooks } from "../../../../runtime/executor.js";
import type { RegistrySchema } from "../../contract.js";
import { Waiters } from "../deadline.js";
import { readRegistryUrl, type Subject } from "./address.js";

/** Ids can be cached, because a registry never changes the schema of an id. */
const ids = new Map<string, number>();
const maxIds = 10_000;

/**
 * Requests under way. Calls at the same time share a request if the same hook checks its
 * connection.
 */
const requests = new Map<CallHooks["connecting"], Map<string, Waiters<number>>>();

/**
 * Returns the id of a schema in a Confluent-compatible registry. The registry is asked once for
 * each subject and schema; calls at the same time share the request.
 *
 * @param url `https://user:password@host/path`; with `register=false` in the query, the registry
 *   must already know the schema
 * @throws UnusableUrl | LostBroker | RejectedMessage
 */
export async function schemaId(
  url: string,
  subject: Subject,
  schema: RegistrySchema,
  attempt: Attempt,
): Promise<number> {
  const key = keyOf(url, subject, schema);
  const known = ids.get(key);
  if (known !== undefined) return known;
  return requestFor(key, url, subject, schema, attempt).wait(attempt);
}

/** Keeps only hashes, because the URL contains a password, and the schema is long. */
function keyOf(url: string, { name }: Subject, schema: RegistrySchema): string {
  return `${hash("sha256", url, "base64")} ${schemaHash(schema)} ${name}`;
}

/** Hashes of the tools' schemas, which live as long as the process. */
const schemaHashes = new WeakMap<RegistrySchema, string>();

function schemaHash(schema: RegistrySchema): string {
  let known = schemaHashes.get(schema);
  if (known === undefined) {
    known = hash("sha256", schema.text, "base64");
    schemaHashes.set(schema, known);
  }
  return known;
}

/** @throws UnusableUrl */
function requestFor(
  key: string,
  url: string,
  subject: Subject,
  schema: RegistrySchema,
  { hooks, runtime }: Attempt,
): Waiters<number> {
  const { connecting } = hooks;
  const underWay = requests.get(connecting) ?? new Map<string, Waiters<number>>();
  const known = underWay.get(key);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const address = readRegistryUrl(url);
  // Imported on demand, because tools without a registry need no HTTP client.
  const asked = import("./ask-registry.js").then(({ askRegistry }) =>
    askRegistry(address, subject, schema, { signal: controller.signal, hooks, runtime }),
  );
  // Forgets the request, so that the next call asks again.
  const forget = () => {
    if (underWay.get(key) === request) underWay.delete(key);
    const isDone = underWay.size === 0 && requests.get(connecting) === underWay;
    if (isDone) requests.delete(connecting);
  };
  const answer = asked.then((id) => keep(key, id)).finally(forget);
  const giveUp = () => {
    forget();
    controller.abort();
  };
  const request = new Waiters(answer, { giveUp, prefix: "schema registry: " });
  underWay.set(key, request);
  requests.set(connecting, underWay);
  return request;
}

function keep(key: string, id: number): number {
  if (ids.size >= maxIds) ids.clear();
  ids.set(key, id);
  return id;
}

/**
 * Adds the header that consumers with a schema registry expect: a zero byte, then the schema's id
 * in four bytes, big-endian.
 *
 * @param id id from the registry
 */
export function frame(id: number, body: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(body.length + 5);
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(id, 1);
  framed.set(body, 5);
  return framed;
}
