import type { JsonValue } from "../../../runtime/executor.js";
import type { MessageEncoder, QueueRecord } from "../contract.js";
import { contentTypeOf } from "./headers.js";
import { type OpenedTexts, openTexts, type Sealed } from "./sealed.js";

interface RecordedTool {
  readonly provider: string;
  readonly connection: string;
  readonly encode: Pick<MessageEncoder<never>, "contentType">;
}

/** What shadow mode records. A `QueueRecord`. */
export function recordOf(
  { connection, encode, provider }: RecordedTool,
  sealed: Sealed,
  message: unknown,
  measured: Omit<QueueRecord["encoded"], "content_type">,
): JsonValue {
  const { headers, idempotencyKey, target } = shownTexts(sealed);
  return {
    provider,
    connection: placeholder(connection),
    target,
    headers: Object.fromEntries(headers),
    ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
    // What a validator passed, or what JSON can be written of; absent properties go.
    message: JSON.parse(JSON.stringify(message)) as JsonValue,
    encoded: { content_type: contentTypeOf(headers, encode), ...measured },
  } satisfies QueueRecord;
}

/** With `${NAME}` in place of every credential. */
export function shownTexts(sealed: Sealed): OpenedTexts {
  return openTexts(sealed, ({ name }) => placeholder(name));
}

export function placeholder(name: string): string {
  return `\${${name}}`;
}
