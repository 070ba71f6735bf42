import { hash } from "node:crypto";
import type { Attempt } from "../../../../runtime/sink.js";
import type { RegistrySchema, Target } from "../../contract.js";
import { Waiters } from "../deadline.js";
import { RefusedMessage, UnusableUrl } from "../faults.js";
import { hasLateLogin, unknownOption, unreadableUrl } from "../link/broker-url.js";
import type { OpenedTexts } from "../sealed.js";
import { writtenName } from "../target-name.js";

/** A registry never changes what an id stands for. */
const ids = new Map<string, number>();
const mostIds = 10_000;

/** Under way: calls at the same time share one. */
const requests = new Map<string, Waiters<number>>();

/**
 * The id of a schema in a Confluent-compatible registry. It is asked once for each subject and schema; calls at the same time share the request.
 *
 * @param url `https://user:password@host/path`; with `register=false` in its query the registry must know the schema already
 * @throws UnusableUrl | LostBroker | RefusedMessage
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
  let request = requests.get(key);
  if (request === undefined) {
    request = start(key, url, subject, schema);
    requests.set(key, request);
  }
  return request.wait(attempt);
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
function start(
  key: string,
  url: string,
  subject: Subject,
  schema: RegistrySchema,
): Waiters<number> {
  const controller = new AbortController();
  const address = readRegistryUrl(url);
  // Tools without a registry need no HTTP client.
  const asked = import("./ask-registry.js").then(({ askRegistry }) =>
    askRegistry(address, subject, schema, controller.signal),
  );
  // So that the next call asks anew.
  const forget = () => {
    if (requests.get(key) === request) requests.delete(key);
  };
  const answer = asked.then((id) => keep(key, id)).finally(forget);
  const giveUp = () => {
    forget();
    controller.abort();
  };
  const request = new Waiters(answer, { giveUp, prefix: "schema registry: " });
  return request;
}

function keep(key: string, id: number): number {
  if (ids.size >= mostIds) ids.clear();
  ids.set(key, id);
  return id;
}

/** What a registry keeps the versions of a schema under. */
export interface Subject {
  readonly name: string;
  /** As the author wrote it, without the values of parameters and credentials. */
  readonly shown: string;
}

/**
 * The registry's own naming: `<topic>-value`.
 *
 * @param target with every credential put in
 * @param written the same as the contract made it
 * @throws RefusedMessage for an empty name, which RabbitMQ takes for a routing key: all such messages would share a subject
 */
export function subjectOf(
  { routing_key: routingKey, stream, topic }: OpenedTexts["target"],
  written: Target,
): Subject {
  const name = topic ?? stream ?? routingKey ?? "";
  if (name === "")
    throw new RefusedMessage("the routing key is empty, and names the schema registry's subject");
  return { name: `${name}-value`, shown: `${shownName(written)}-value` };
}

function shownName(target: Target): string {
  if ("topic" in target) return writtenName(target.topic);
  return writtenName("stream" in target ? target.stream : target.routing_key);
}

/** A schema registry, as its URL says. Secret. */
export interface RegistryAddress {
  /** Origin and path, without a slash at the end. */
  readonly base: string;
  /** The header's value. */
  readonly authorization?: string;
  /** Whether schemas that it does not know are registered; `register=false` in the query: they are refused. */
  readonly registers: boolean;
}

/** @throws UnusableUrl */
function readRegistryUrl(text: string): RegistryAddress {
  const url = parse(text);
  // Where a password holds a `#`, the rest of the URL is a fragment.
  if (url.hash !== "") throw new UnusableUrl("has a `#`, which is written `%23` in a URL");
  const authorization = authorizationOf(url);
  return {
    base: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    ...(authorization !== undefined && { authorization }),
    registers: registersOf(url),
  };
}

function parse(text: string): URL {
  if (!/^\s*https?:\/\//i.test(text)) throw new UnusableUrl("must be an http:// or https:// URL");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || hasLateLogin(url)) throw unreadableUrl(text);
  return url;
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${decode(username, "user")}:${decode(password, "password")}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UnusableUrl(`has a \`%\` in its ${part} that encodes nothing`);
  }
}

function registersOf(url: URL): boolean {
  const { searchParams } = url;
  if ([...searchParams.keys()].some((name) => name !== "register"))
    throw unknownOption(url, ["register"]);
  const [value = "true", ...others] = searchParams.getAll("register");
  if (others.length > 0) throw new UnusableUrl("has the option `register` twice");
  if (value !== "true" && value !== "false")
    throw new UnusableUrl("has an option `register` that is not `true` or `false`");
  return value === "true";
}

/**
 * A message as consumers with a schema registry expect it: a zero, the schema's id in four bytes, the highest first, and the encoded body.
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
