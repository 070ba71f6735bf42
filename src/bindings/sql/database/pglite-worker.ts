/**
 * The thread of one embedded PostgreSQL. A running statement blocks this thread, so the main thread
 * ends statements that take too long.
 */
import { parentPort } from "node:worker_threads";
import type { PGlite as Pglite } from "@electric-sql/pglite";
import { loadExtensions } from "@skillc/runtime/internal/sql";
import { ImageBlob } from "./empty-image.js";
import { sqlErrorOf, type StatementTypes } from "./engine.js";
import type { Answer, Question, Row } from "./pglite-thread.js";

/**
 * PGlite decodes texts and names with a TextDecoder that drops a leading U+FEFF as a byte order
 * mark. Replacing the global is safe, because this thread runs nothing else.
 */
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean }) {
    super(label, { ignoreBOM: true, ...options });
  }
};

let started: Promise<Pglite> | undefined;

parentPort?.on("message", (question: Question) => {
  void answer(question).then((given) => parentPort?.postMessage(given));
});

async function answer(question: Question): Promise<Answer<unknown>> {
  if (question.ask === "start") {
    started = start(question);
    // If PostgreSQL doesn't start, the rejection ends the thread.
    await started;
    return { value: undefined };
  }
  if (started === undefined) throw new Error("a query before the start");
  try {
    return { value: await ask(await started, question) };
  } catch (error) {
    return { error: sqlErrorOf(error) };
  }
}

async function start({ extensions, image }: Extract<Question, { ask: "start" }>): Promise<Pglite> {
  const { PGlite } = await import("@electric-sql/pglite");
  return PGlite.create({
    extensions: await loadExtensions(extensions),
    ...(image && { loadDataDir: new ImageBlob(image) }),
  });
}

async function ask(db: Pglite, question: Exclude<Question, { ask: "start" }>): Promise<unknown> {
  if (question.ask === "execute") return void (await db.exec(question.sql));
  if (question.ask === "describe") return describe(db, question.sql);
  if (question.ask === "rows") return rows(db, question.sql, question.values);
  return new Uint8Array(await (await db.dumpDataDir("gzip")).arrayBuffer());
}

async function describe(db: Pglite, sql: string): Promise<StatementTypes> {
  const { queryParams, resultFields } = await db.describeQuery(sql);
  return {
    parameters: queryParams.map(({ dataTypeID }) => dataTypeID),
    columns: resultFields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
  };
}

async function rows(db: Pglite, sql: string, values: readonly string[]): Promise<readonly Row[]> {
  const { resultFields } = await db.describeQuery(sql);
  const asText = (value: string) => value;
  const parsers = Object.fromEntries(resultFields.map(({ dataTypeID }) => [dataTypeID, asText]));
  return (await db.query<Row>(sql, [...values], { parsers })).rows;
}
