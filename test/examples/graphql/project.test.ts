import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildClientSchema, lexicographicSortSchema, printSchema } from "graphql";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { binding } from "../../../examples/graphql/binding/index.js";
import * as runtimeEntry from "../../../examples/graphql/binding/runtime.js";
import type { GraphqlFault } from "../../../examples/graphql/binding/runtime.js";
import { catalog, createRuntime } from "../../../examples/graphql/generated/index.js";
import {
  addProduct,
  adjustStock,
  findProducts,
  getProduct,
} from "../../../examples/graphql/generated/stock-desk/index.js";
import { startStockServer, stockSchema } from "../../../examples/graphql/server.js";
import { compileProject } from "../../../src/cli/project/compile-project.js";
import { openProject } from "../../../src/cli/project/open-project.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { ToolError } from "../../../src/runtime/executor.js";
import { compileHere, example, filesBelow } from "./compile-example.js";

const STOCK_TOKEN = "s3cret-token";
const server = await startStockServer(STOCK_TOKEN, [
  { sku: "lamp-1", name: "Desk lamp", stock: 3 },
  { sku: "lamp-2", name: "Floor lamp", stock: 0 },
  { sku: "chair-1", name: "Chair", stock: 8 },
  { sku: "broken-1", name: "Miscounted", stock: -1 },
]);
afterAll(server.close);

function runtimeWith(credentials: { readonly STOCK_URL?: string; readonly STOCK_TOKEN?: string }) {
  const ledger = createMemoryLedger();
  return { ledger, runtime: createRuntime({ credentials, ledger, inherit: false }) };
}

const { runtime, ledger } = runtimeWith({ STOCK_URL: server.url, STOCK_TOKEN });

async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof ToolError) return thrown;
  throw thrown;
}

/** The products that are found. */
async function skus(params: Parameters<typeof findProducts>[0]): Promise<unknown> {
  const result = await findProducts(params, { runtime });
  return result.status === "success" && result.data.products.map((each) => each.sku);
}

describe("example project", () => {
  it("compiles to its committed files, with the kind that skillc.yaml names", async () => {
    const open = await openProject(example);
    const { diagnostics, compilation } = await compileProject(open);
    expect(diagnostics).toEqual([]);
    expect(open.kinds?.registry.isCustom("graphql")).toBe(true);
    const committed = filesBelow("generated");
    const compiled = compilation?.files.map(({ path, text }) => [`generated/${path}`, text]);
    expect(Object.fromEntries(compiled ?? [])).toEqual(committed);
  });

  it("contains the schema of its server", () => {
    const text = readFileSync(join(example, "skills/stock-desk/schema.json"), "utf8");
    const described = buildClientSchema(JSON.parse(text));
    const printed = [described, stockSchema].map((each) =>
      printSchema(lexicographicSortSchema(each)),
    );
    expect(printed[0]).toBe(printed[1]);
  });

  it("its runtime entry exports everything that generated code imports", () => {
    expect(new Set(Object.keys(runtimeEntry))).toEqual(new Set(binding.runtime.values));
  });

  it("each side of its kind imports only its own part of skillc", () => {
    const sides = {
      runtime: ["@skillc/runtime/executor", "@skillc/runtime/executor/http", "undici"],
      compiler: ["graphql", "node:fs", "skillc/binding"],
    };
    const texts = filesBelow("binding");
    const importsOf = (path: string): readonly string[] =>
      [...(texts[path] ?? "").matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name);
    const reached = (start: string) => {
      const files = new Set([start]);
      for (const file of files) {
        for (const name of importsOf(file)) {
          if (name.startsWith("./")) files.add(`binding/${name.slice(2).replace(/js$/, "ts")}`);
        }
      }
      const names = [...files].flatMap(importsOf).filter((name) => !name.startsWith("./"));
      return new Set(names);
    };
    expect(reached("binding/runtime.ts")).toEqual(new Set(sides.runtime));
    expect(reached("binding/index.ts")).toEqual(new Set(sides.compiler));
  });

  it("derives the effect and the capabilities of each tool", async () => {
    const { lowered } = await compileHere(filesBelow("skills"));
    const tools = lowered.flatMap((each) => each.tools).map(({ tool }) => tool);
    const facts = tools.map(({ name, binding: { effect, mode } }) => `${name} ${effect} ${mode}`);
    expect(facts).toEqual([
      "get-product read active",
      "find-products read active",
      "adjust-stock write active",
      "add-product write shadow",
    ]);
    const reached = catalog.skills.flatMap((skill) =>
      skill.tools.flatMap(({ capabilities }) => capabilities.map((each) => each.capability)),
    );
    expect(new Set(reached)).toEqual(new Set(["net.http:post ${STOCK_URL}/graphql"]));
  });
});

describe("query", () => {
  it("returns its data, typed by `returns`", async () => {
    const result = await getProduct({ sku: "lamp-1" }, { runtime });
    expect(result).toEqual({
      status: "success",
      data: { product: { sku: "lamp-1", name: "Desk lamp", stock: 3 } },
    });
    if (result.status === "graphql_error") {
      expectTypeOf(result).toEqualTypeOf<{ readonly status: "graphql_error" } & GraphqlFault>();
    } else {
      expectTypeOf(result.data.product?.stock).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: the query asks for no price
      void result.data.product?.price;
    }
    // @ts-expect-error: an answer that may have no data
    void result.data;
  });

  it("returns null if the server finds nothing", async () => {
    expect(await getProduct({ sku: "lamp-9" }, { runtime })).toEqual({
      status: "success",
      data: { product: null },
    });
  });

  it("omits absent parameters, and fills in defaults", async () => {
    expect(await skus({ text: "LAMP" })).toEqual(["lamp-1", "lamp-2"]);
    expect(await skus({ limit: 2 })).toEqual(["lamp-1", "lamp-2"]);
    expect(await skus({ text: "no such" })).toEqual([]);
  });

  it("throws if its result does not fit `returns`", async () => {
    const { failure: why } = await failure(getProduct({ sku: "broken-1" }, { runtime }));
    expect(why).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED", subject: "result" });
    expect(JSON.stringify(why)).toContain("/product/stock");
  });

  it("throws for parameters that don't fit, before anything is sent", async () => {
    // @ts-expect-error: a number for a string
    const error = await failure(getProduct({ sku: 5 }, { runtime }));
    expect(error.attempts).toBe(0);
    expect(error.failure).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer: "/sku" }],
    });
    // @ts-expect-error: a misspelt parameter
    await expect(getProduct({ skuu: "lamp-1" }, { runtime })).rejects.toThrow(ToolError);
  });
});

describe("mutation", () => {
  it("changes the stock", async () => {
    const change = { sku: "chair-1", by: -3, counted_by: "Ada" };
    expect(await adjustStock(change, { runtime })).toEqual({
      status: "success",
      data: { adjustStock: { sku: "chair-1", name: "Chair", stock: 5 } },
    });
    expect(ledger.records.slice(-2).map((each) => [each.type, each.kind])).toEqual([
      ["begin", "graphql"],
      ["end", "graphql"],
    ]);
  });

  it("returns `graphql_error` if the server rejects it", async () => {
    const change = { sku: "lamp-2", by: -1, counted_by: "Ada" };
    expect(await adjustStock(change, { runtime })).toEqual({
      status: "graphql_error",
      error: ["there are not enough pieces of lamp-2"],
    });
  });

  it("shadow mode records the request and does not send it", async () => {
    const product = { sku: "desk-1", name: "Desk" };
    const result = await addProduct({ product }, { runtime });
    expect(result).toEqual({
      status: "shadow",
      request: {
        endpoint: "${STOCK_URL}/graphql",
        query:
          "mutation AddProduct($product: NewProduct!) {\n  addProduct(product: $product) { sku }\n}\n",
        variables: { product },
        headers: {
          Authorization: "Bearer ${STOCK_TOKEN}",
          "content-type": "application/json",
          accept: "application/graphql-response+json, application/json",
          "accept-encoding": "gzip, deflate, br",
        },
      },
    });
    expect(await getProduct({ sku: "desk-1" }, { runtime })).toMatchObject({
      data: { product: null },
    });
    expect(await addProduct({ product }, { runtime, mode: "active" })).toEqual({
      status: "success",
      data: { addProduct: { sku: "desk-1" } },
    });
    expect(JSON.stringify(ledger.records)).not.toContain(STOCK_TOKEN);
  });
});

describe("credentials", () => {
  it("a missing credential fails the call", async () => {
    const without = runtimeWith({ STOCK_URL: server.url });
    const error = await failure(getProduct({ sku: "lamp-1" }, { runtime: without.runtime }));
    expect(error.failure).toEqual({ code: "CREDENTIAL.MISSING", names: ["STOCK_TOKEN"] });
  });

  it("a wrong credential fails the call", async () => {
    const wrong = runtimeWith({ STOCK_URL: server.url, STOCK_TOKEN: "wrong-token" });
    const error = await failure(getProduct({ sku: "lamp-1" }, { runtime: wrong.runtime }));
    expect(error.failure).toEqual({ code: "PROVIDER.PROTOCOL", reason: "HTTP 401" });
  });
});
