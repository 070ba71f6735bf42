import { createHash } from "node:crypto";
import {
  type AnyResult,
  type Attempt,
  type Binding,
  type CallIdentity,
  type JsonValue,
  type Outcome,
  type PreparedCall,
  problemsOf,
  RefusedValue,
} from "../../runtime/sink.js";
import type { QueueContract, QueueRecord } from "./contract.js";
import { failureOf } from "./send/failures.js";
import { unsent } from "./send/faults.js";
import { frame } from "./send/registry/frame.js";
import { schemaId } from "./send/registry/schema-id.js";
import { publishTo } from "./send/publish.js";
import { type OpenedTexts, openTexts, type Sealed, sealTexts, type Texts } from "./send/sealed.js";
import { traceparent } from "./send/trace.js";

export { json } from "./send/json.js";
export { omit, pick } from "../../runtime/values/pick.js";
export { credential, text } from "../../runtime/values/text.js";

/**
 * The binding of a queue tool.
 *
 * @typeParam Result the tool's result. The contract is data, so nothing ties it to this type but the compiler that wrote both; left out, the binding fits any
 *   tool.
 */
export function queue<Arguments, Message, Result extends AnyResult = never>(
  contract: QueueContract<Arguments, Message>,
): Binding<Arguments, Result> {
  return {
    kind: "queue",
    prepare(args, call) {
      const prepared = new QueueCall(contract, args, call);
      // See `Result`.
      return prepared as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

class QueueCall<Arguments, Message> implements PreparedCall<AnyResult> {
  readonly credentials: readonly string[];
  readonly #contract: QueueContract<Arguments, Message>;
  readonly #call: CallIdentity;
  readonly #message: unknown;
  readonly #sealed: Sealed;
  readonly #body: Uint8Array;

  /** @throws RefusedValue when the parameters make no message */
  constructor(contract: QueueContract<Arguments, Message>, args: Arguments, call: CallIdentity) {
    const publication = contract.publish(args);
    this.#contract = contract;
    this.#call = call;
    this.#message = publication.message;
    this.#body = encoded(contract, publication.message);
    this.#sealed = sealTexts(withOwnHeaders(publication, call));
    const { connection, registry } = contract;
    this.credentials = [
      ...new Set([
        connection,
        ...(registry === undefined ? [] : [registry]),
        ...this.#sealed.credentials,
      ]),
    ];
  }

  /** A `QueueRecord`. */
  record(): JsonValue {
    return recordOf(this.#contract, this.#sealed, this.#message, {
      bytes: this.#body.length,
      sha256: createHash("sha256").update(this.#body).digest("hex"),
    });
  }

  /** What is measured is the message that would be sent; its hash would let what is masked be guessed. */
  recordMasked(args: unknown): JsonValue {
    // The same arguments, with text in the place of what is masked: they are only printed.
    const publication = this.#contract.publish(args as Arguments);
    const sealed = sealTexts(withOwnHeaders(publication, this.#call));
    const { length: bytes } = this.#body;
    return recordOf(this.#contract, sealed, publication.message, { bytes, sha256: "***" });
  }

  async send(attempt: Attempt): Promise<Outcome<AnyResult>> {
    const { connection, encode, provider } = this.#contract;
    const texts = openTexts(this.#sealed, ({ name }) => attempt.open(name));
    const body = await this.#framed(texts, attempt);
    try {
      const outgoing = { body, contentType: encode.contentType, ...texts };
      return { result: await publishTo(provider, attempt.open(connection), outgoing, attempt) };
    } catch (error) {
      throw failureOf(attempt, placeholder(connection), error);
    }
  }

  async #framed({ target }: OpenedTexts, attempt: Attempt): Promise<Uint8Array> {
    const { encode, registry } = this.#contract;
    if (registry === undefined || encode.schema === undefined) return this.#body;
    try {
      const url = attempt.open(registry);
      return frame(await schemaId(url, subjectOf(target), encode.schema, attempt), this.#body);
    } catch (error) {
      throw failureOf(attempt, placeholder(registry), unsent(error));
    }
  }
}

/** @throws RefusedValue */
function encoded<Arguments, Message>(
  { encode, message: validator }: QueueContract<Arguments, Message>,
  message: unknown,
): Uint8Array {
  const problem = validator && problemsOf(validator, message)[0];
  if (problem !== undefined) {
    const { keyword, message: fault, pointer } = problem;
    throw new RefusedValue(
      "",
      keyword,
      `make no message: ${pointer === "" ? "it" : pointer} ${fault}`,
    );
  }
  // The validator has just said so; without one, any value is a message.
  return encode.encode(message as Message);
}

/** The author's headers, then those that the author did not set. */
function withOwnHeaders(publication: Texts, { id, toolId }: CallIdentity): Texts {
  const { headers = [] } = publication;
  const own = [
    ["correlation_id", id],
    ["source", toolId],
    ["traceparent", traceparent()],
  ] as const;
  const isSet = (name: string) => headers.some(([each]) => each.toLowerCase() === name);
  return { ...publication, headers: [...headers, ...own.filter(([name]) => !isSet(name))] };
}

function recordOf<Arguments, Message>(
  { connection, encode, provider }: QueueContract<Arguments, Message>,
  sealed: Sealed,
  message: unknown,
  measured: Omit<QueueRecord["encoded"], "content_type">,
): JsonValue {
  const { headers, idempotencyKey, target } = openTexts(sealed, ({ name }) => placeholder(name));
  return {
    provider,
    connection: placeholder(connection),
    target,
    headers: Object.fromEntries(headers),
    ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
    // What a validator passed, or what JSON can be written of; absent properties go.
    message: JSON.parse(JSON.stringify(message)) as JsonValue,
    encoded: { content_type: encode.contentType, ...measured },
  } satisfies QueueRecord;
}

function placeholder(name: string): string {
  return `\${${name}}`;
}

/** The registry's own naming: `<topic>-value`. */
function subjectOf({ routing_key: routingKey, stream, topic }: OpenedTexts["target"]): string {
  return `${topic ?? stream ?? routingKey ?? ""}-value`;
}
