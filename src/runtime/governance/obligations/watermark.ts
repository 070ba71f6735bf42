import type { Flat } from "./obliged-types.js";
import { answerKind } from "./obligation-kind.js";

/** Adds a text beside the data. */
export const watermark = answerKind({
  do: "watermark",
  summary: "a text beside the data",
  keys: {
    text: {
      form: "text",
      schema: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "Text of the watermark.",
      },
    },
  },
  effect: (answer, { text }) => ({ ...answer, watermark: text }) as typeof answer,
});

declare module "./obliged-types.js" {
  interface ObligedAnswers<Answer> {
    /** Adds the text to the answer's type. */
    readonly watermark: Flat<Answer & { readonly watermark?: string }>;
  }
}
