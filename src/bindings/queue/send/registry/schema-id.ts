import { hash } from "node:crypto";
import type { Attempt, CallHooks } from "../../../../runtime/executor.js";
import type { RegistrySchema } from "../../contract.js";
import { Waiters } from "../deadline.js";
import { readRegistryUrl, type Subject } from "./address.js";

/** A registry never changes what an id stands for. */
const ids = new Map<string, number>();
const maxIds = 10_000;

/** Under way: calls at the same time share one, if the same function looks at its connection. */
const requests = new Map<CallHooks["connecting"], Map<string, Waiters<number>>>();

/**
 * The id of a schema in a Confluent-compatible registry. It is asked once for each subject and
 * schema; calls at the same time share the request.
 *
 * @param url `https://user:password@host/path`; with `register=false` in its query the registry
 *   must know the schema already
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

/** Of the URL, which holds a password, and of the schema, which is long, only hashes are kept. */
function keyOf(url: string, { name }: Subject, schema: RegistrySchema): string {
  return `${hash("sha256", url, "base64")} ${schemaHash(schema)} ${name}`;
}

/** The schemas of tools, which are there for as long as the process. */
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
  // Tools without a registry need no HTTP client.
  const asked = import("./ask-registry.js").then(({ askRegistry }) =>
    askRegistry(address, subject, schema, { signal: controller.signal, hooks, runtime }),
  );
  // So that the next call asks anew.
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
 * A message as consumers with a schema registry expect it: a zero, the schema's id in four bytes,
 * the highest first, and the encoded body.
 *
 * @param id as the registry gave it
 */
export function frame(id: number, body: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(body.length + 5);
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(id, 1);
  framed.set(body, 5);
  return framed;
}
