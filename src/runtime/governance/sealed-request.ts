/**
 * Whole requests for approval. The request that the store and the ledger show is masked, and has at
 * most 64 KiB. If it says less than the call would send, the whole request is an attachment of the
 * ledger, encrypted with governance's `key`. Credentials stay names in it.
 */
import type { Call } from "../call/call.js";
import { wholeRequest } from "../ledger/record-call.js";
import { keepSealed, openSealed, sealedType } from "../ledger/sealed-attachment.js";
import type { LedgerStore } from "../ledger/store.js";
import { type JsonValue, parseJson } from "../json/json.js";
import type { Seal } from "../seal.js";
import type { SealedRequest, StoredRequest } from "./store/store.js";

/** Purpose of the key of sealed requests. */
export const requestPurpose = "approval requests";

/** Name and media type of a sealed request among the attachments of a ledger record. */
const sealedRequestFacts = { name: "approval request", type: sealedType } as const;

/** Maximum size of a request that is kept, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Keeps the whole request of a call that needs an approval.
 *
 * @param shown the request that the approver sees without a key
 * @returns undefined if `shown` is the whole request
 */
export function sealRequest(
  call: Call,
  shown: JsonValue | undefined,
  seal: Seal | undefined,
): SealedRequest | undefined {
  const json = wholeRequest(call);
  if (json === undefined || json === JSON.stringify(shown)) return undefined;
  const { ledger } = call.runtime;
  const kept = keepSealed(ledger, seal, { text: json, context: call.id, maxBytes });
  if (typeof kept === "string") return { bytes: Buffer.byteLength(json), omitted: kept };
  // The end record of the call refers to it, so that the ledger verifies and prunes it.
  call.sealed = { ...sealedRequestFacts, ...kept };
  return kept;
}

/**
 * Returns the whole request of a call that waits for an approval.
 *
 * @throws TypeError if it was not kept, is missing, or was sealed with another key
 */
export async function openSealedRequest(
  { details }: StoredRequest,
  ledger: Pick<LedgerStore, "attachments">,
  seal: Seal | undefined,
): Promise<JsonValue> {
  if (details?.request === undefined)
    throw new TypeError("the store has no details of this request");
  const { call, request, sealed } = details;
  if (sealed === undefined) return request;
  if ("omitted" in sealed) throw new TypeError(`the whole request ${omittedWords[sealed.omitted]}`);
  const what = "the whole request";
  return parseJson(await openSealed(ledger, seal, { kept: sealed, context: call, what }));
}

const omittedWords = {
  "no-key": "was not kept: the governance of the call has no `key` to encrypt it with",
  "no-ledger": "was not kept: the runtime of the call has no ledger that keeps attachments",
  "too-large": "was not kept: it has more than 4 MiB",
  "not-written": "was not kept: the ledger could not write it",
} as const;
