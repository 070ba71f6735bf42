import type { Report } from "../../../core/report.js";
import type { HttpConfig } from "../model.js";

/** Reports a name or pages of a 202 that is polled: it is not an answer. */
export function checkPoll({ pagination, poll, statuses }: HttpConfig, report: Report): void {
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
}
