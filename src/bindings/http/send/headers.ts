import { RefusedValue } from "../../../runtime/sink.js";
import { type CredentialText, isCredentialText } from "../../../runtime/values/text.js";
import type { HttpRequest } from "../contract.js";

/** Names and values in turn, as undici takes them; values with credentials are still closed. */
export type SealedHeaders = readonly (string | CredentialText)[];

/** What a field value can't carry (RFC 9110, 5.5), and what would not be Latin-1 on the wire. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

export function isSendable(value: string): boolean {
  return !unsendable.test(value);
}

/**
 * The author's headers, then those that the author did not set.
 *
 * @param idempotency header and key
 * @throws RefusedValue for a value that no header can carry
 */
export function sealHeaders(
  { headers, body }: HttpRequest,
  idempotency: readonly [name: string, key: string] | undefined,
): SealedHeaders {
  const sealed: (string | CredentialText)[] = [];
  let accept = true;
  let encoding = true;
  let agent = true;
  let type = body !== undefined;
  for (const [name, value] of headers ?? []) {
    if (value === undefined || value === null) continue;
    sealed.push(name, isCredentialText(value) ? sendableText(name, value) : sendable(name, value));
    const lower = name.toLowerCase();
    if (lower === "accept") accept = false;
    else if (lower === "accept-encoding") encoding = false;
    else if (lower === "user-agent") agent = false;
    else if (lower === "content-type") type = false;
  }
  if (type) sealed.push("content-type", "application/json");
  // Answers to writes are often no JSON, or nothing at all: a server that takes the header at its word would refuse them with 406.
  if (accept) sealed.push("accept", "application/json, */*;q=0.1");
  if (encoding) sealed.push("accept-encoding", "gzip, deflate, br");
  if (agent) sealed.push("user-agent", "skillc");
  if (idempotency !== undefined) sealed.push(...idempotency);
  return sealed;
}

function sendable(name: string, value: string | number | boolean): string {
  const text = String(value);
  if (isSendable(text)) return text;
  throw new RefusedValue(
    "",
    "header-value",
    `the header \`${name}\` can't carry line breaks, control characters or characters beyond Latin-1`,
    (part) => typeof part === "string" && text.includes(part) && !isSendable(part),
  );
}

function sendableText(name: string, text: CredentialText): CredentialText {
  for (const part of text.parts) if (typeof part === "string") sendable(name, part);
  return text;
}
