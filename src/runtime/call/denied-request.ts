import { hash } from "node:crypto";
import type { JsonValue } from "../json/json.js";
import type { OmittedRequest } from "../ledger/record.js";
import type { Call } from "./call.js";
import { prepare } from "./steps/prepare.js";
import { describeRequest } from "./steps/shadow.js";
import { turnPage } from "./steps/turn-page.js";
import { validate } from "./steps/validate.js";

/**
 * The request of a call that governance refused, as shadow mode would have recorded it. It is built of
 * the parameters, as for a dry run: no credential, file or service is asked for it. Undefined where no
 * request can be built.
 */
export function deniedRequest(call: Call): JsonValue | undefined {
  // The call that ended stays as it was, and nobody counts this as one.
  const dry: Call = { ...call, preflight: { budget: [] } };
  try {
    if (dry.args === undefined) {
      validate(dry);
      turnPage(dry);
    }
    if (dry.prepared === undefined) prepare(dry);
    return dry.prepared && describeRequest(dry.prepared, dry);
  } catch {
    return undefined;
  }
}

/** Bytes of a refused request that its record has; of a longer one it has the size and the digest. */
const longestDenied = 64 * 1024;

/** @param json of a request, without anything secret */
export function shortDenied(json: string): string {
  const bytes = Buffer.byteLength(json);
  if (bytes <= longestDenied) return json;
  const sha256 = hash("sha256", json, "hex");
  return JSON.stringify({ omitted: "too-large", bytes, sha256 } satisfies OmittedRequest);
}
