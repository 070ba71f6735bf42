import { natsNames } from "@skillc/runtime/internal/queue";
import type { NatsReceipt } from "@skillc/runtime/v1/nats";
import { quote } from "../../../../core/names.js";
import type { CheckContext } from "../../../../kit/values/check-value.js";
import type { QueueConfig } from "../../model.js";
import {
  integerField,
  noTarget,
  type QueueProvider,
  type ReceiptField,
  textField,
  textKey,
  nameUnder,
} from "../provider.js";

export const nats: QueueProvider = {
  name: "nats",
  otherNames: ["jetstream", "nats-jetstream", "nats_jetstream"],
  title: "NATS",
  server: "a NATS server",
  types: { publication: "NatsPublication", receipt: "NatsReceipt" },
  packages: ["@nats-io/transport-node", "@nats-io/jetstream"],
  keys: { subject: textKey("the subject, which a JetStream stream must accept") },
  ways: [["subject"]],
  instead: new Map([
    ["topic", "NATS sends messages to a `subject`"],
    ["exchange", "NATS sends messages to a `subject`"],
    ["routing_key", "NATS routes by the `subject`"],
    ["key", "a stream keeps all its messages in order"],
    ["maxlen", "NATS sets limits on the stream itself"],
  ]),
  names: natsNames,
  readTarget(reading) {
    const subject = nameUnder(reading, "subject");
    if (subject === undefined) return noTarget(reading, "write `subject: …` beside it");
    return [{ kind: "name", field: "subject", template: subject }];
  },
  receiptOf: (): Record<keyof NatsReceipt, ReceiptField> => ({
    stream: textField("^[^\\s.*>]+$", "A", "ORDERS"),
    seq: integerField(1, Number.MAX_SAFE_INTEGER),
    duplicate: { type: "boolean", schema: { type: "boolean" }, examples: [false, true] },
  }),
  check: checkHeaders,
  explains: {
    target: "NATS needs a `subject`.",
    names:
      "A NATS subject has at most 1,024 bytes, and no space, `*` or `>`. It doesn't start with `$`, and has text before, between and after its dots.",
    receipt: "`stream`, `seq` and `duplicate` (NATS)",
    headerNames: "In NATS, the name has only printable ASCII characters, without `:`.",
    routingHeaders:
      "NATS reads a header that starts with `Nats-` as a command for the stream, for example to delete its messages.",
  },
};

function checkHeaders({ report }: CheckContext, { headers }: QueueConfig): void {
  for (const { name, span } of headers) {
    const foreign = /[^!-9;-~]/u.exec(name)?.[0];
    if (foreign !== undefined)
      report.add({
        code: "queue/bad-header",
        span,
        message: `the name of a header contains ${foreign === " " ? "a space" : `\`${foreign}\``}, which NATS rejects`,
      });
    // These headers check the state of the stream, or delete its messages.
    if (/^nats-/i.test(name))
      report.add({
        code: "queue/routing-header",
        span,
        message: `${quote(name)} is a command for the stream, like all headers that start with \`Nats-\``,
        help: "rename the header; for `Nats-Msg-Id`, write `idempotency: { key: … }`",
      });
  }
}
