import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** A self-signed certificate for `queue.test` and its key, as files of a folder. */
export function writeCertificate(folder: string): { readonly ca: string; readonly key: string } {
  const ca = join(folder, "cert.pem");
  const key = join(folder, "key.pem");
  const subject = ["-subj", "/CN=queue.test", "-addext", "subjectAltName=DNS:queue.test"];
  const files = ["-keyout", key, "-out", ca];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...files], {
    stdio: "ignore",
  });
  return { ca, key };
}
