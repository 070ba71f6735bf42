import type { DiagnosticCode } from "../../../core/diagnostic.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import type { ValueFacts } from "../../../schema/look-up.js";
import { didYouMeanOrListed } from "../../../schema/suggestion.js";
import { typeWords } from "../../../kit/type-words.js";
import type { HttpConfig, PathModel, PollModel } from "../model.js";
import { placeInBody } from "./body-place.js";

/**
 * Reports a name for the status 202, because a polled 202 is never the answer. Also reports pages
 * beside a poll, and states that the body can't have.
 */
export function checkPoll(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { pagination, poll, statuses } = config;
  if (poll === undefined) return;
  const named = statuses.find(({ code }) => code === "202");
  if (named !== undefined)
    report.add({
      code: "http/bad-poll",
      span: named.span,
      message: "`poll` follows up a 202, so 202 is never the final status",
      help: "remove 202 from `status_codes`, or remove `poll`",
      related: [{ span: poll.span, message: "polled here" }],
    });
  if (pagination !== undefined)
    report.add({
      code: "http/bad-poll",
      span: poll.span,
      message: "a binding can't have both `poll` and `paginate`",
      help: "remove `poll` or `paginate`",
      related: [{ span: pagination.span, message: "the pages" }],
    });
  const state = placeInBody(poll.state, tool, config, report);
  if (poll.state && state) checkStates(poll, poll.state, state.facts, report);
}

/**
 * Reports states that the schema of the body excludes. skillc would poll until its time is over.
 */
function checkStates(poll: PollModel, path: PathModel, facts: ValueFacts, report: Report): void {
  const { enum: values, types } = facts;
  if (types.length > 0 && types.every((type) => type === "object" || type === "array"))
    return report.add({
      code: "http/bad-poll",
      span: path.span,
      message: `${quote(path.text)} is ${typeWords(types)} by the schema, but a state is text, a number or a boolean`,
      help: "write the path to the state itself: `state: $.status`",
    });
  if (values === undefined) return;
  const states = new Set(values.filter((each) => each !== null).map(String));
  const { done, doneSpans = [], failed, failedSpans = [] } = poll;
  const tell = (code: DiagnosticCode, state: string, span: Span = path.span) =>
    report.add({
      code,
      span,
      message: `${quote(path.text)} is never ${quote(state)} by the schema`,
      help: didYouMeanOrListed(state, [...states], "it is one of"),
    });
  for (const [index, state] of done.entries())
    if (!states.has(state)) tell("http/bad-poll", state, doneSpans[index]);
  // A schema with only the states of a success may omit those of a failure.
  const ending = new Set(done);
  if ([...states].every((each) => ending.has(each))) return;
  for (const [index, state] of failed.entries())
    if (!states.has(state)) tell("http/unknown-state", state, failedSpans[index]);
}
