/** RabbitMQ's replies in skillc's errors: without quoted values and without control characters. */
import { expect, test } from "vitest";
import { LostBroker, RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { rejectionOf } from "../../../../src/bindings/queue/providers/rabbitmq/send/failures.js";

const closed = (text: string) =>
  Object.assign(
    new Error(`Channel closed by server: 406 (PRECONDITION-FAILED) with message "${text}"`),
    {
      code: 406,
    },
  );

const hidden = ["hunter-two", "guest", "ast"];

test.each([
  [
    "PRECONDITION_FAILED - user_id property set to 'o'x' but authenticated user was 'me'",
    "user_id property set to '…'",
  ],
  [
    "PRECONDITION_FAILED - invalid expiration 's3\ncret': no_integer",
    "invalid expiration '…': no_integer",
  ],
  ['PRECONDITION_FAILED - invalid "s3cret" and "CC" and "BCC"', 'invalid "…" and "CC" and "BCC"'],
  ['PRECONDITION_FAILED - a "quote that never ends: s3cret', 'a "…"'],
  ["PRECONDITION_FAILED - a 'quote that never ends: s3cret", "a '…'"],
  ["PRECONDITION_FAILED - the last password is hunter-two of guest", "the last password is … of …"],
  ["\u001b[2J\u202eevil\u2028", "\\u{1b}[2J\\u{202e}evil\\u{2028}"],
  [`PRECONDITION_FAILED - ${"long ".repeat(50)}`, `${"long ".repeat(32)}…`],
])("leaves values and control characters out of RabbitMQ's reply: %j", (text, quoted) => {
  expect(rejectionOf(closed(text), { bytes: 1 }, hidden)).toEqual(
    new RejectedMessage(`RabbitMQ refused the message: ${quoted} (PRECONDITION_FAILED)`),
  );
});

test.each(["", "PRECONDITION_FAILED", "PRECONDITION_FAILED - "])(
  "adds nothing for a reply without text: %j",
  (text) => {
    expect(rejectionOf(closed(text), { bytes: 1 }, hidden)).toEqual(
      new RejectedMessage("RabbitMQ refused the message (PRECONDITION_FAILED)"),
    );
  },
);

test("reports that an exchange is internal", () => {
  const text = `ACCESS_REFUSED - cannot publish to internal exchange 'x' in vhost '/'`;
  const error = Object.assign(
    new Error(`Channel closed by server: 403 (ACCESS-REFUSED) with message "${text}"`),
    {
      code: 403,
    },
  );
  expect(rejectionOf(error, { bytes: 1 }, [])).toEqual(
    new RejectedMessage(
      "RabbitMQ accepts no messages for this exchange, because it is internal (ACCESS_REFUSED)",
    ),
  );
});

test("treats an internal error of RabbitMQ as temporary", () => {
  const error = Object.assign(new Error("odd"), { code: 541 });
  expect(rejectionOf(error, { bytes: 1 }, [])).toEqual(new LostBroker("INTERNAL_ERROR"));
});
