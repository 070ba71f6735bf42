/*
 * A call of a queue tool, from its contract to its result. `prepare` makes the message's bytes and
 * the target's texts (`send/message`, `send/sealed`, `send/names`). `send` opens credentials, asks
 * the schema registry (`send/registry`), and passes everything to the provider's client, which
 * `send/brokers` keeps open. `send/record` and `send/reach` describe the call for the ledger and
 * for policies, and `send/failures` makes the errors. `send/provider` describes a provider;
 * providers with one connection at a time share `send/link`.
 */
import { createHash } from "node:crypto";
import type {
  AnyResult,
  Attempt,
  Binding,
  CallIdentity,
  JsonValue,
  AttemptOutcome,
  PreparedCall,
  Reach,
  WriteOutcome,
} from "../../runtime/executor.js";
import { boundCaller } from "../../runtime/caller.js";
import type { CredentialReference } from "../../runtime/values/text.js";
import type { Given, QueueContract } from "./contract.js";
import { failureOf, unsent } from "./send/failures.js";
import { contentTypeOf, withOwnHeaders } from "./send/headers.js";
import { encodeMessage } from "./send/message.js";
import { requireNames, requireOpenedNames, shownAnswer, withNames } from "./send/names.js";
import type { Answer, Client, ProviderDefinition } from "./send/provider.js";
import { brokerAt } from "./send/brokers.js";
import type { Outgoing } from "./send/broker.js";
import { namesIn, queueReach, registryReach } from "./send/reach.js";
import { placeholder, recordOf, shownTexts } from "./send/record.js";
import { subjectOf } from "./send/registry/address.js";
import { frame, schemaId } from "./send/registry/schema-id.js";
import { type OpenedTexts, openTexts, type SealedPublication, sealTexts } from "./send/sealed.js";

export { fitted, json } from "./send/message.js";
export { targetName } from "./send/target-name.js";
export { omit, pick } from "../../runtime/values/pick.js";
export { credential, text } from "../../runtime/values/text.js";

/**
 * Makes a provider's function, which makes bindings from contracts.
 *
 * @typeParam Target where the provider's contracts send messages
 */
export function defineProvider<Target extends object, Opened extends Client>(
  provider: ProviderDefinition<Opened>,
): QueueProvider<Target> {
  return <Arguments, Message, Result extends AnyResult>(
    contract: QueueContract<Arguments, Message, Target>,
  ): Binding<Arguments, Result> => ({
    kind: "queue",
    prepare(args, call) {
      const prepared = new QueueCall(provider, contract, args, call);
      // Safe for the reason given at `@typeParam Result`.
      return prepared as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  });
}

/**
 * Makes the binding of a queue tool.
 *
 * @typeParam Result the tool's result. The contract is plain data, so only the compiler ensures
 * that it fits this type. If left out, the binding fits any tool.
 */
export type QueueProvider<Target extends object> = <
  Arguments,
  Message,
  Result extends AnyResult = never,
>(
  contract: QueueContract<Arguments, Message, Target>,
) => Binding<Arguments, Result>;

class QueueCall<Arguments, Message, Opened extends Client> implements PreparedCall<AnyResult> {
  readonly credentials: readonly string[];
  readonly isReceipt = true;
  readonly #provider: ProviderDefinition<Opened>;
  readonly #contract: QueueContract<Arguments, Message, object>;
  readonly #call: CallIdentity;
  readonly #message: unknown;
  readonly #target: object;
  readonly #sealed: SealedPublication;
  /** The message without the headers that are specific to this call. */
  readonly #authored: () => SealedPublication;
  readonly #body: Uint8Array;

  /** @throws RefusedValue if the parameters don't give a valid message */
  constructor(
    provider: ProviderDefinition<Opened>,
    contract: QueueContract<Arguments, Message, object>,
    args: Arguments,
    call: CallIdentity,
  ) {
    const publication = contract.publish(given(args), boundCaller(call));
    requireNames(provider.names, publication.target);
    this.#provider = provider;
    this.#contract = contract;
    this.#call = call;
    this.#message = publication.message;
    this.#target = publication.target;
    this.#body = encodeMessage(contract, given(args), publication.message);
    this.#sealed = sealTexts(withOwnHeaders(publication, call));
    this.#authored = () => sealTexts(publication);
    this.credentials = credentialsOf(contract, this.#sealed);
  }

  reach(open?: (name: string) => string): readonly Reach[] {
    const { name, names } = this.#provider;
    const { registry } = this.#contract;
    const { target } = open
      ? openTexts(this.#sealed, (reference) => open(reference.name))
      : shownTexts(this.#sealed);
    const message = queueReach(name, namesIn(target, names));
    return registry === undefined ? [message] : [message, registryReach(registry, open)];
  }

  /** Makes a `QueueRecord`. */
  describe(): JsonValue {
    return this.#recordOf(this.#sealed);
  }

  fingerprint(): JsonValue {
    return this.#recordOf(this.#authored());
  }

  get idempotencyKey(): string | undefined {
    return shownTexts(this.#sealed).idempotencyKey;
  }

  /** True if the message has its author's key. */
  get isRepeatable(): boolean {
    return this.#sealed.idempotencyKey !== undefined;
  }

  #recordOf(sealed: SealedPublication): JsonValue {
    return recordOf(this.#recorded, sealed, this.#message, {
      bytes: this.#body.length,
      sha256: createHash("sha256").update(this.#body).digest("hex"),
    });
  }

  /**
   * The size is that of the real message. Its hash is left out, because masked values could be
   * guessed from it.
   */
  describeMasked(args: unknown): JsonValue {
    // The same arguments with texts in place of masked values. They are only printed.
    const publication = this.#contract.publish(given(args as Arguments), boundCaller(this.#call));
    const sealed = sealTexts(withOwnHeaders(publication, this.#call));
    const { length: bytes } = this.#body;
    return recordOf(this.#recorded, sealed, publication.message, { bytes, sha256: "***" });
  }

  get #recorded() {
    return { ...this.#contract, provider: this.#provider.name };
  }

  /** Masks a receipt. It names the destination, which masked values may be a part of. */
  maskResult(result: AnyResult, args: unknown): AnyResult {
    const { target } = this.#contract.publish(given(args as Arguments), boundCaller(this.#call));
    // `send` returned this result.
    return withNames(result as Answer, Object.entries(shownTexts(sealTexts({ target })).target));
  }

  async send(attempt: Attempt): Promise<AttemptOutcome<AnyResult>> {
    const { connection, encode, registry } = this.#contract;
    const reveal = ({ name }: CredentialReference) => attempt.open(name);
    const { headers, idempotencyKey, target } = openTexts(this.#sealed, reveal);
    try {
      requireOpenedNames(this.#provider.names, this.#sealed, reveal);
      const body =
        registry === undefined ? this.#body : await this.#framed(registry, target, attempt);
      const contentType = contentTypeOf(headers, encode);
      const outgoing = { body, contentType, headers, idempotencyKey };
      const answer = await this.#publish(attempt.open(connection), target, outgoing, attempt);
      return { result: shownAnswer(answer, this.#sealed, () => shownTexts(this.#sealed).target) };
    } catch (error) {
      throw failureOf(attempt, placeholder(connection), error);
    }
  }

  async #publish(
    url: string,
    target: OpenedTexts["target"],
    message: Outgoing,
    attempt: Attempt,
  ): Promise<Answer> {
    // Before the broker gets the message, nothing was sent. Afterwards, only the client knows.
    attempt.onAbort(nothingSent);
    const client = await brokerAt(this.#provider.open, url, attempt.directory);
    attempt.requireTurn?.();
    return this.#provider.publish(client, target, message, attempt);
  }

  async #framed(
    registry: string,
    target: OpenedTexts["target"],
    attempt: Attempt,
  ): Promise<Uint8Array> {
    const { schema } = this.#contract.encode;
    if (schema === undefined) return this.#body;
    try {
      const url = attempt.open(registry);
      const subject = subjectOf(this.#provider.names, target, this.#target);
      return frame(await schemaId(url, subject, schema, attempt), this.#body);
    } catch (error) {
      throw failureOf(attempt, placeholder(registry), unsent(error));
    }
  }
}

function nothingSent(): WriteOutcome {
  return "not-done";
}

/**
 * The same value with another type, whose equality TypeScript can't see before the arguments are
 * known.
 */
function given<Arguments>(args: Arguments): Given<Arguments> {
  return args as Given<Arguments>;
}

function credentialsOf(
  { connection, registry }: Pick<QueueContract<never, never, object>, "connection" | "registry">,
  { credentials }: SealedPublication,
): readonly string[] {
  if (registry === undefined && credentials.length === 0) return [connection];
  return [...new Set([connection, ...(registry === undefined ? [] : [registry]), ...credentials])];
}
