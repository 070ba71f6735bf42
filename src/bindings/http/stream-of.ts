import type { StreamedAnswer } from "../../kit/binding.js";
import type { AnswerForm } from "./model.js";

/** The kind of a streamed result; undefined if it is no stream. */
export function streamOf(form: AnswerForm | undefined): StreamedAnswer | undefined {
  if (form?.as === "ndjson") return "items";
  return form?.as === "sse" ? "events" : undefined;
}
