import type { WriteOutcome } from "../../../../runtime/sink.js";
import { RefusedMessage } from "../faults.js";
import { type Batch, batchSize } from "./batch.js";
import { blamesOneMessage, failureOf, faultOf, isTooLarge, withSize } from "./failures.js";
import { tooLarge } from "./limit.js";
import type { KafkaSettings } from "./settings.js";

/**
 * What the calls of a batch that failed are told; or why that is not to say before its messages were sent in smaller ones.
 *
 * @param outcome what is known of it
 */
export async function judge(
  settings: KafkaSettings,
  topic: string,
  batch: Batch,
  error: unknown,
  outcome: WriteOutcome,
): Promise<Error | "too large" | "one refused"> {
  const fault = faultOf(error);
  const bytes = batchSize(batch.messages);
  // One that may have been written is not made smaller and written again.
  const isRefused = outcome === "not-done";
  const isAlone = batch.messages.length === 1;
  if (isRefused && isTooLarge(fault))
    return isAlone ? new RefusedMessage(await tooLarge(settings, topic, bytes)) : "too large";
  if (isRefused && blamesOneMessage(fault) && !isAlone) return "one refused";
  return withSize(failureOf(error, outcome), bytes);
}
