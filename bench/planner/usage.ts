import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { LlmMessage } from "../../src/planner/index.js";
import type { JsonValue } from "../../src/core/json.js";

/** Requests to a model, and the tokens of what was sent and answered. */
export interface Usage {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

export const nothing: Usage = { calls: 0, input: 0, output: 0 };

/** A request, as far as it costs tokens. */
export interface CountedRequest {
  readonly messages: readonly LlmMessage[];
  /** JSON Schema of the answer, which a provider adds to the prompt. */
  readonly schema: JsonValue;
}

/** Counts one request and its answer with the tokens of `o200k_base`. */
export function usageOf({ messages, schema }: CountedRequest, answer: string): Usage {
  const texts = messages.map(({ content }) => content).concat(JSON.stringify(schema));
  const input = texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { calls: 1, input, output: countTokens(answer) };
}

export function sumOf(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (sum, { calls, input, output }) => ({
      calls: sum.calls + calls,
      input: sum.input + input,
      output: sum.output + output,
    }),
    nothing,
  );
}

/** Input and output together. */
export function tokensOf({ input, output }: Usage): number {
  return input + output;
}
