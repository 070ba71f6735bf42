/** Pages of the case http-answers over a loopback server. */
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  answer,
  createMemoryLedger,
  createRuntime,
  currentCaller,
  dispatchTool,
  offerTools,
  queryLedger,
  resultForModel,
  type RuntimeOptions,
  withCaller,
} from "../../src/runtime/index.js";
import { governance } from "../../src/runtime/governance/index.js";
import { failure, type Received, serve } from "../bindings/http/execute/support.js";
import { catalog } from "../cases/http-answers/generated/catalog.js";
import {
  listOrders,
  listProducts,
  listReviews,
  search,
} from "../cases/http-answers/generated/shop/index.js";
import { tools } from "../cases/http-answers/generated/tools.js";
import { listed } from "../support/listed.js";
import { governedTool, policyOf } from "../runtime/governance/governed.js";

const token = "a-token-that-no-one-sees";

const shopAt = (url: string, options: RuntimeOptions = {}) =>
  createRuntime({
    inherit: false,
    ledger: false,
    credentials: { SHOP_URL: url, SHOP_TOKEN: token },
    ...options,
  });

const queryOf = ({ path }: Received) => new URL(path, "http://shop.example").searchParams;

/** Orders in pages: of each cursor the ids, and the cursor of the next. */
type Orders = Readonly<Record<string, readonly [ids: readonly string[], next: string | null]>>;

const threePages: Orders = {
  "": [["a", "b"], "c1"],
  c1: [["c"], "c2"],
  c2: [["d"], null],
};

const serveOrders = (pages: Orders = threePages) =>
  serve((response, request) => {
    const [ids, next] = pages[queryOf(request).get("after") ?? ""] ?? [[], null];
    response
      .writeHead(200, { "content-type": "application/json", "X-Total": "4" })
      .end(JSON.stringify({ orders: ids.map((id) => ({ id })), meta: { next } }));
  });

/** Products in as many pages, each with the address of the next in its `Link` header. */
const serveProducts = (link: (page: number) => string | undefined) =>
  serve((response, request) => {
    const page = Number(queryOf(request).get("page") ?? 1);
    const header = link(page);
    response
      .writeHead(200, {
        "content-type": "application/json",
        ...(header !== undefined && { Link: header }),
      })
      .end(JSON.stringify([{ sku: `p${page}` }]));
  });

describe("the next page", () => {
  test("comes from a cursor in the body, which is sent as a parameter", async () => {
    const { received, url } = await serveOrders();
    const orders = listOrders.all({ status: "open" }, { runtime: shopAt(url) });
    expectTypeOf(orders).toEqualTypeOf<AsyncGenerator<{ id: string }, void, undefined>>();
    expect(await listed(orders)).toEqual(["a", "b", "c", "d"].map((id) => ({ id })));
    expect(received.map(({ path }) => path)).toEqual([
      "/orders?status=open",
      "/orders?status=open&after=c1",
      "/orders?status=open&after=c2",
    ]);
  });

  test("comes from the Link header, and its request carries the credential", async () => {
    const { received, url } = await serveProducts((page) =>
      page < 3
        ? `</products?page=1>; rel=first, </stock,v2/products?page=${page + 1}>; title="a, \\"b\\""; rel="last next"`
        : undefined,
    );
    const products = await listed(listProducts.all({ shelf: "top" }, { runtime: shopAt(url) }));
    expect(products).toEqual([{ sku: "p1" }, { sku: "p2" }, { sku: "p3" }]);
    expect(received.map(({ path }) => path)).toEqual([
      `/products?shelf=top&key=${token}`,
      `/stock,v2/products?page=2&key=${token}`,
      `/stock,v2/products?page=3&key=${token}`,
    ]);
  });

  test("comes from counting pages, up to one with fewer items than the limit", async () => {
    const { received, url } = await serve((response, request) => {
      const found = queryOf(request).get("page") === "2" ? ["c"] : ["a", "b"];
      response.setHeader("content-type", "application/json").end(JSON.stringify({ found }));
    });
    const found = await listed(search.all({ next: "mug" }, { runtime: shopAt(url) }));
    expect(found).toEqual(["a", "b", "c"]);
    expect(received.map(({ path }) => path)).toEqual([
      "/search?q=mug&size=2",
      "/search?q=mug&page=2&size=2",
    ]);
  });

  test("comes from counting items, as long as the body says that there are more", async () => {
    const { received, url } = await serve((response, request) => {
      const has_more = queryOf(request).get("offset") !== "4";
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ reviews: ["good", "bad"], has_more }));
    });
    expect(await listed(listReviews.all({}, { runtime: shopAt(url) }))).toHaveLength(6);
    expect(received.map(({ path }) => path)).toEqual([
      "/reviews",
      "/reviews?offset=2",
      "/reviews?offset=4",
    ]);
  });
});

describe("pages", () => {
  test("contain whole answers with their headers", async () => {
    const { url } = await serveOrders();
    const pages = await listed(listOrders.pages({ status: "open" }, { runtime: shopAt(url) }));
    expect(pages).toMatchObject([
      { status: "success", headers: { total: "4" }, next: expect.any(String) as string },
      { status: "success", next: expect.any(String) as string },
      { status: "success", next: null },
    ]);
  });

  test("load when the loop reaches them, and not earlier", async () => {
    const { received, url } = await serveOrders();
    const pages = listOrders.pages({ status: "open" }, { runtime: shopAt(url) });
    expect(received).toHaveLength(0);
    await pages.next();
    expect(received).toHaveLength(1);
    await pages.return();
    expect(await pages.next()).toMatchObject({ done: true });
    const three = listOrders.all({ status: "open" }, { runtime: shopAt(url), limit: 3 });
    expect(await listed(three)).toHaveLength(3);
    expect(received).toHaveLength(3);
    await listed(listOrders.all({ status: "open" }, { runtime: shopAt(url), limit: 0 }));
    expect(received).toHaveLength(3);
  });

  test("end if the caller aborts", async () => {
    const { received, url } = await serveOrders();
    const controller = new AbortController();
    const options = { runtime: shopAt(url), signal: controller.signal };
    const pages = listOrders.pages({ status: "open" }, options);
    await pages.next();
    controller.abort();
    expect(await failure(pages.next())).toMatchObject({ failure: { reason: "aborted" } });
    expect(received).toHaveLength(1);
  });

  test("keep the caller and the parameters of the first page", async () => {
    const callers: unknown[] = [];
    const runtime = shopAt("http://127.0.0.1:1", {
      handlers: {
        "shop/list-orders": async (p: { status: string }, context: { page?: string }) => {
          callers.push([currentCaller()?.tenant, p.status, context.page]);
          return answer({
            status: "success",
            data: { orders: [], meta: {} },
            next: callers.length < 3 ? `c${callers.length}` : null,
          });
        },
      },
    });
    const params = { status: "open" };
    const pages = withCaller({ tenant: "acme" }, () => listOrders.pages(params, { runtime }));
    params.status = "gone";
    await withCaller({ tenant: "other" }, () => listed(pages));
    expect(callers).toEqual([
      ["acme", "open", undefined],
      ["acme", "open", "c1"],
      ["acme", "open", "c2"],
    ]);
  });

  test("appear as calls of one trace in the ledger, without the credential", async () => {
    const { url } = await serveProducts((page) =>
      page < 3 ? `</products?key=${token}&page=${page + 1}>; rel=next` : undefined,
    );
    const ledger = createMemoryLedger();
    await listed(listProducts.pages({}, { runtime: shopAt(url, { ledger }) }));
    const calls = await listed(queryLedger({ ledger }));
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map(({ trace }) => trace)).size).toBe(1);
    expect(calls[0]?.trace).toEqual(expect.any(String));
    expect(JSON.stringify(calls)).not.toContain(token);
  });

  test("end with an answer without data, which `all` treats as no page", async () => {
    const { url } = await serve((response, request) => {
      if (queryOf(request).has("page")) return response.writeHead(500).end('"broken"');
      const headers = { "content-type": "application/json", Link: "</products?page=2>; rel=next" };
      return response.writeHead(200, headers).end('[{"sku":"p1"}]');
    });
    const runtime = shopAt(url);
    const pages = await listed(listProducts.pages({}, { runtime }));
    expect(pages.map(({ status }) => status)).toEqual(["success", "error"]);
    const items = listProducts.all({}, { runtime });
    expect(await items.next()).toMatchObject({ value: { sku: "p1" } });
    expect(await failure(items.next())).toMatchObject({
      code: "PROVIDER.PROTOCOL",
      message: "`shop/list-products` has no next page: it answered with `error` instead of a page",
      cause: { status: "error", status_code: 500 },
    });
  });

  test.each([-1, 0.5, Number.NaN, "3"])("reject the limit %s", (limit) => {
    expect(() => listReviews.all({}, { limit: limit as number })).toThrow(
      "`limit` must be a whole number of items, 0 or more",
    );
  });
});

describe("the pages of a tool", () => {
  const nextFault = async (link: string) => {
    const { received, url } = await serveProducts((page) => (page === 1 ? link : undefined));
    const pages = listProducts.pages({}, { runtime: shopAt(url) });
    const first = await pages.next();
    expect(first.value).toMatchObject({
      status: "success",
      data: expect.any(Array),
      next: expect.any(String),
    });
    return { error: await failure(pages.next()), sent: received.length };
  };

  test.each([
    ["another origin", "<https://evil.example/products>; rel=next"],
    ["another port", "<http://127.0.0.1:1/products>; rel=next"],
    ["a user in the address", "<http://user@127.0.0.1/products>; rel=next"],
    ["an address without a scheme", "<//evil.example/products>; rel=next"],
    ["backslashes", "<\\\\evil.example/products>; rel=next"],
    ["another scheme", "<file:///etc/passwd>; rel=next"],
  ])("refuse to follow a link with %s", async (_name, link) => {
    const { error, sent } = await nextFault(link);
    expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL" });
    expect(error.message).toBe(
      "`shop/list-products` can't go on to the next page: it is at another origin, or its address is not a URL",
    );
    expect(sent).toBe(1);
  });

  test("refuse to follow a link to the same page", async () => {
    const { error } = await nextFault(`</products?key=${token}>; rel=next`);
    expect(error.message).toContain("the previous page names itself as the next page");
  });

  test("refuse to follow the same cursor again", async () => {
    const { received, url } = await serveOrders({ "": [["a"], "x"], x: [["b"], "x"] });
    const items = listOrders.all({ status: "open" }, { runtime: shopAt(url) });
    const error = await failure(listed(items));
    expect(error.message).toContain("the previous page names itself as the next page");
    expect(received).toHaveLength(2);
  });

  test("refuse to follow a circle of several pages", async () => {
    const circle: Orders = Object.fromEntries(
      Array.from({ length: 7 }, (_, at) => [
        at === 0 ? "" : `c${at}`,
        [[String(at)], at === 6 ? "c2" : `c${at + 1}`],
      ]),
    );
    const { received, url } = await serveOrders(circle);
    const error = await failure(
      listed(listOrders.pages({ status: "open" }, { runtime: shopAt(url) })),
    );
    expect(error.message).toContain("an earlier page had the same name");
    expect(received.length).toBeLessThan(30);
  });

  test("refuse to follow a cursor of 10,000 characters", async () => {
    const { received, url } = await serveOrders({ "": [["a"], "x".repeat(10_000)] });
    const pages = listOrders.pages({ status: "open" }, { runtime: shopAt(url) });
    expect(await pages.next()).toMatchObject({ value: { status: "success" } });
    expect(await failure(pages.next())).toMatchObject({
      failure: { code: "PROVIDER.PROTOCOL", subject: "next-page" },
      attempts: 0,
    });
    expect(received).toHaveLength(1);
  });

  test("do not include an answer whose cursor is no text, because its schema rejects it", async () => {
    const { url } = await serve((response) =>
      response
        .setHeader("content-type", "application/json")
        .end('{"orders":[],"meta":{"next":{"deep":true}}}'),
    );
    const asked = listOrders({ status: "open" }, { runtime: shopAt(url) });
    expect((await failure(asked)).code).toBe("SCHEMA.VALIDATION_FAILED");
  });

  test("refuse a number that the parameter does not allow", async () => {
    const runtime = shopAt("http://127.0.0.1:1", {
      handlers: {
        "shop/search": async () =>
          answer({ status: "success", data: { found: [] }, next: "no number" }),
      },
    });
    const error = await failure(listed(search.pages({}, { runtime })));
    expect(error.message).toContain("doesn't fit the parameter `page`");
  });

  test("end at a header of 16 KB that is no list of links", async () => {
    const { url } = await serveProducts(() => '<a>;rel="'.repeat(1300));
    const pages = await listed(listProducts.pages({}, { runtime: shopAt(url) }));
    expect(pages).toHaveLength(1);
  });
});

describe("a model", () => {
  interface Page {
    readonly status: string;
    readonly data: unknown;
    readonly next: string | null;
  }
  const ask = (name: string, args: object, options: Parameters<typeof dispatchTool>[3]) =>
    dispatchTool(tools, name, args, options) as Promise<unknown> as Promise<Page>;

  test("gets a parameter for the next page that the tool itself doesn't have", async () => {
    const offered = await offerTools(catalog, { runtime: shopAt("https://shop.example") });
    const nameOf = (tool: string) =>
      Object.keys(
        offered.find(({ name }) => name === tool)?.input_schema["properties"] as object,
      ).at(-1);
    expect(nameOf("shop__list-orders")).toBe("next");
    expect(nameOf("shop__search")).toBe("next_page");
    expect(nameOf("shop__get-product")).toBe("sku");
  });

  test("gets one page, and a `next` that reveals nothing and opens the next one", async () => {
    const { received, url } = await serveOrders();
    const runtime = shopAt(url);
    const first = await ask("shop__list-orders", { status: "open" }, { runtime });
    expect(first.data).toMatchObject({ orders: [{ id: "a" }, { id: "b" }] });
    expect(Buffer.from(first.next ?? "", "base64url").toString("latin1")).not.toContain("c1");
    const args = { status: "open", next: first.next };
    const second = await ask("shop__list-orders", args, { runtime });
    expect(second.data).toMatchObject({ orders: [{ id: "c" }] });
    expect(received).toHaveLength(2);
  });

  test.each([
    ["another tool", { tool: "shop__list-reviews", args: {} }],
    ["other arguments", { args: { status: "closed" } }],
    ["another caller", { caller: { tenant: "other" } }],
    [
      "a changed text",
      { change: (next: string) => `${next.startsWith("A") ? "B" : "A"}${next.slice(1)}` },
    ],
    ["a text of its own", { change: () => "c2" }],
    ["a text of any length", { change: () => "A".repeat(1_000_000) }],
  ])("can't use `next` for %s", async (_name, given) => {
    const { args, caller, change, tool } = {
      tool: "shop__list-orders",
      args: { status: "open" },
      caller: { tenant: "acme" },
      change: (next: string) => next,
      ...given,
    };
    const { received, url } = await serveOrders();
    const runtime = shopAt(url);
    const first = await ask(
      "shop__list-orders",
      { status: "open" },
      { runtime, caller: { tenant: "acme" } },
    );
    const asked = ask(tool, { ...args, next: change(first.next ?? "") }, { runtime, caller });
    const told = await resultForModel(asked);
    expect(told.is_error).toBe(true);
    expect(told.content).toContain("/next must come from an earlier page of the same tool");
    expect(received).toHaveLength(1);
  });

  test("gets the page that links to another origin, and the reason why it can't go on", async () => {
    const { received, url } = await serveProducts(() => "<https://evil.example/p>; rel=next");
    const runtime = shopAt(url);
    const first = await ask("shop__list-products", {}, { runtime });
    expect(first).toMatchObject({ status: "success", next: expect.any(String) });
    const told = await resultForModel(
      ask("shop__list-products", { next: first.next }, { runtime }),
    );
    expect(told.is_error).toBe(true);
    expect(told.content).toContain("there is more, but no further page can be fetched");
    expect(received).toHaveLength(1);
  });

  test("gets an error if `next` is no text", async () => {
    const asked = ask("shop__list-orders", { status: "open", next: 2 }, {});
    expect((await failure(asked)).message).toContain("/next must be text, not a number");
  });

  test("can't give `next` to a tool without pages", async () => {
    const asked = ask(
      "shop__get-product",
      { sku: "a" },
      { runtime: shopAt("http://a.example"), next: "a" },
    );
    expect((await failure(asked)).message).toContain("is only for tools whose answers have pages");
  });
});

describe("a governed tool with pages", () => {
  const entries = catalog.skills.flatMap((skill) => skill.tools);
  const policy = policyOf(
    {},
    {
      tools: Object.fromEntries(
        entries.map((tool) => [
          tool.id,
          {
            ...governedTool,
            manifest: tool.manifest_hash,
            effect: "read" as const,
            capabilities: tool.capabilities.map(({ capability }) => capability),
            context: { as: "record" as const, fields: [] },
          },
        ]),
      ),
    },
  );
  const governed = (url: string, key: Uint8Array) =>
    shopAt(url, { governance: governance({ policy, key }) });

  test("opens `next` in every process with the same key, and in no other", async () => {
    const { url } = await serveOrders();
    const key = (byte: number) => new Uint8Array(32).fill(byte);
    const first = await listOrders({ status: "open" }, { runtime: governed(url, key(1)) });
    const next = first.status === "success" ? (first.next ?? "") : "";
    const same = listOrders({ status: "open" }, { runtime: governed(url, key(1)), next });
    expect(await same).toMatchObject({ data: { orders: [{ id: "c" }] } });
    const other = listOrders({ status: "open" }, { runtime: governed(url, key(2)), next });
    expect(await failure(other)).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
  });

  test("requests no page beyond its capabilities", async () => {
    const { received, url } = await serveProducts(() => "</admin/keys>; rel=next");
    const runtime = governed(url, new Uint8Array(32));
    const error = await failure(listed(listProducts.pages({}, { runtime })));
    expect(error).toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED" });
    expect(received).toHaveLength(1);
  });
});
