import type { WriteOutcome } from "../../../../runtime/sink.js";
import { RefusedMessage } from "../faults.js";
import { blamesOneMessage, failureOf, faultOf, isTooLarge, withSize } from "./failures.js";
import { tooLarge } from "./limit.js";
import type { Batch } from "./outbox.js";
import type { KafkaSettings } from "./settings.js";
import { batchSize } from "./waiting.js";

/**
 * What the calls of a batch that failed are told; `divide`: that is not to say before there are fewer in it.
 *
 * @param outcome what is known of it
 */
export async function judge(
  settings: KafkaSettings,
  topic: string,
  batch: Batch,
  error: unknown,
  outcome: WriteOutcome,
): Promise<Error | "divide"> {
  const fault = faultOf(error);
  const bytes = batchSize(batch.messages);
  // One that may have been written is not made smaller and written again.
  const isRefused = outcome === "not-done";
  if (isRefused && blamesOneMessage(fault) && batch.messages.length > 1) return "divide";
  if (isRefused && isTooLarge(fault))
    return new RefusedMessage(await tooLarge(settings, topic, bytes));
  return withSize(failureOf(error, outcome), bytes);
}
