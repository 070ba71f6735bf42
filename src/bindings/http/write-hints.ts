import type { ToolModel } from "../../core/skill-model.js";
import type { WriteHints } from "../../kit/write-hints.js";
import type { HttpConfig } from "./model.js";
import { isSuccessCode } from "./resolve/statuses.js";

/** A POST whose successes all say "created" (201) only adds. */
export function httpWriteHints(
  { binding }: ToolModel,
  { idempotency, method, statuses }: HttpConfig,
): WriteHints {
  const successes = statuses.filter(({ code }) => isSuccessCode(code));
  const creates = successes.length > 0 && successes.every(({ code }) => code === "201");
  // Without the author's key, each call sends another one, and the server can't see a repeat.
  const hasNewKey = idempotency !== undefined && idempotency.key === undefined;
  const isRepeatable = method.name === "PUT" || method.name === "DELETE";
  return {
    destructive: !(method.name === "POST" && creates),
    idempotent: binding.naturallyIdempotent || isRepeatable || (binding.idempotent && !hasNewKey),
  };
}
