import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { requestId } from "../../../src/runtime/governance/store/stored-request.js";

const facts = { tool: "desk/refund", manifest: "m", tenant: "acme", subject: "ada" };

/** Returns the hash of the facts in base64url, which may begin with `-`. */
function plainHash(digest: string): string {
  const { manifest, subject, tenant, tool } = facts;
  return hash("sha256", JSON.stringify([tool, manifest, digest, tenant, subject]), "base64url");
}

test("the id of a request never begins with `-`, which would be an option on the command line", () => {
  const digests = Array.from({ length: 2000 }, (_, at) => `digest-${at}`);
  const dashed = digests.filter((digest) => plainHash(digest).startsWith("-"));
  expect(dashed).not.toEqual([]);
  for (const digest of dashed) {
    const id = requestId({ ...facts, digest });
    expect(id).toMatch(/^\w[\w-]{42}$/);
    expect(id.slice(1)).toBe(plainHash(digest).slice(1));
  }
});
