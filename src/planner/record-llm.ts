/** Records the answers of a model, and replays them, so that tests ask no model. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../core/canonical-json.js";
import { getOwn, type JsonValue, setOwn } from "../core/json.js";
import type { Llm, LlmAnswer, LlmRequest } from "./llm.js";

/** Answers by the fingerprint of their request, in the order of equal requests. JSON. */
export interface LlmRecording {
  [fingerprint: string]: LlmAnswer[];
}

/** Asks a model, and adds each answer to a recording, which may be written as JSON. */
export function recordLlm(llm: Llm, recording: LlmRecording): Llm {
  return {
    async complete(request) {
      const answer = await llm.complete(request);
      const fingerprint = fingerprintOf(request);
      setOwn(recording, fingerprint, [...(getOwn(recording, fingerprint) ?? []), answer]);
      return answer;
    },
  };
}

/**
 * Answers from a recording. The same request gets its answers in the order of their recording, and
 * the last one again.
 *
 * @throws Error for a request that was not recorded
 */
export function replayLlm(recording: LlmRecording): Llm {
  const counts = new Map<string, number>();
  return {
    async complete(request) {
      const fingerprint = fingerprintOf(request);
      const answers = getOwn(recording, fingerprint);
      const count = counts.get(fingerprint) ?? 0;
      counts.set(fingerprint, count + 1);
      const answer = answers?.[Math.min(count, answers.length - 1)];
      if (answer !== undefined) return answer;
      throw new Error(
        `no answer was recorded for this request (\`${request.name}\`, ${fingerprint}): record it again`,
      );
    },
  };
}

function fingerprintOf({ messages, name, schema }: LlmRequest): string {
  const asked: object = { name, messages, schema };
  return createHash("sha256")
    .update(canonicalJson(asked as JsonValue))
    .digest("hex")
    .slice(0, 32);
}
