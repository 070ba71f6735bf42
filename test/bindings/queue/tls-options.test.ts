/**
 * Files that a URL with TLS names: an unusable file is reported when the URL is read, for all
 * providers, and is not retried.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { UnusableUrl } from "../../../src/runtime/connection/errors.js";
import { readSettings } from "../../../src/bindings/queue/providers/kafka/send/settings.js";
import { readRabbitmqUrl } from "../../../src/bindings/queue/providers/rabbitmq/send/rabbitmq-url.js";
import { readRedisUrl } from "../../../src/runtime/redis/url.js";
import { writeCertificate } from "./support/certificate.js";

const folder = mkdtempSync(join(tmpdir(), "skillc-tls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { ca, key } = writeCertificate(folder);
const certificate = readFileSync(ca, "utf8");
const openssl = (...args: readonly string[]) =>
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
openssl("genrsa", "-out", "other.pem", "2048");
openssl("rsa", "-aes256", "-passout", "pass:s3cret", "-in", key, "-out", "encrypted.pem");
mkdirSync(join(folder, "folder"));
writeFileSync(join(folder, "text.pem"), "s3cret text");
writeFileSync(join(folder, "bundle.pem"), `# two of them\n${certificate}\n${certificate}`);
writeFileSync(join(folder, "cut.pem"), certificate.slice(0, 400));
writeFileSync(join(folder, "second-cut.pem"), certificate + certificate.slice(0, 400));

const readers = [
  ["kafkas", readSettings],
  ["amqps", readRabbitmqUrl],
  ["rediss", readRedisUrl],
] as const;

describe.each(readers)("URL of %s", (scheme, read) => {
  test.each([
    ["ca=text.pem", "has a `ca` without a certificate (PEM)"],
    ["ca=cut.pem", "has a `ca` without a certificate (PEM)"],
    ["ca=second-cut.pem", "has a `ca` with an unreadable certificate"],
    ["ca=key.pem", "has a `ca` without a certificate (PEM)"],
    ["ca=folder", "has an unreadable file as `ca`"],
    ["cert=key.pem&key=key.pem", "has a `cert` without a certificate (PEM)"],
    ["cert=cert.pem&key=text.pem", "has a `key` without a private key (PEM)"],
    ["cert=cert.pem&key=cert.pem", "has a `key` without a private key (PEM)"],
    ["cert=cert.pem&key=encrypted.pem", "has an encrypted `key`: remove the passphrase"],
    ["cert=cert.pem&key=other.pem", "has a `key` that doesn't match its `cert`"],
  ])("rejects %s: it %s", (query, message) => {
    let thrown: unknown;
    try {
      read(`${scheme}://host?${query}`, folder);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(new UnusableUrl(message));
  });

  test.each([
    "ca=cert.pem",
    "ca=bundle.pem",
    "cert=cert.pem&key=key.pem",
    "cert=bundle.pem&key=key.pem&ca=cert.pem",
  ])("accepts %s", (query) => {
    const [[name, path] = ["", ""]] = [...new URLSearchParams(query)];
    const settings = read(`${scheme}://host?${query}`, folder);
    expect(settings.tls).toHaveProperty(name, readFileSync(join(folder, path)));
  });
});
