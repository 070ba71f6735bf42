/*
 * The checks of a queue tool. `check-target` checks where messages go, and `check-message` their
 * content: it compares the message as it was written (`written-schema`) with the message's schema,
 * and `report-mismatches` reports each mismatch at its place in SKILL.md. `check-returns` compares
 * the provider's receipt with `returns`, and `check-named-values` finds values that no provider can
 * send.
 */
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { callerRoot } from "../../kit/caller-root.js";
import { checkCoverage } from "../../kit/coverage.js";
import { checkIdempotencyKey } from "../../kit/idempotency-key.js";
import { betweenBracesIn } from "../../kit/unused-parameters.js";
import { checkLiteral, checkLiteralsBelow } from "../../kit/values/check-literal.js";
import { checkScalars, checkValue, type CheckContext } from "../../kit/values/check-value.js";
import { templatesBelow } from "../../kit/values/templates-in.js";
import { checkMessage } from "./check/check-message.js";
import { checkNamedValues } from "./check/check-named-values.js";
import { checkReturns } from "./check/check-returns.js";
import { checkTarget } from "./check/check-target.js";
import { type QueueConfig, type QueueValue, templatesOfTarget } from "./model.js";
import { providerNamed } from "./providers/registry.js";

/** Checks the rules of queue bindings that need the whole tool. */
export function checkQueue(tool: ToolModel, config: QueueConfig, report: Report): void {
  const { headers, idempotencyKey, message, target } = config;
  const place: CheckContext = { kind: "queue", json: "the message", tool, report };
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
      roots: [callerRoot],
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

/** Checks headers: each has a name and a text. */
function checkHeaders(place: CheckContext, { headers }: QueueConfig): void {
  for (const { name, span, value } of headers) {
    checkScalars(place, value, "a header");
    if (name !== "") continue;
    const message = "the name of a header can't be empty";
    place.report.add({ code: "queue/bad-header", span, message, help: "write its name" });
  }
}

/**
 * Reports credentials in a message. All readers of the queue could see them, and the message is
 * encoded before any credential is opened.
 */
function checkMessageCredentials(message: QueueValue, report: Report): void {
  for (const part of templatesBelow(message).flatMap(({ parts }) => parts)) {
    if (part.kind !== "credential") continue;
    report.add({
      code: "queue/credential-in-message",
      span: part.span,
      message: `\`\${${part.name}}\` is in a message, which everybody with access to the queue can read`,
      help: "put a setting into `headers_mapping`; a credential belongs only in `connection`",
    });
  }
}
