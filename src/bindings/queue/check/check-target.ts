import { factsOf } from "../../coverage.js";
import { literalText, type TextTemplate } from "../../text-template.js";
import { checkScalars, doubtOf, type Place, reportParameter } from "../../values/check-value.js";
import type { TargetModel } from "../model.js";

/** Names that the broker takes, made of parameters that are there. */
export function checkTarget(place: Place, target: TargetModel): void {
  if (target.kind === "kafka") {
    checkName(place, target.topic, "a topic", kafkaFault);
    // A message without a key goes to any partition.
    if (target.key) checkScalars(place, { kind: "template", template: target.key }, "a key");
  } else if (target.kind === "rabbitmq") {
    if (target.exchange) checkName(place, target.exchange, "an exchange", shortFault);
    const what = target.exchange ? "a routing key" : "a queue";
    checkName(place, target.routingKey, what, shortFault);
  } else checkName(place, target.stream, "a stream", () => undefined);
}

function checkName(
  place: Place,
  template: TextTemplate,
  what: string,
  faultOf: (text: string) => string | undefined,
): void {
  checkScalars(place, { kind: "template", template }, what);
  for (const part of template.parts) {
    const doubt = part.kind === "parameter" ? doubtOf(factsOf(place.tool, part)) : undefined;
    if (part.kind !== "parameter" || doubt === undefined) continue;
    const fact = `is ${doubt}, and without it there is no name for ${what}`;
    reportParameter(place, "optional-in-target", part, fact, "make it required");
  }
  const whole = literalText(template);
  const texts = template.parts.flatMap((part) => (part.kind === "literal" ? [part.text] : []));
  const fault = whole === undefined ? texts.map(faultOf).find((each) => each) : faultOf(whole);
  if (fault === undefined) return;
  place.report.add({
    code: "queue/bad-target",
    span: template.span,
    message: `no broker takes this for ${what}: ${fault}`,
  });
}

/** Kafka's `Topic.validate`; parts of a name are held to the same. */
function kafkaFault(text: string): string | undefined {
  const bad = /[^\w.-]/u.exec(text)?.[0];
  if (bad !== undefined) return `it holds ${bad === " " ? "a space" : `\`${bad}\``}`;
  if (text === "." || text === "..") return "`.` and `..` are no names";
  return text.length > 249 ? "it is longer than 249 characters" : undefined;
}

/** AMQP 0-9-1's short string. */
function shortFault(text: string): string | undefined {
  return Buffer.byteLength(text) > 255 ? "it is longer than 255 bytes" : undefined;
}
