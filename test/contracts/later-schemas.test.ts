/** Validators of contract 1 as skillc wrote them once they called checks of the runtime, and HTTP tools with files, streams and polling: each still says and does the same. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, ToolError, type ToolFailure } from "../../src/runtime/index.js";
import { listed } from "../support/listed.js";
import {
  countAll,
  getParcel,
  keepParcel,
  type KeepParcelParams,
  sendPapers,
  watch,
} from "./1.2/generated/intake/index.js";

const parcel = {
  id: "p-1",
  weight: 1.5,
  count: null,
  fragile: true,
  sealed: null,
  price: 2.5,
  note: null,
  sent_at: "2020-01-01T00:00:00Z",
  seen_on: "2020-01-02",
  size: "s",
  unit: "kg",
  tags: ["a", "b"],
  inside: [{ id: "p-2", weight: 1 }],
  shelf: "a",
  owner: null,
  title: "Mugs",
  codes: ["x"],
  marks: [{ at: 1, depth: 0.5 }],
} as const;

const whole = {
  parcel,
  way: { by: "truck", stop: 2 },
  seals: ["a", 1],
  labels: { to: "Ada" },
  others: [{ id: "p-3", weight: 2 }],
  code: "aaa",
};

/** Parameters that are refused, and what is said of them. */
const refused: readonly (readonly [string, object, string])[] = [
  ["parcel", { id: "p-x" }, "/parcel/id pattern"],
  ["parcel", { id: "p-12345678" }, "/parcel/id maxLength"],
  ["parcel", { id: 1 }, "/parcel/id type"],
  ["parcel", { weight: 0 }, "/parcel/weight exclusiveMinimum"],
  ["parcel", { weight: 0.7 }, "/parcel/weight multipleOf"],
  ["parcel", { count: 1.5 }, "/parcel/count type"],
  ["parcel", { fragile: null }, "/parcel/fragile type"],
  ["parcel", { sealed: 1 }, "/parcel/sealed type"],
  ["parcel", { price: "2" }, "/parcel/price type"],
  ["parcel", { note: "" }, "/parcel/note minLength"],
  ["parcel", { sent_at: "yesterday" }, "/parcel/sent_at format"],
  ["parcel", { seen_on: "2020-02-30" }, "/parcel/seen_on format"],
  ["parcel", { size: "xl" }, "/parcel/size enum"],
  ["parcel", { unit: "g" }, "/parcel/unit const"],
  ["parcel", { tags: ["a", "a"] }, "/parcel/tags uniqueItems"],
  ["parcel", { tags: ["a", 1] }, "/parcel/tags/1 type"],
  ["parcel", { inside: [{ id: "p-2" }] }, "/parcel/inside/0/weight required"],
  ["parcel", { shelf: "c" }, "/parcel/shelf enum"],
  ["parcel", { owner: 1 }, "/parcel/owner type"],
  ["parcel", { title: null }, "/parcel/title type"],
  ["parcel", { codes: "x" }, "/parcel/codes type"],
  ["parcel", { marks: [{ depth: 1 }] }, "/parcel/marks/0/at required"],
  ["parcel", { colour: "red" }, "/parcel/colour additionalProperties"],
  ["", { way: { by: "boat" } }, "/way oneOf"],
  ["", { seals: [] }, "/seals minItems"],
  ["", { seals: ["a", 1, 2] }, "/seals items"],
  ["", { labels: { To: "x" } }, "/labels propertyNames"],
  ["", { labels: { a: "1", b: "2", c: "3" } }, "/labels maxProperties"],
  ["", { others: {} }, "/others type"],
  ["", { code: `${"a".repeat(60)}!` }, "/code pattern"],
  ["", { priority: 1 }, "/insured required"],
  ["", { insured: true }, "/worth dependentRequired"],
];

describe("the folder of contract 1 whose validators call the runtime", () => {
  const bodies: string[] = [];
  let polls = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    bodies.push(body);
    const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(value));
    const { method, url } = request;
    if (url === "/parcels/p-1") return json(200, method === "PUT" ? [parcel] : parcel);
    if (url === "/parcels/p-9") return json(200, { ...parcel, marks: [{ at: "x" }] });
    if (url === "/papers") return json(200, { kept: 1 });
    if (url === "/watch")
      return response
        .writeHead(200, { "content-type": "application/x-ndjson" })
        .end('{"id":"a"}\n{"id":"b"}\n');
    if (url === "/count") return json(202, {}, { location: "/counts/1" });
    polls += 1;
    return polls < 2 ? json(202, {}, { location: "/counts/1" }) : json(200, { total: 5 });
  });
  let runtime = createRuntime({ inherit: false, ledger: false });

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A TCP server that listens has an address of this form.
    const { port } = server.address() as AddressInfo;
    const credentials = { INTAKE_URL: `http://127.0.0.1:${port}` };
    runtime = createRuntime({ inherit: false, ledger: false, credentials });
  });
  afterAll(() => void server.close());

  const keep = (parameters: object) => keepParcel(parameters as KeepParcelParams, { runtime });

  test("takes what fits, fills in defaults, and takes the answer", async () => {
    expect(await keep(whole)).toEqual({ status: "success", data: [parcel] });
    expect(JSON.parse(bodies.at(-1) ?? "")).toEqual({ ...whole, priority: 3 });
    expect(await getParcel({ id: "p-1" }, { runtime })).toEqual({
      status: "success",
      data: parcel,
    });
  });

  test.each(refused)("refuses what does not: %s %j", async (at, change, told) => {
    const parameters =
      at === "" ? { ...whole, ...change } : { ...whole, parcel: { ...parcel, ...change } };
    const error: unknown = await keep(parameters).catch((thrown: unknown) => thrown);
    const failure: ToolFailure | undefined = error instanceof ToolError ? error.failure : undefined;
    const problems = failure?.code === "SCHEMA.VALIDATION_FAILED" ? failure.problems : [];
    expect(problems.map(({ keyword, pointer }) => `${pointer} ${keyword}`)).toContain(told);
  });

  test("refuses an answer that does not fit", async () => {
    await expect(getParcel({ id: "p-9" }, { runtime })).rejects.toMatchObject({
      failure: {
        code: "SCHEMA.VALIDATION_FAILED",
        problems: [{ pointer: "/marks/0/at", keyword: "type" }],
      },
    });
  });

  test("sends files, reads streams, and polls", async () => {
    const paper = { base64: Buffer.from("ink").toString("base64") };
    expect(await sendPapers({ title: "A", paper }, { runtime })).toMatchObject({
      data: { kept: 1 },
    });
    expect(bodies.at(-1)).toContain("\r\n\r\nink\r\n");
    const watched = await watch({}, { runtime });
    const items = watched.status === "success" ? await listed(watched.data) : [];
    expect(items).toEqual([{ id: "a" }, { id: "b" }]);
    expect(await countAll({}, { runtime })).toMatchObject({
      status: "success",
      data: { total: 5 },
    });
  });
});
