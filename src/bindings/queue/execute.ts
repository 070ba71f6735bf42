import { createHash } from "node:crypto";
import type {
  AnyResult,
  Attempt,
  Binding,
  CallIdentity,
  JsonValue,
  Outcome,
  PreparedCall,
} from "../../runtime/sink.js";
import type { CredentialReference } from "../../runtime/values/text.js";
import type { Given, QueueContract, Target } from "./contract.js";
import { failureOf, unsent } from "./send/faults.js";
import { contentTypeOf, withOwnHeaders } from "./send/headers.js";
import { encodeMessage } from "./send/message.js";
import { requireNames, requireOpenedNames, shownAnswer, withNames } from "./send/names.js";
import { type Answer, publishTo } from "./send/publish.js";
import { placeholder, recordOf, shownTexts } from "./send/record.js";
import { frame, schemaId, subjectOf } from "./send/registry/schema-id.js";
import { type OpenedTexts, openTexts, type Sealed, sealTexts } from "./send/sealed.js";

export { fitted } from "./send/message.js";
export { json } from "./send/message.js";
export { targetName } from "./send/target-name.js";
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
  readonly #target: Target;
  readonly #sealed: Sealed;
  readonly #body: Uint8Array;

  /** @throws RefusedValue when the parameters make no message */
  constructor(contract: QueueContract<Arguments, Message>, args: Arguments, call: CallIdentity) {
    const publication = contract.publish(given(args));
    requireNames(publication.target);
    this.#contract = contract;
    this.#call = call;
    this.#message = publication.message;
    this.#target = publication.target;
    this.#body = encodeMessage(contract, given(args), publication.message);
    this.#sealed = sealTexts(withOwnHeaders(publication, call));
    this.credentials = credentialsOf(contract, this.#sealed);
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
    const publication = this.#contract.publish(given(args as Arguments));
    const sealed = sealTexts(withOwnHeaders(publication, this.#call));
    const { length: bytes } = this.#body;
    return recordOf(this.#contract, sealed, publication.message, { bytes, sha256: "***" });
  }

  /** A receipt says where the message went: what is masked may be a part of that. */
  maskResult(result: AnyResult, args: unknown): AnyResult {
    const { target } = this.#contract.publish(given(args as Arguments));
    // What `send` gave.
    return withNames(result as Answer, Object.entries(shownTexts(sealTexts({ target })).target));
  }

  async send(attempt: Attempt): Promise<Outcome<AnyResult>> {
    const { connection, encode, provider, registry } = this.#contract;
    const reveal = ({ name }: CredentialReference) => attempt.open(name);
    const { headers, idempotencyKey, target } = openTexts(this.#sealed, reveal);
    try {
      requireOpenedNames(this.#sealed, reveal);
      const body =
        registry === undefined ? this.#body : await this.#framed(registry, target, attempt);
      const contentType = contentTypeOf(headers, encode);
      const outgoing = { body, contentType, headers, idempotencyKey };
      const url = attempt.open(connection);
      const answer = await publishTo(provider, url, target, outgoing, attempt);
      return { result: shownAnswer(answer, this.#sealed, () => shownTexts(this.#sealed).target) };
    } catch (error) {
      throw failureOf(attempt, placeholder(connection), error);
    }
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
      const subject = subjectOf(target, this.#target);
      return frame(await schemaId(url, subject, schema, attempt), this.#body);
    } catch (error) {
      throw failureOf(attempt, placeholder(registry), unsent(error));
    }
  }
}

/** The same value: only its type is told in other words, which TypeScript can't see before the arguments are known. */
function given<Arguments>(args: Arguments): Given<Arguments> {
  return args as Given<Arguments>;
}

function credentialsOf(
  { connection, registry }: Pick<QueueContract<never, never>, "connection" | "registry">,
  { credentials }: Sealed,
): readonly string[] {
  if (registry === undefined && credentials.length === 0) return [connection];
  return [...new Set([connection, ...(registry === undefined ? [] : [registry]), ...credentials])];
}
