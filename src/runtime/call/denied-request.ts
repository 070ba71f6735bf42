import { hash } from "node:crypto";
import type { JsonValue } from "../json/json.js";
import type { OmittedRequest } from "../ledger/record.js";
import type { AnyResult } from "../result.js";
import type { PreparedCall } from "./binding.js";
import type { Call } from "./call.js";
import { prepare } from "./steps/prepare.js";
import { describeRequest } from "./steps/shadow.js";
import { turnPage } from "./steps/turn-page.js";
import { validate } from "./steps/validate.js";

/**
 * Returns the request of a call that governance denied, as shadow mode would record it. It is built
 * from the parameters as in a dry run, without credentials, files or services. Undefined if it
 * can't be built.
 */
export function deniedRequest(call: Call): JsonValue | undefined {
  return describeDenied(call, describeRequest);
}

/** Returns the same request with the values of masked parameters. */
export function unmaskedRequest(call: Call): JsonValue | undefined {
  return describeDenied(call, (prepared) => prepared.describe());
}

function describeDenied(
  call: Call,
  describe: (prepared: PreparedCall<AnyResult>, dry: Call) => JsonValue,
): JsonValue | undefined {
  // Work on a copy, so that the ended call doesn't change. A dry run is not counted as a call.
  const dry: Call = { ...call, preflight: { budget: [] } };
  try {
    if (dry.args === undefined) {
      validate(dry);
      turnPage(dry);
    }
    if (dry.prepared === undefined) prepare(dry);
    return dry.prepared && describe(dry.prepared, dry);
  } catch {
    return undefined;
  }
}

/**
 * Maximum size of a recorded request, in bytes. For a longer one, the size and digest are recorded.
 */
const longestDenied = 64 * 1024;

/**
 * Shortens a denied request.
 *
 * @param json the request, without credentials and masked values
 */
export function shortDenied(json: string): string {
  const bytes = Buffer.byteLength(json);
  if (bytes <= longestDenied) return json;
  const sha256 = hash("sha256", json, "hex");
  return JSON.stringify({ omitted: "too-large", bytes, sha256 } satisfies OmittedRequest);
}
