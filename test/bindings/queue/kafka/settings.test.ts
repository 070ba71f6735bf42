import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { UnusableUrl } from "../../../../src/runtime/connection/errors.js";
import { readSettings } from "../../../../src/bindings/queue/providers/kafka/send/settings.js";
import { writeCertificate } from "../support/certificate.js";

const read = (url: string) => readSettings(url, tmpdir());
const plain = { clientId: "skillc", createsTopics: false };

test.each([
  ["kafka://h", { ...plain, brokers: ["h:9092"] }],
  ["kafka://h:1/", { ...plain, brokers: ["h:1"] }],
  ["KAFKA://a.b,c-d:2,10.0.0.1:3", { ...plain, brokers: ["a.b:9092", "c-d:2", "10.0.0.1:3"] }],
  [
    "kafka://h?client_id=shop&create_topics=true",
    { clientId: "shop", createsTopics: true, brokers: ["h:9092"] },
  ],
  [
    "kafka://u:p%40%2C%3A@h,i:2",
    {
      ...plain,
      brokers: ["h:9092", "i:2"],
      login: { mechanism: "plain", username: "u", password: "p@,:" },
    },
  ],
  [
    "kafkas://u:p@h?sasl=scram-sha-512",
    {
      ...plain,
      brokers: ["h:9092"],
      login: { mechanism: "scram-sha-512", username: "u", password: "p" },
      tls: {},
    },
  ],
  [
    "kafkas://h,i?servername=x",
    { ...plain, brokers: ["h:9092", "i:9092"], tls: { servername: "x" } },
  ],
  [
    "kafkas://h?tls=insecure",
    { ...plain, brokers: ["h:9092"], tls: { rejectUnauthorized: false } },
  ],
])("reads the settings in %s", (url, settings) => {
  expect(read(url)).toEqual(settings);
});

test("reads the files of certificates that a URL names", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-kafka-"));
  const { ca } = writeCertificate(folder);
  const url = `kafkas://h?ca=${basename(ca)}`;
  expect(readSettings(url, folder).tls).toEqual({ ca: readFileSync(ca) });
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["kafka://", "has no host"],
  ["kafka://h,", "has a host that is neither a name nor an IPv4 address"],
  ["kafka://h,i:70000", "has a host that is neither a name nor an IPv4 address"],
  ["kafka://[::1]:9092", "has a host that is neither a name nor an IPv4 address"],
  ["kafka://h,[::1]", "has a host that is neither a name nor an IPv4 address"],
  ["kafka://h/topic", "has a path, but a Kafka URL has none"],
  ["kafka://u@h", "has a user but no password"],
  ["kafka://:secret@h", "has a password but no user"],
  ["kafka://u:%zz@h", "has an invalid `%` escape in its password"],
  [
    "kafka://u:sec#ret@h",
    "is not a valid URL; percent-encode user and password: `#` is `%23`, `/` is `%2F`, `?` is `%3F`",
  ],
  ["kafka://h?sasl=plain", "has `sasl`, but no user and password"],
  [
    "kafka://u:secret@h?sasl=gssapi",
    "has a `sasl` that is not plain or scram-sha-256 or scram-sha-512",
  ],
  ["kafka://h?ca=x", "has the option `ca`, which needs a URL with TLS"],
  ["kafkas://h?ca=no-such-file", "has an unreadable file as `ca`"],
  ["kafkas://h?tls=secret", "has a `tls` option other than `tls=insecure`"],
  ["kafka://h?create_topics=secret", "has a `create_topics` that is not true or false"],
  ["kafka://h?client_id=a&client_id=b", "has `client_id` twice"],
])("rejects the URL %s", (url, message) => {
  expect(() => read(url)).toThrow(new UnusableUrl(message));
});

test.each([
  "secret",
  "amqp://secret",
  "kafka://h?brokers=secret",
  "kafka://u:p?secret=1@h",
  "kafka://u:secret,@h:x",
])("reports the mistake in %s without any of its values", (url) => {
  const error = catching(() => read(url));
  expect(error).toBeInstanceOf(UnusableUrl);
  expect(error.message).not.toMatch(/secret(?!`)/);
});

function catching(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
