import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { checkCoverage } from "../coverage.js";
import { checkIdempotencyKey } from "../idempotency-key.js";
import { betweenBracesIn } from "../unused-parameters.js";
import { checkLiteral, checkLiteralsBelow } from "../values/check-literal.js";
import { checkValue, type Place } from "../values/check-value.js";
import { templatesBelow } from "../values/templates-in.js";
import { checkHeaders } from "./check/check-headers.js";
import { checkMessage } from "./check/check-message.js";
import { checkMessageCredentials } from "./check/check-message-credentials.js";
import { checkNamedValues } from "./check/check-named-values.js";
import { checkReturns } from "./check/check-returns.js";
import { checkTarget } from "./check/check-target.js";
import { type QueueConfig, templatesOfTarget } from "./model.js";
import { providerNamed } from "./providers/registry.js";

/** The rules of queue bindings that need the whole tool. */
export function checkQueue(tool: ToolModel, config: QueueConfig, report: Report): void {
  const { headers, idempotencyKey, message, target } = config;
  const place: Place = { kind: "queue", json: "the message", tool, report };
  const templates = [
    ...templatesOfTarget(target),
    ...headers.flatMap(({ value }) => templatesBelow(value)),
    ...(message.kind === "template" ? templatesBelow(message.value) : []),
  ];
  checkCoverage(
    tool,
    {
      kind: "queue",
      references: tool.binding.references,
      whole: config.whole,
      sendsRest: message.kind === "all",
      betweenBraces: templates.flatMap(({ parts }) => betweenBracesIn(parts)),
    },
    report,
  );
  checkTarget(place, config);
  checkHeaders(place, config);
  providerNamed(config.provider.name).check?.(place, config);
  if (idempotencyKey) checkIdempotencyKey(place, idempotencyKey, "put a parameter into it");
  const use = { sendsRest: message.kind === "all" };
  const texts = [
    ...templatesOfTarget(target),
    ...headers.flatMap(({ value }) => templatesBelow(value)),
  ];
  for (const template of texts) checkLiteral(place, { kind: "template", template }, use);
  if (message.kind === "template") {
    checkLiteralsBelow(place, message.value, use);
    checkMessageCredentials(message.value, report);
    checkValue(place, message.value);
  }
  checkMessage(place, config);
  checkNamedValues(place, config);
  if (tool.returns) checkReturns(tool.returns, config, report);
}
