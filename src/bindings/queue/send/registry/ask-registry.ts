import { request } from "undici";
import { type HttpConnections, httpConnections } from "../../../../runtime/http/connections.js";
import { type CallHooks, onShutdown, ToolError } from "../../../../runtime/executor.js";
import { readJson } from "../../../../runtime/json/json.js";
import type { RegistrySchema } from "../../contract.js";
import { whenAborted } from "../deadline.js";
import { LostBroker, RejectedMessage } from "../failures.js";
import type { RegistryAddress, Subject } from "./address.js";

/** Maximum size of an answer. Valid answers are short. */
const longestAnswer = 1_000_000;

interface Opened {
  readonly connections: HttpConnections;
  /** Aborts the requests of connections that are being closed. */
  readonly abortController: AbortController;
}

let opened: Opened | undefined;

function open(): Opened {
  opened ??= {
    connections: httpConnections({ maxResponseSize: longestAnswer }),
    abortController: new AbortController(),
  };
  return opened;
}

onShutdown(async (late) => {
  const closing = opened;
  opened = undefined;
  whenAborted(late, () => closing?.abortController.abort());
  await closing?.connections.close();
});

/** The parts of a call that its request needs; several calls may share the answer. */
export interface RegistryCall {
  readonly signal: AbortSignal;
  readonly hooks: CallHooks;
  /** The runtime whose proxy the request uses. */
  readonly runtime: object | undefined;
}

/**
 * Gets the id of a schema under a subject through Confluent's REST API. A single request registers
 * the schema or looks it up. Redirects are not followed.
 *
 * @throws LostBroker | RejectedMessage, or the `ToolError` of a hook
 */
export async function askRegistry(
  address: RegistryAddress,
  subject: Subject,
  schema: RegistrySchema,
  call: RegistryCall,
): Promise<number> {
  const path = `/subjects/${encodeURIComponent(subject.name)}${address.registers ? "/versions" : ""}`;
  const answer = await post(`${address.base}${path}`, address, schema, call);
  if (answer.status !== 200) throw classifyAnswer(answer.status, address, subject);
  const id = idIn(answer.body);
  if (id === undefined) throw new RejectedMessage("the schema registry answered without an id");
  return id;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function post(
  url: string,
  { authorization }: RegistryAddress,
  { text }: RegistrySchema,
  { hooks, runtime, signal }: RegistryCall,
): Promise<Answer> {
  const { abortController, connections } = open();
  try {
    const { statusCode, body } = await request(url, {
      method: "POST",
      dispatcher: connections.of(hooks, runtime),
      signal: AbortSignal.any([signal, abortController.signal]),
      headers: {
        accept: "application/vnd.schemaregistry.v1+json, application/json",
        "content-type": "application/vnd.schemaregistry.v1+json",
        ...(authorization !== undefined && { authorization }),
      },
      // Without `schemaType`, the registry assumes Avro; older registries don't know the property.
      body: JSON.stringify({ schema: text }),
    });
    return { status: statusCode, body: await body.text() };
  } catch (error) {
    // The hook that checks connections throws its own error.
    if (error instanceof ToolError) throw error;
    throw new LostBroker(`schema registry: ${codeOf(error)}`, "not-done");
  }
}

/** Returns the error's code, and never its message, which may name the host. */
function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "connection lost";
}

function idIn(body: string): number | undefined {
  try {
    const { id } = readJson(body).value as { readonly id?: unknown };
    return typeof id === "number" && Number.isInteger(id) && id >= 0 && id < 2 ** 32
      ? id
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Our texts for status codes. The registry's own text is left out, because it may quote the schema.
 */
const refusals: { readonly [status: number]: string } = {
  401: "the schema registry refused the login",
  403: "the schema registry denies the request",
  409: "the schema is not compatible with the registered schemas of the subject",
  422: "the schema registry rejects the schema as invalid",
};

function classifyAnswer(
  status: number,
  { registers }: RegistryAddress,
  { shown }: Subject,
): LostBroker | RejectedMessage {
  if (status === 404 && !registers)
    return new RejectedMessage(
      `the schema registry has no such schema under the subject \`${shown}\`, and \`register=false\` forbids to register it (404)`,
    );
  if (status >= 500 || status === 429 || status === 408)
    return new LostBroker(`schema registry: ${status}`, "not-done");
  const refusal = refusals[status] ?? "the schema registry refused the schema";
  return new RejectedMessage(`${refusal} (${status})`);
}
