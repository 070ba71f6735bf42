import kafkajs from "kafkajs";
import type { WriteOutcome } from "../../../../../runtime/executor.js";
import { RejectedMessage } from "../../../send/failures.js";
import { type Batch, batchSize } from "./batch.js";
import { createClient } from "./client.js";
import { isOfOneMessage, failureOf, readKafkaFailure, isTooLarge, withSize } from "./failures.js";
import type { KafkaSettings } from "./settings.js";
import { createSockets } from "./sockets.js";

/**
 * Returns the error for all calls of a failed batch. If the messages should be sent again in
 * smaller batches, returns the reason for that instead.
 *
 * @param outcome whether the batch was written, as far as it is known
 */
export async function classifyFailure(
  settings: KafkaSettings,
  topic: string,
  batch: Batch,
  error: unknown,
  outcome: WriteOutcome,
): Promise<Error | "too large" | "one refused"> {
  const problem = readKafkaFailure(error);
  const bytes = batchSize(batch.messages);
  // A batch that may have been written must not be split and written again.
  const isRefused = outcome === "not-done";
  const isAlone = batch.messages.length === 1;
  if (isRefused && isTooLarge(problem))
    return isAlone ? new RejectedMessage(await tooLarge(settings, topic, bytes)) : "too large";
  if (isRefused && isOfOneMessage(problem) && !isAlone) return "one refused";
  return withSize(failureOf(error, outcome), bytes);
}

/** The limit only improves the error message, so don't wait longer for it. */
const askMs = 2000;

const option = "max.message.bytes";

/**
 * Makes the error for a message that is too large, with the topic's limit if the broker reports it.
 */
async function tooLarge(settings: KafkaSettings, topic: string, bytes: number): Promise<string> {
  const limit = await limitOf(settings, topic).catch(() => undefined);
  const most = limit === undefined ? "which the broker doesn't report" : `which is ${limit} bytes`;
  return `the message has ${bytes} bytes, more than the topic's \`${option}\`, ${most}`;
}

async function limitOf(settings: KafkaSettings, topic: string): Promise<number | undefined> {
  const sockets = createSockets({ ms: askMs }, () => {});
  const { kafka } = createClient(settings, sockets);
  const admin = kafka.admin({ retry: { retries: 0 } });
  const ask = async () => {
    await admin.connect();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: [option] }],
    });
    const entry = resources[0]?.configEntries.find(({ configName }) => configName === option);
    return /^\d{1,15}$/.test(entry?.configValue ?? "") ? Number(entry?.configValue) : undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, askMs, undefined);
  });
  try {
    return await Promise.race([ask(), silence]);
  } finally {
    clearTimeout(timer);
    sockets.close();
  }
}
