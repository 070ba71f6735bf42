/** HTTP tools of contract 1 as skillc wrote them once `auth`, bodies, styles, statuses and pages had come: each still makes its request and reads its answer. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/index.js";
import { listed } from "../support/listed.js";
import {
  charge,
  findOrders,
  getProduct,
  listOrders,
  listProducts,
  putObject,
  renameProduct,
  search,
} from "./1.1/generated/shop/index.js";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** By path with query, what the shop answers. */
const answers: Readonly<Record<string, Answer>> = {
  "/token": { body: { access_token: "a-token", token_type: "bearer", expires_in: 3600 } },
  "/products/mug-1": {
    headers: { etag: '"7"' },
    body: { sku: "mug-1", price: 4.35, parts: [{ sku: "cup-1" }] },
  },
  "/products/cup-1": { status: 404, body: { since: "2020" } },
  "/products/cup-2": { status: 404, body: {} },
  "/products/cup-3": { status: 409, body: "busy" },
  "/products?shelf=top&key=a-key": {
    headers: { link: '</products?page=2>; rel="next"' },
    body: [{ sku: "mug-1" }],
  },
  "/products?page=2&key=a-key": { body: [{ sku: "mug-2" }] },
  "/orders": { body: { orders: [{ id: "a" }], next: "c" } },
  "/orders?after=c": { body: { orders: [{ id: "b" }], next: null } },
  "/search?q=mug": {
    body: {
      found: [
        { sku: "a", stock: 1 },
        { sku: "b", stock: 0 },
      ],
    },
  },
  "/objects/a/b": { body: null },
};

describe("the later folder of contract 1", () => {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    const { status = 200, headers, body } = answers[request.url ?? ""] ?? { status: 500, body: "" };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
  let runtime = createRuntime({ inherit: false, ledger: false });

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A TCP server that listens has an address of this form.
    const { port } = server.address() as AddressInfo;
    const credentials = {
      SHOP_URL: `http://127.0.0.1:${port}`,
      SHOP_KEY: "a-key",
      SHOP_USER: "ada-of-the-desk",
      SHOP_SECRET: "s3cret",
      SHOP_CERT: "no certificate",
      SHOP_CERT_KEY: "no key",
    };
    runtime = createRuntime({ inherit: false, ledger: false, credentials });
  });
  afterAll(() => void server.close());

  const authorizationOf = (path: string) =>
    received.findLast(({ url }) => url === path)?.headers.authorization;

  test("gets a token, and gives the headers of an answer beside its data", async () => {
    expect(await getProduct({ sku: "mug-1" }, { runtime })).toEqual({
      status: "success",
      data: { sku: "mug-1", price: 4.35, parts: [{ sku: "cup-1" }] },
      headers: { etag: '"7"' },
    });
    expect(authorizationOf("/products/mug-1")).toBe("Bearer a-token");
  });

  test.each([
    ["cup-1", { status: "gone", error: "2020", status_code: 404 }],
    ["cup-2", { status: "error", error: {}, status_code: 404 }],
    ["cup-3", { status: "refused", error: "busy", status_code: 409 }],
  ])("maps the status of the answer for %s", async (sku, answer) => {
    expect(await getProduct({ sku }, { runtime })).toEqual(answer);
  });

  test("goes from page to page, by header and by cursor", async () => {
    const products = await listed(listProducts.all({ shelf: "top" }, { runtime }));
    expect(products).toEqual([{ sku: "mug-1" }, { sku: "mug-2" }]);
    const orders = await listed(listOrders.pages({}, { runtime }));
    expect(orders).toMatchObject([{ next: expect.any(String) as string }, { next: null }]);
    expect(authorizationOf("/orders?after=c")).toBe(
      `Basic ${Buffer.from("ada-of-the-desk:s3cret").toString("base64")}`,
    );
  });

  test("finds many values by a path", async () => {
    expect(await search({ text: "mug" }, { runtime })).toMatchObject({ data: ["a"] });
    expect(authorizationOf("/search?q=mug")).toBe("Bearer a-key");
  });

  test("writes lists and objects in their styles, and cookies", async () => {
    const by = { ids: ["a", "b/c"], filter: { total: { gte: 5 } } };
    await findOrders(by, { runtime });
    const asked = received.at(-1);
    expect(asked?.url).toBe("/found/;these=a;these=b%2Fc?filter%5Btotal%5D%5Bgte%5D=5");
    expect(asked?.headers.cookie).toBe("channel=web");
  });

  test("signs the exact request that it sends", async () => {
    expect(await putObject({ key: "a/b", content: "x,y" }, { runtime })).toEqual({
      status: "success",
      data: null,
    });
    expect(received.at(-1)?.headers).toMatchObject({
      authorization: expect.stringContaining("AWS4-HMAC-SHA256 Credential=ada-of-the-desk/"),
      "content-type": "text/csv",
      "content-length": "3",
    });
  });

  test("shows forms, texts and who signs them in shadow mode", async () => {
    const as = { runtime, mode: "shadow" } as const;
    expect(await charge({ amount: 5, items: [{ price: "a" }] }, as)).toMatchObject({
      request: {
        headers: { authorization: "Basic ${SHOP_KEY}:" },
        body: { amount: "5", "items[0][price]": "a" },
      },
    });
    expect(await putObject({ key: "a/b", content: "x,y" }, as)).toMatchObject({
      request: {
        url: "${SHOP_URL}/objects/a/b",
        headers: { authorization: "AWS4-HMAC-SHA256 Credential=${SHOP_USER}" },
        body: "x,y",
      },
    });
    expect(await renameProduct({ sku: "mug-1", name: "Mug" }, as)).toMatchObject({
      request: { url: "${SHOP_URL}/products/mug-1", body: { name: "Mug" } },
    });
  });
});
