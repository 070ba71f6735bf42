/** Integers of 64 bits by `int64: string`: text for callers, the same digits at the service. */
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createMemoryLedger,
  createRuntime,
  dispatchToolJson,
  offerTools,
} from "../../src/runtime/index.js";
import { failure, serve, type TestServer } from "../bindings/http/execute/support.js";
import { catalog } from "../cases/int64/generated/catalog.js";
import {
  countItems,
  getItem,
  labelItems,
  type LabelItemsParams,
  listItems,
  saveItem,
  type SaveItemParams,
  watchItems,
} from "../cases/int64/generated/items/index.js";
import { tools } from "../cases/int64/generated/tools.js";
import { listed } from "../support/listed.js";

const id = "653247040368672768";
const most = "18446744073709551615";

const at = ({ url }: TestServer) =>
  createRuntime({ inherit: false, ledger: false, credentials: { ITEMS_URL: url } });

const answering = (json: string, status = 200) =>
  serve((response) => response.writeHead(status, { "content-type": "application/json" }).end(json));

describe("a request", () => {
  test("a request has the digits of an int64 in its path and its query", async () => {
    const server = await answering('{"id":1}');
    await getItem({ id }, { runtime: at(server) });
    expect(server.received.map(({ path }) => path)).toEqual([`/items/${id}?parent=${id}`]);
  });

  test("a JSON body has an int64 as an integer, and inside text as text", async () => {
    const server = await answering('{"saved":{"id":1}}');
    const given: SaveItemParams = {
      item: { id, kind: "10", hash: most, parts: [{ id: "7", hash: true, parts: [{ id }] }] },
      note: id,
    };
    await saveItem(given, { runtime: at(server) });
    expect(server.received[0]?.body).toBe(
      `{"item":{"id":${id},"kind":10,"hash":${most},"parts":[{"id":7,"hash":true,"parts":[{"id":${id}}]}]},"revision":7,"note":"${id}","label":"item-7"}`,
    );
  });

  test("a union decides whether digits are an integer or plain text", async () => {
    const server = await answering("{}");
    const labels: LabelItemsParams["labels"] = [
      { kind: "id", value: id },
      { kind: "text", value: id },
      { kind: "text", value: "1" },
      { kind: "code", value: "2026" },
      { kind: "id", value: "2026" },
      { kind: "mixed", values: ["1", true, id] },
      "7",
    ];
    await labelItems({ labels, either: "12" }, { runtime: at(server) });
    expect(server.received[0]?.body).toBe(
      `{"labels":[{"kind":"id","value":${id}},{"kind":"text","value":"${id}"},{"kind":"text","value":"1"},` +
        `{"kind":"code","value":"2026"},{"kind":"id","value":2026},{"kind":"mixed","values":[1,true,${id}]},7],"either":"12"}`,
    );
  });

  test("shadow's record and the ledger have each digit of an int64", async () => {
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ inherit: false, ledger, mode: "shadow" });
    const answer = await saveItem({ item: { id }, revision: null }, { runtime });
    expect(answer).toMatchObject({ request: { body: { item: { id }, revision: null } } });
    expect(JSON.stringify(ledger.records)).toContain(`"id":"${id}"`);
    expect(JSON.stringify(ledger.records)).not.toMatch(/65324704036867(?!2768)/);
  });

  test.each([
    ['{"id": 653247040368672768}', "is an integer beyond"],
    ['{"id": 5}', "must be the digits of an integer from 1 to 9223372036854775807, in quotes"],
    ['{"id": "0"}', "must be the digits of an integer from 1"],
    ['{"id": "9223372036854775808"}', "must be the digits of an integer from 1"],
    ['{"id": "1e3"}', "must be the digits of an integer from 1"],
  ])("rejects %s before anything is sent", async (json, message) => {
    const server = await answering("{}");
    const error = await failure(
      dispatchToolJson(tools, "items__get-item", json, { runtime: at(server) }),
    );
    expect(error.failure).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      problems: [{ pointer: "/id" }],
    });
    expect(error.message).toContain(message);
    expect(server.received).toEqual([]);
  });

  test("a model passes the digits of an int64 in quotes", async () => {
    const server = await answering(`{"id":${id}}`);
    const options = { runtime: at(server) };
    const answer = await dispatchToolJson(tools, "items__get-item", `{"id":"${id}"}`, options);
    expect(answer).toMatchObject({ status: "success", data: { id } });
    const offered = await offerTools(catalog, { runtime: at(server) });
    expect(offered.find(({ name }) => name === "items__get-item")?.input_schema).toMatchObject({
      properties: { id: { type: "string" } },
    });
  });
});

describe("an answer", () => {
  test("an answer has an int64 as text, however few digits it has", async () => {
    const server = await answering(
      `{"id":${id},"size":3,"kind":2,"hash":${most},"parts":[{"id":5,"parts":[{"id":${id},"hash":false}]}]}`,
    );
    const { data } = (await getItem({ id: "1" }, { runtime: at(server) })) as { data: unknown };
    expect(data).toEqual({
      id,
      size: 3,
      kind: "2",
      hash: most,
      parts: [{ id: "5", parts: [{ id, hash: false }] }],
    });
  });

  test("the type of an int64 in an answer is string", () => {
    type Saved = Extract<Awaited<ReturnType<typeof saveItem>>, { status: "success" }>;
    expectTypeOf<Saved["data"]["id"]>().toEqualTypeOf<string>();
  });

  test("an answer may already have an int64 as text", async () => {
    const server = await answering(`{"id":"${id}"}`);
    expect(await getItem({ id: "1" }, { runtime: at(server) })).toMatchObject({ data: { id } });
  });

  test("a part of a body and the cursor of a page keep each digit", async () => {
    const server = await serve((response, { path }) => {
      response.setHeader("content-type", "application/json");
      if (path === "/items") response.end(`{"items":[{"id":${id}}],"next":${id}}`);
      else response.end(`{"items":[{"id":2}],"next":null}`);
    });
    const items = await listed(listItems.all({}, { runtime: at(server) }));
    expect(items).toEqual([{ id }, { id: "2" }]);
    expect(server.received.map(({ path }) => path)).toEqual(["/items", `/items?after=${id}`]);
  });

  test("each item of a stream has an int64 as text", async () => {
    const server = await serve((response) => {
      response.setHeader("content-type", "application/x-ndjson");
      response.end(`{"id":${id}}\n{"id":2}\n`);
    });
    const answer = await watchItems({}, { runtime: at(server) });
    if (answer.status !== "success") throw new Error("no success");
    expect(await listed(answer.data)).toEqual([{ id }, { id: "2" }]);
  });

  test("a failed answer has an int64 as text by the schema of its status", async () => {
    const server = await answering(`{"id":${id}}`, 404);
    expect(await saveItem({ item: { id } }, { runtime: at(server) })).toEqual({
      status: "missing",
      error: { id },
      status_code: 404,
    });
  });

  test.each([
    [`{"id":1.5}`, "SCHEMA.VALIDATION_FAILED"],
    [`{"id":${most}}`, "SCHEMA.VALIDATION_FAILED"],
    [`{"id":1,"other":${id}}`, "PROVIDER.PROTOCOL"],
  ])("rejects an answer whose schema allows no such integer: %s", async (json, code) => {
    const server = await answering(json);
    const error = await failure(getItem({ id: "1" }, { runtime: at(server) }));
    expect(error.failure.code).toBe(code);
  });
});

describe("a tool with `int64: number`", () => {
  test("accepts numbers, and rejects those that may be rounded", async () => {
    const server = await answering(id);
    const options = { runtime: at(server) };
    const rounded = await failure(countItems({ up_to: Number(id) }, options));
    expect(rounded.failure).toMatchObject({ problems: [{ pointer: "/up_to" }] });
    const inAnswer = await failure(countItems({ up_to: 7 }, options));
    expect(inAnswer.failure).toMatchObject({ code: "PROVIDER.PROTOCOL" });
    expect(inAnswer.message).toContain("`int64: string`");
    expect(server.received.map(({ path }) => path)).toEqual(["/count?up_to=7"]);
  });
});
