/** Calls of the case http-answers over a loopback server. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { answer, createMemoryLedger, createRuntime, queryLedger } from "../../src/runtime/index.js";
import { serve } from "../bindings/http/execute/support.js";
import { getProduct } from "../cases/http-answers/generated/shop/index.js";

const token = "a-token-that-no-one-sees";

/** A runtime whose shop is a server. */
const shopAt = (url: string, options: Parameters<typeof createRuntime>[0] = {}) =>
  createRuntime({
    inherit: false,
    ledger: false,
    credentials: { SHOP_URL: url, SHOP_TOKEN: token },
    ...options,
  });

const product = { sku: "m-1", price: 900 };
const json = { "content-type": "application/json" };

describe("headers beside the data", () => {
  test("keep their own names, and are null if the answer has none", async () => {
    const { url } = await serve((response) =>
      response.writeHead(200, { ...json, ETag: '"7"' }).end(JSON.stringify(product)),
    );
    const result = await getProduct({ sku: "m-1" }, { runtime: shopAt(url) });
    expect(result).toEqual({
      status: "success",
      data: product,
      headers: { etag: '"7"', remaining: null },
    });
    if (result.status === "success")
      expectTypeOf(result.headers).toEqualTypeOf<{
        readonly etag: string | null;
        readonly remaining: string | null;
      }>();
  });

  test("do not appear beside an error", async () => {
    const { url } = await serve((response) => response.writeHead(404, { ETag: '"7"' }).end());
    const result = await getProduct({ sku: "m-1" }, { runtime: shopAt(url) });
    expect(result).toEqual({ status: "not_found", error: null, status_code: 404 });
  });

  test("contain the name of a credential instead of its value, in the result and in the ledger", async () => {
    const { url } = await serve((response) =>
      response
        .writeHead(200, { ...json, "X-RateLimit-Remaining": `of ${token}: 5` })
        .end(JSON.stringify(product)),
    );
    const ledger = createMemoryLedger();
    const result = await getProduct({ sku: "m-1" }, { runtime: shopAt(url, { ledger }) });
    expect(result).toMatchObject({ headers: { remaining: "of ${SHOP_TOKEN}: 5" } });
    for await (const call of queryLedger({ ledger })) {
      expect(JSON.stringify(call)).toContain("${SHOP_TOKEN}");
      expect(JSON.stringify(call)).not.toContain(token);
    }
  });

  test("contain null for a handler that returns only data, and else the handler's own", async () => {
    const handled = (headers: { etag: string; remaining: null } | undefined) =>
      getProduct(
        { sku: "m-1" },
        {
          runtime: shopAt("http://127.0.0.1:1", {
            handlers: {
              "shop/get-product": async () =>
                headers === undefined
                  ? product
                  : answer({ status: "success", data: product, headers }),
            },
          }),
        },
      );
    expect(await handled(undefined)).toMatchObject({ headers: { etag: null, remaining: null } });
    expect(await handled({ etag: "a", remaining: null })).toMatchObject({
      headers: { etag: "a", remaining: null },
    });
  });
});
