/** Tests that every store of results passes. */
import { expect, test } from "vitest";
import type { Owner } from "../../../../src/runtime/mcp/owner.js";
import {
  keptResultMs,
  type ResultStore,
} from "../../../../src/runtime/mcp/results/result-store.js";

export const testKey = Buffer.alloc(32, 7);
export const ada = { tenant: "acme", subject: "ada" };
export const grace = { tenant: "acme", subject: "grace" };
export const ttlMs = keptResultMs;

const mebibyte = 1024 * 1024;

/** A place where nobody has kept a result. */
export interface ResultsPlace {
  /** Opens a store, which is closed when the test ends. */
  open(options?: { readonly maxCallerBytes?: number }): ResultStore;
  /** Lets time pass. */
  advance(ms: number): Promise<void>;
}

/** Keeps a text that must be kept, and returns its id. */
export async function keptId(store: ResultStore, text: string, owner: Owner = ada) {
  const kept = await store.keep(owner, text, ttlMs);
  if (typeof kept === "string") throw new Error(`not kept: ${kept}`);
  return kept.id;
}

/** Returns the texts behind ids that can still be read. */
export async function readable(store: ResultStore, ids: readonly string[], owner: Owner = ada) {
  const texts = await Promise.all(ids.map((id) => store.read(owner, id)));
  return texts.filter((each) => each !== undefined);
}

export function holdPromises(makePlace: () => ResultsPlace | Promise<ResultsPlace>): void {
  test("keeps each text under an id of its own, which nobody can guess", async () => {
    const store = (await makePlace()).open();
    const ids = [await keptId(store, "same"), await keptId(store, "same")];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\w-]{24}$/);
    expect(await readable(store, ids)).toEqual(["same", "same"]);
  });

  test("returns every text unchanged", async () => {
    const store = (await makePlace()).open();
    const texts = [
      "",
      "t",
      'j"',
      '{"status":"success"}',
      "ü \u0000 \u2028 😀 \u{10ffff}",
      "\ud800",
      "a \udc00\ud800 b",
      '{"half":"\udfff"}',
      "\ufeff",
    ];
    const ids: string[] = [];
    for (const each of texts) ids.push(await keptId(store, each));
    expect(await readable(store, ids)).toEqual(texts);
  });

  test("only the tenant and the subject together read a text", async () => {
    const store = (await makePlace()).open();
    const id = await keptId(store, "secret", { tenant: "a", subject: "b:c" });
    const others: readonly Owner[] = [
      { tenant: "a:b", subject: "c" },
      { tenant: "a", subject: "b" },
      { tenant: "a" },
      { subject: "b:c" },
      { tenant: "b:c", subject: "a" },
      { tenant: "a", subject: 'b:c"' },
      { tenant: "null", subject: "b:c" },
      {},
    ];
    for (const other of others) expect(await store.read(other, id)).toBeUndefined();
    expect(await store.read({ tenant: "a", subject: "b:c" }, id)).toBe("secret");
  });

  test("a caller without names reads only what was kept for a caller without names", async () => {
    const store = (await makePlace()).open();
    const id = await keptId(store, "nobody's", {});
    expect(await store.read({}, id)).toBe("nobody's");
    expect(await store.read({ tenant: "null" }, id)).toBeUndefined();
    expect(await store.read({ subject: "null" }, id)).toBeUndefined();
  });

  test("a guessed or strange id is unknown", async () => {
    const store = (await makePlace()).open();
    const id = await keptId(store, "one");
    const strange = ["", ".", "../lock", "__proto__", "\u0000", "\ud800", "%", "x".repeat(1e6)];
    for (const each of [...strange, id.slice(0, -1), `${id} `])
      expect(await store.read(ada, each)).toBeUndefined();
  });

  test("a text can be read until its time has passed", async () => {
    const place = await makePlace();
    const store = place.open();
    const id = await keptId(store, "one");
    // Not to the millisecond: the clock of a server goes on.
    await place.advance(ttlMs - 30_000);
    expect(await store.read(ada, id)).toBe("one");
    await place.advance(30_000);
    expect(await store.read(ada, id)).toBeUndefined();
  });

  test("a caller's oldest results make room, and no other caller's", async () => {
    const place = await makePlace();
    const store = place.open({ maxCallerBytes: 40_000 });
    const other = await keptId(store, "o".repeat(30_000), grace);
    const ids: string[] = [];
    for (const letter of "abcd") {
      ids.push(await keptId(store, letter.repeat(12_000)));
      await place.advance(10);
    }
    expect(await readable(store, ids)).toEqual([..."bcd"].map((each) => each.repeat(12_000)));
    const large = await keptId(store, "e".repeat(40_000));
    expect(await readable(store, [...ids, large])).toEqual(["e".repeat(40_000)]);
    expect(await store.read(grace, other)).toHaveLength(30_000);
  });

  test("expired results take no room", async () => {
    const place = await makePlace();
    const store = place.open({ maxCallerBytes: 40_000 });
    await keptId(store, "a".repeat(40_000));
    await place.advance(ttlMs);
    const ids = [await keptId(store, "b".repeat(20_000)), await keptId(store, "c".repeat(20_000))];
    expect(await readable(store, ids)).toHaveLength(2);
  });

  test("a text larger than the limit is not kept, and removes nothing", async () => {
    const store = (await makePlace()).open({ maxCallerBytes: 40_000 });
    const id = await keptId(store, "one");
    expect(await store.keep(ada, "x".repeat(40_001), ttlMs)).toBe("too-large");
    expect(await store.keep(ada, "ü".repeat(20_001), ttlMs)).toBe("too-large");
    expect(await store.keep(ada, "\ud800".repeat(10_000), ttlMs)).toBe("too-large");
    expect(await store.read(ada, id)).toBe("one");
  });

  test("small texts count with 4 KiB", async () => {
    const store = (await makePlace()).open({ maxCallerBytes: 5 * 4096 });
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) ids.push(await keptId(store, `${count}`));
    expect(await readable(store, ids)).toHaveLength(5);
  });

  test("results that are kept at the same time stay within the limit", async () => {
    const place = await makePlace();
    const stores = [1, 2].map(() => place.open({ maxCallerBytes: 40_000 }));
    const [first = place.open()] = stores;
    const texts = Array.from({ length: 24 }, (_, at) => `${at}`.padEnd(10_000, "."));
    const ids = await Promise.all(
      texts.map((text, at) => keptId(stores[at % 2] ?? first, text, at % 3 === 0 ? grace : ada)),
    );
    const left = [await readable(first, ids), await readable(first, ids, grace)];
    expect(left.map((each) => each.length)).toEqual([4, 4]);
    for (const text of left.flat()) expect(texts).toContain(text);
  });

  test("a text of 64 MiB is kept, and a larger one is not", async () => {
    const store = (await makePlace()).open();
    const small = await keptId(store, "small");
    const text = `{"a":"${"x".repeat(64 * mebibyte - 8)}"}`;
    expect(await store.keep(ada, `${text} `, ttlMs)).toBe("too-large");
    expect(await store.read(ada, small)).toBe("small");
    const id = await keptId(store, text);
    expect((await store.read(ada, id)) === text).toBe(true);
    expect(await store.read(ada, small)).toBeUndefined();
  });

  test("a limit above 64 MiB is rejected", async () => {
    const place = await makePlace();
    for (const maxCallerBytes of [0, -1, 1.5, Number.NaN, Infinity, 64 * mebibyte + 1])
      expect(() => place.open({ maxCallerBytes })).toThrow("maxCallerBytes");
  });
}
