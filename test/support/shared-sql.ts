import type { EmbeddedEngine, SqlError } from "../../src/bindings/sql/database/engine.js";
import {
  type EmbeddedOptions,
  type OpenedEmbedded,
  openEmbedded,
} from "../../src/bindings/sql/database/pglite.js";
import { createSqlBinding } from "../../src/bindings/sql/index.js";
import type { SchemaFile } from "../../src/bindings/sql/database/schema-files.js";

/** Maximum number of open engines; each takes about 100 MB. */
const most = 4;
/**
 * Time after which unused engines close, so that the process can end. Test files with and without a
 * database alternate, and starting an engine again takes seconds.
 */
const idleMilliseconds = 30_000;

const engines = new Map<string, Promise<OpenedEmbedded>>();
let lastUse: NodeJS.Timeout | undefined;
let users = 0;

/**
 * The SQL kind on engines that compilations share. Starting PostgreSQL takes seconds, and no
 * compilation changes its engine.
 */
export const sharedSqlBinding = createSqlBinding(openShared);

/** The SQL kind on engines whose messages contain numbers of parameters but no words. */
export const speechlessSqlBinding = createSqlBinding(async (files, options) => {
  const opened = await openShared(files, options);
  return opened.kind === "open" ? { kind: "open", engine: speechless(opened.engine) } : opened;
});

/**
 * Engines without words, by engine. A new object each time would make the compiler read all
 * catalogs again.
 */
const silenced = new WeakMap<EmbeddedEngine, EmbeddedEngine>();

function speechless(engine: EmbeddedEngine): EmbeddedEngine {
  const known: EmbeddedEngine = silenced.get(engine) ?? {
    ...engine,
    describe: async (sql) => {
      const described = await engine.describe(sql);
      return described.kind === "error"
        ? { kind: "error", error: withoutWords(described.error) }
        : described;
    },
    plan: async (sql) => {
      const error = await engine.plan(sql);
      return error && withoutWords(error);
    },
  };
  silenced.set(engine, known);
  return known;
}

function withoutWords({ hint, detail, message, ...error }: SqlError): SqlError {
  return {
    ...error,
    message: ["xxx", ...(message.match(/\$\d+/g) ?? [])].join(" "),
    ...(hint !== undefined && { hint: "xxx" }),
    ...(detail !== undefined && { detail: "xxx" }),
  };
}

async function openShared(
  files: readonly SchemaFile[],
  { statementTimeoutMs }: EmbeddedOptions = {},
): Promise<OpenedEmbedded> {
  users += 1;
  clearTimeout(lastUse);
  const key = JSON.stringify([statementTimeoutMs, ...files.map(({ path, text }) => [path, text])]);
  const opening = engines.get(key) ?? openEmbedded(files, { statementTimeoutMs });
  engines.delete(key);
  engines.set(key, opening);
  const opened = await opening;
  if (opened.kind === "errors") {
    engines.delete(key);
    release();
    return opened;
  }
  return { kind: "open", engine: lent(opened.engine) };
}

/** Lent engines, one object for each engine, because caches use the engine as their key. */
const borrowed = new WeakMap<EmbeddedEngine, EmbeddedEngine>();

function lent(engine: EmbeddedEngine): EmbeddedEngine {
  const known = borrowed.get(engine) ?? {
    ...engine,
    rest: () => Promise.resolve(),
    close: () => Promise.resolve(release()),
  };
  borrowed.set(engine, known);
  return known;
}

function release(): void {
  users -= 1;
  if (users > 0) return;
  closeAllBut(most);
  lastUse = setTimeout(() => closeAllBut(0), idleMilliseconds);
  lastUse.unref();
}

function closeAllBut(kept: number): void {
  const waiting = [...engines].slice(0, Math.max(0, engines.size - kept));
  for (const [key, opening] of waiting) {
    engines.delete(key);
    void opening.then((opened) =>
      opened.kind === "open" ? opened.engine.close() : Promise.resolve(),
    );
  }
}
