import { describe, expect, it } from "vitest";
import { get, serve } from "./support.js";

const weak = 'W/"a, b"';
const strong = '"7-é"';

/** A thing with an entity-tag, as RFC 9110 (13.1) has it. */
const thing = (tag: string) =>
  serve((response, { headers }): void => {
    const { "if-match": match, "if-none-match": noneMatch } = headers;
    if (match !== undefined && match !== tag) return void response.writeHead(412).end('"changed"');
    if (noneMatch === tag)
      return void response.writeHead(304, { etag: tag, "content-length": "99999999" }).end();
    response.writeHead(200, { etag: tag, "content-type": "application/json" }).end('"there"');
  });

const plan = {
  statuses: { "304": "not_modified", "412": "precondition_failed" },
  answerHeaders: { etag: "etag" },
} as const;

const conditional = (url: string, header: string, tag: string) =>
  get(url, { ...plan, request: () => ({ url: [url], headers: [[header, tag]] }) });

describe("entity-tag of an answer", () => {
  it.each([strong, weak])("a condition sends the tag back unchanged: %s", async (tag) => {
    const { received, url } = await thing(tag);
    const { result } = await get(url, plan);
    const { etag } = (result as unknown as { headers: { etag: string } }).headers;
    expect(etag).toBe(tag);
    await conditional(url, "If-Match", etag);
    expect(received.at(-1)?.headers["if-match"]).toBe(tag);
  });

  it("a read with the current tag ends as `not_modified` without data, whatever its content-length claims", async () => {
    const { url } = await thing(strong);
    const { result } = await conditional(url, "If-None-Match", strong);
    expect(result).toEqual({ status: "not_modified", error: null, status_code: 304 });
  });

  it("a write with an old tag is not made", async () => {
    const { url } = await thing(strong);
    const { outcome, result } = await conditional(url, "If-Match", '"6"');
    expect(result).toEqual({ status: "precondition_failed", error: "changed", status_code: 412 });
    expect(outcome).toBeUndefined();
  });
});
