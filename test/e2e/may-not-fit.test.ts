/** Values that a warning of a golden case is about: the runtime sends those that fit and rejects the others before anything is sent. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPglite } from "../../src/bindings/sql/send/pglite.js";
import { createRuntime, shutdown } from "../../src/runtime/index.js";
import { keepNote, tellAvro, tellProtobuf } from "../cases/may-not-fit/generated/notes/index.js";
import { readFileSync } from "node:fs";
import avro from "avsc";
import protobuf from "protobufjs";
import { onRedis } from "./order-events-brokers.js";

const read = (path: string) =>
  readFileSync(new URL(`../cases/may-not-fit/${path}`, import.meta.url), "utf8");

const fitting = { body: "milk", mood: "bad", level: 7 } as const;

const unfit = [
  ["an integer for text", { ...fitting, body: 5 }],
  ["a label that the enum lacks", { ...fitting, mood: "dull" }],
  ["a fraction for an integer", { ...fitting, level: 7.5 }],
  ["a number beyond the range", { ...fitting, level: 3_000_000_000 }],
] as const;

const failure = (call: Promise<unknown>) =>
  call.then(
    (result) => result,
    (thrown: unknown) => thrown,
  );

afterAll(() => shutdown());

onRedis("a message", (redis) => {
  const runtime = () =>
    createRuntime({ inherit: false, credentials: { NOTES_STREAMS: redis().url }, ledger: false });
  const note = protobuf.parse(read("skills/notes/note.proto")).root.lookupType("acme.Note");
  const type = avro.Type.forSchema(JSON.parse(read("skills/notes/note.avsc")) as avro.Schema);

  describe.each([
    ["Avro", "notes-avro", tellAvro, (body: Buffer): unknown => type.fromBuffer(body)],
    [
      "Protobuf",
      "notes-protobuf",
      tellProtobuf,
      (body: Buffer): unknown => note.toObject(note.decode(body), { enums: String }),
    ],
  ] as const)("in %s", (_, stream, tell, decode) => {
    const sent = async () =>
      (await redis().entries(stream)).map(({ fields }) => {
        const body = fields.get("body");
        return body && decode(body);
      });

    test("reaches the broker if its values fit", async () => {
      const result = await tell(fitting, { runtime: runtime() });
      expect(result).toMatchObject({ status: "success" });
      expect(JSON.parse(JSON.stringify(await sent()))).toEqual([fitting]);
    });

    test.each(unfit)("gets rejected with %s, and nothing is sent", async (_what, params) => {
      const before = await sent();
      const error = await failure(tell(params, { runtime: runtime() }));
      expect(error).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
      expect(await sent()).toEqual(before);
    });
  });
});

describe("a row", () => {
  const url = "pglite://:memory:";
  const runtime = createRuntime({ inherit: false, credentials: { NOTES_DB: url }, ledger: false });
  let engine: Awaited<ReturnType<typeof openPglite>>;
  beforeAll(async () => {
    engine = await openPglite(url);
    await engine.exec(read("db/schema.sql"));
  });
  const rows = async () => (await engine.query("SELECT * FROM notes")).rows;

  test("gets stored if its values fit", async () => {
    const result = await keepNote(fitting, { runtime });
    expect(result).toMatchObject({ status: "success", data: fitting });
    expect(await rows()).toHaveLength(1);
  });

  test.each(unfit)("gets rejected with %s, and nothing is stored", async (_what, params) => {
    const before = await rows();
    const error = await failure(keepNote(params, { runtime }));
    // PostgreSQL would take a number's text: the runtime refuses it. The rest PostgreSQL refuses.
    const code = params.body === 5 ? "SCHEMA.VALIDATION_FAILED" : "PROVIDER.PROTOCOL";
    expect(error).toMatchObject({ code, outcome: "not-done" });
    expect(await rows()).toEqual(before);
  });
});
