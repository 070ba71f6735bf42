import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { segment, styled } from "../../../../src/bindings/http/execute.js";
import { runs } from "../../../support/runs.js";
import { describeUnless } from "../../../support/service.js";
import { absenceOfNginx, startNginx } from "./nginx.js";
import { call, serve } from "./support.js";

/** A tool that reads an invoice of one tenant, behind a proxy that decodes paths and resolves them. */
async function invoices() {
  const upstream = await serve();
  const nginx = await startNginx(
    `location /tenants/ { proxy_pass ${upstream.url}/api/tenants/; } location / { return 404; }`,
  );
  onTestFinished(() => nginx.close());
  const start = `${nginx.url}/tenants/acme/invoices/`;
  /** The path that the upstream saw; undefined for a value that was refused. */
  const seen = async (value: string, reserved = false): Promise<string | undefined> => {
    const { length } = upstream.received;
    const text = reserved ? styled(value, "simple", { reserved }) : value;
    try {
      await call({ request: () => ({ url: [start, segment("/id", text)] }) });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "RefusedValue") throw error;
      return upstream.received.length === length ? undefined : "refused, and sent all the same";
    }
    return upstream.received[length]?.path ?? "nothing";
  };
  return { seen };
}

describeUnless(absenceOfNginx, "a path parameter behind nginx", () => {
  test("a value that climbs does not lead to another tenant's path", async () => {
    const { seen } = await invoices();
    const climbing = ["../../other/invoices/7", "..", ".", "a/../../x", "..%2f..%2fother", "..;/x"];
    for (const value of climbing) {
      expect(await seen(value)).toBeUndefined();
      expect(await seen(value, true)).toBeUndefined();
    }
    for (const value of ["/other", "a//b"]) expect(await seen(value, true)).toBeUndefined();
  });

  test("a value with a slash leads to a path below its own place", async () => {
    const { seen } = await invoices();
    expect(await seen("7")).toBe("/api/tenants/acme/invoices/7");
    expect(await seen("a/b")).toBe("/api/tenants/acme/invoices/a/b");
    expect(await seen("...")).toBe("/api/tenants/acme/invoices/...");
    expect(await seen("a/b", true)).toBe("/api/tenants/acme/invoices/a/b");
  });

  describe("arbitrary text", () => {
    test("nginx never resolves a text that was sent to a path above its place", async () => {
      const { seen } = await invoices();
      const pieces = [
        "..",
        ".",
        "/",
        "\\",
        ";",
        "%2e",
        "%2f",
        "%25",
        "a",
        "é",
        "\0",
        "\t",
        "?",
        "#",
      ];
      const value = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(value, fc.boolean(), async (texts, reserved) => {
          const path = await seen(texts.join(""), reserved);
          // NUL is a bad request to nginx, which passes nothing on.
          expect(path ?? "nothing").toMatch(/^(?:nothing|\/api\/tenants\/acme\/invoices\/.*)$/);
        }),
        { numRuns: runs(300) },
      );
    });
  });
});
