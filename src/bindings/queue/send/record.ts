import type { JsonValue } from "../../../runtime/executor.js";
import type { MessageEncoder, QueueRecord } from "../contract.js";
import { contentTypeOf } from "./headers.js";
import { type OpenedTexts, openTexts, type SealedPublication } from "./sealed.js";

interface RecordedTool {
  readonly provider: string;
  readonly connection: string;
  readonly encode: Pick<MessageEncoder<never>, "contentType">;
}

/** Makes the `QueueRecord` that shadow mode records. */
export function recordOf(
  { connection, encode, provider }: RecordedTool,
  sealed: SealedPublication,
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
    // Copies the message as JSON, which drops absent properties. A validator has accepted it, or it
    // is plain JSON.
    message: JSON.parse(JSON.stringify(message)) as JsonValue,
    encoded: { content_type: contentTypeOf(headers, encode), ...measured },
  } satisfies QueueRecord;
}

/** Returns the texts with `${NAME}` in place of every credential. */
export function shownTexts(sealed: SealedPublication): OpenedTexts {
  return openTexts(sealed, ({ name }) => placeholder(name));
}

export function placeholder(name: string): string {
  return `\${${name}}`;
}
