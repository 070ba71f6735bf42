import type { Described, EmbeddedEngine, SqlFault } from "./engine.js";
import { createTurns } from "./in-turn.js";
import type { Answer, PgliteThread } from "./pglite-thread.js";
import { explain } from "./plan.js";

/**
 * An engine on a PostgreSQL whose schema is loaded. Questions are answered one at a time, in the order of the calls, and each leaves the session as it was: no
 * transaction, no prepared statement but the unnamed one. A question that breaks PostgreSQL, or doesn't end, is a fault; `open` then gives another for the next.
 *
 * @param first undefined for one that rests until it is asked something
 * @param open gets the last image that was made
 */
export function createEngine(
  first: PgliteThread | undefined,
  open: (image: Image | undefined) => Promise<PgliteThread>,
): EmbeddedEngine {
  const inTurn = createTurns();
  let thread = first;
  let made: Image | undefined;
  const current = async () => (thread ??= await open(made));
  const rest = async () => {
    const left = thread;
    thread = undefined;
    await left?.close();
  };
  const ask = <Given>(
    question: (thread: PgliteThread) => Promise<Given>,
    faultIn: (given: Given) => SqlFault | undefined,
  ) =>
    inTurn(async () => {
      const given = await question(await current());
      if (isBroken(faultIn(given))) await rest();
      return given;
    });
  return {
    describe: (sql) =>
      ask(
        (asked) => describe(asked, sql),
        (given) => (given.kind === "fault" ? given.fault : undefined),
      ),
    plan: (sql) =>
      ask(
        (asked) => plan(asked, sql),
        (fault) => fault,
      ),
    rows: async (sql) => valueOf(await ask((asked) => asked.rows(sql), faultOf)),
    image: async () => (made = valueOf(await ask((asked) => asked.image(), faultOf))),
    rest: () => inTurn(rest),
    close: () => inTurn(rest),
  };
}

type Image = Uint8Array<ArrayBuffer>;

/** `26000` is what PGlite says when JavaScript's stack was too small for it: its own state is lost with that, as it is out of memory. */
function isBroken(fault: SqlFault | undefined): boolean {
  return fault !== undefined && /^(?:08|26000|53|54001|57|58|XX)/.test(fault.code);
}

/** @throws an error with the fields of the fault */
function valueOf<Value>(answer: Answer<Value>): Value {
  if ("value" in answer) return answer.value;
  throw Object.assign(new Error(answer.fault.message), answer.fault);
}

function faultOf(answer: Answer<unknown>): SqlFault | undefined {
  return "fault" in answer ? answer.fault : undefined;
}

async function describe(thread: PgliteThread, sql: string): Promise<Described> {
  const answer = await thread.describe(sql);
  if ("value" in answer) return { kind: "described", ...answer.value };
  return { kind: "fault", fault: named(answer.fault) };
}

function named(fault: SqlFault): SqlFault {
  if (fault.code !== "26000") return fault;
  return { code: "54001", message: "the statement is too complex for the embedded PostgreSQL" };
}

function plan(thread: PgliteThread, sql: string): Promise<SqlFault | undefined> {
  return explain(
    sql,
    (described) => describe(thread, described),
    (explained) => withoutFolding(thread, () => thread.execute(explained)),
  );
}

/** Functions that schema files made: in languages that can go on for ever, and stand-ins of those in C, which only refuse. */
const FOLDED = `oid >= 16384 AND provolatile <> 'v'
  AND prolang IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('internal', 'plpgsql', 'sql'))`;

const folding = new WeakMap<PgliteThread, Promise<boolean>>();

/** Whether there is such a function: asked once, as the schema stays. */
function folds(thread: PgliteThread): Promise<boolean> {
  const asked =
    folding.get(thread) ??
    thread
      .rows(`SELECT FROM pg_catalog.pg_proc WHERE ${FOLDED} LIMIT 1`)
      // An engine that is broken says so when it is asked the question itself.
      .then((answer) => "value" in answer && answer.value.length > 0);
  folding.set(thread, asked);
  return asked;
}

/**
 * The planner runs functions of constants that are not volatile, and each that doesn't end would take as long as a statement may. So none of the schema's is
 * run while it plans, but those that PostgreSQL calls behind a type: the checks of a domain.
 */
async function withoutFolding(
  thread: PgliteThread,
  question: () => Promise<SqlFault | undefined>,
): Promise<SqlFault | undefined> {
  if (!(await folds(thread))) return question();
  const unfold = `BEGIN READ WRITE; UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE ${FOLDED}`;
  const fault = (await thread.execute(unfold)) ?? (await question());
  // One that broke is given up, with its transaction.
  await thread.execute("ROLLBACK");
  return fault;
}
