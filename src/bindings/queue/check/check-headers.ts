import { quote } from "../../../core/names.js";
import { checkScalars, type Place } from "../../values/check-value.js";
import type { QueueConfig } from "../model.js";

/** Headers hold text, and none of them is one that the provider reads otherwise. */
export function checkHeaders(place: Place, config: QueueConfig): void {
  for (const { value } of config.headers) checkScalars(place, value, "a header");
  checkNames(place, config);
  if (config.provider.name === "rabbitmq") checkCopies(place, config);
  if (config.provider.name === "kafka") checkIdempotencyHeader(place, config);
}

/** AMQP's limit on names, in bytes. */
const shortBytes = 255;

function checkNames({ report }: Place, { headers, provider }: QueueConfig): void {
  const code = "queue/bad-header";
  for (const { name, span } of headers) {
    const bytes = Buffer.byteLength(name);
    if (bytes === 0)
      report.add({ code, span, message: "the name of a header is empty", help: "write its name" });
    if (bytes <= shortBytes || provider.name !== "rabbitmq") continue;
    const message = `the name of a header has ${bytes} bytes, and RabbitMQ takes ${shortBytes} at most`;
    report.add({ code, span, message });
  }
}

/** RabbitMQ's sender-selected distribution: it takes them for lists, and closes the channel over text. */
function checkCopies({ report }: Place, { headers }: QueueConfig): void {
  for (const { name, span } of headers) {
    if (name !== "CC" && name !== "BCC") continue;
    report.add({
      code: "queue/routing-header",
      span,
      message: `${quote(name)} is RabbitMQ's list of queues that get copies, and refused as text`,
      help: "name the header otherwise, such as in lower case; for copies bind more queues to the exchange",
    });
  }
}

/** The key of `idempotency` goes out as this header. */
function checkIdempotencyHeader({ report }: Place, { headers, idempotencyKey }: QueueConfig): void {
  const header = headers.find(({ name }) => name.toLowerCase() === "idempotency-key");
  if (header === undefined || idempotencyKey === undefined) return;
  report.add({
    code: "queue/duplicate-header",
    span: header.span,
    message: `${quote(header.name)} is given twice: on Kafka \`idempotency\` is that header`,
    help: "remove the header",
    related: [{ span: idempotencyKey.span, message: "the other one" }],
  });
}
