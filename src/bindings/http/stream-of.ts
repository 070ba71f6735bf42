import type { StreamedAnswer } from "../../kit/binding.js";
import type { AnswerForm } from "./model.js";

/** What a stream gives; undefined for an answer that is none. */
export function streamOf(form: AnswerForm | undefined): StreamedAnswer | undefined {
  if (form?.as === "ndjson") return "items";
  return form?.as === "sse" ? "events" : undefined;
}
