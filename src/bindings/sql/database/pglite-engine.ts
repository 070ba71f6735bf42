import type { PGlite } from "@electric-sql/pglite";
import type { Described, EmbeddedEngine, SqlFault } from "./engine.js";
import { sqlFaultOf } from "./fault.js";
import { createTurns } from "./in-turn.js";
import { explain } from "./plan.js";

/**
 * An engine on a PGlite whose schema is loaded. Questions are answered one at a time, in the order of the calls, and each leaves the session as it was: no
 * transaction, no prepared statement but the unnamed one. A question that breaks PGlite is a fault; `open` then gives another for the next.
 */
export function createEngine(first: PGlite, open: () => Promise<PGlite>): EmbeddedEngine {
  const inTurn = createTurns();
  let db: PGlite | undefined = first;
  const current = async () => (db ??= await open());
  const giveUp = async (broken: PGlite) => {
    db = undefined;
    await broken.close().catch(() => {});
  };
  const ask = <Answer>(
    question: (db: PGlite) => Promise<Answer>,
    faultIn: (answer: Answer) => SqlFault | undefined,
  ) =>
    inTurn(async () => {
      const asked = await current();
      const answer = await question(asked);
      if (isBroken(faultIn(answer))) await giveUp(asked);
      return answer;
    });
  return {
    describe: (sql) =>
      ask(
        (db) => describe(db, sql),
        (answer) => (answer.kind === "fault" ? answer.fault : undefined),
      ),
    plan: (sql) =>
      ask(
        (db) => plan(db, sql),
        (fault) => fault,
      ),
    rows: (sql) => inTurn(async () => readRows(await current(), sql)),
    image: () => inTurn(async () => imageOf(await current())),
    close: () => inTurn(async () => db?.close()),
  };
}

/** `26000` is what PGlite says when JavaScript's stack was too small for it: its own state is lost with that, as it is out of memory. */
function isBroken(fault: SqlFault | undefined): boolean {
  return fault !== undefined && /^(?:08|26000|53|54001|58|XX)/.test(fault.code);
}

async function describe(db: PGlite, sql: string): Promise<Described> {
  try {
    const { queryParams, resultFields } = await db.describeQuery(sql);
    const columns = resultFields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    return {
      kind: "described",
      parameters: queryParams.map(({ dataTypeID }) => dataTypeID),
      columns,
    };
  } catch (error) {
    return { kind: "fault", fault: named(sqlFaultOf(error)) };
  }
}

function named(fault: SqlFault): SqlFault {
  if (fault.code !== "26000") return fault;
  return { code: "54001", message: "the statement is too complex for the embedded PostgreSQL" };
}

function plan(db: PGlite, sql: string): Promise<SqlFault | undefined> {
  return explain(
    sql,
    (described) => describe(db, described),
    (explained) => withoutFolding(db, () => faultOf(db.exec(explained))),
  );
}

/** Functions that schema files made, in languages that can go on for ever. */
const FOLDED = `oid >= 16384 AND provolatile <> 'v'
  AND prolang IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('plpgsql', 'sql'))`;

const folding = new WeakMap<PGlite, Promise<boolean>>();

/** Whether there is such a function: asked once, as the schema stays. */
function folds(db: PGlite): Promise<boolean> {
  const asked =
    folding.get(db) ??
    db.query(`SELECT FROM pg_catalog.pg_proc WHERE ${FOLDED} LIMIT 1`).then(
      ({ rows }) => rows.length > 0,
      // An engine that is broken says so when it is asked the question itself.
      () => false,
    );
  folding.set(db, asked);
  return asked;
}

/**
 * The planner runs functions of constants that are not volatile, and nothing can end one that does not end by itself: it runs in this thread. So none of the
 * schema's is, while it plans.
 */
async function withoutFolding(
  db: PGlite,
  question: () => Promise<SqlFault | undefined>,
): Promise<SqlFault | undefined> {
  if (!(await folds(db))) return question();
  const unfold = `BEGIN READ WRITE; UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE ${FOLDED}`;
  const answer = (await faultOf(db.exec(unfold))) ?? (await question());
  // An engine that broke is given up, with its transaction.
  await db.exec("ROLLBACK").catch(() => {});
  return answer;
}

function faultOf(executed: Promise<unknown>): Promise<SqlFault | undefined> {
  return executed.then(() => undefined, sqlFaultOf);
}

async function readRows(
  db: PGlite,
  sql: string,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const { resultFields } = await db.describeQuery(sql);
  const asText = (value: string) => value;
  const parsers = Object.fromEntries(resultFields.map(({ dataTypeID }) => [dataTypeID, asText]));
  const { rows } = await db.query<Readonly<Record<string, string | null>>>(sql, [], { parsers });
  return rows;
}

async function imageOf(db: PGlite): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await db.dumpDataDir("gzip")).arrayBuffer());
}
