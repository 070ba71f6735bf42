import { catalogOf } from "../database/catalog.js";
import { type Engine, type SqlFault, TIMED_OUT } from "../database/engine.js";
import type { KnownDatabase } from "../database/open-database.js";
import type { PgType } from "../database/snapshot.js";
import { numberApart } from "../statement/apart.js";
import type { Statement } from "../statement/statement.js";
import type { TypeLookup } from "../types/sql-type.js";
import { placeOfConstant } from "./constant-fault.js";
import { reportRefusal } from "./refusal.js";
import { untoldNumber } from "./refused.js";
import type { StatementInput } from "./statement-input.js";
import { truncateFault } from "./truncated.js";

/**
 * Says why PostgreSQL refuses a statement, in the author's words.
 *
 * @param fault of what was sent
 */
export async function reportRefused(
  statement: Statement,
  fault: SqlFault | undefined,
  { engine, snapshot }: Pick<KnownDatabase, "engine" | "snapshot">,
  input: StatementInput,
): Promise<void> {
  const text = input.config.query.value;
  const apart = numberApart(text, statement);
  const own =
    fault?.code === TIMED_OUT
      ? fault
      : ((await faultOf(apart, engine)) ??
        truncateFault(statement, snapshot) ??
        withoutPlace(fault));
  const known =
    untoldIn(own) === undefined
      ? new Map<string, PgType>()
      : await typesElsewhere(text, statement, engine, catalogOf(snapshot).typeOf);
  const at = await placeOfConstant(statement, own, engine);
  // Then it is not the statement that is at fault.
  if (engine.silence?.() !== undefined) return;
  const typeOf = (name: string) => known.get(name);
  reportRefusal({ fault: own, statement: apart, snapshot, typeOf, at }, input);
}

async function faultOf({ sql }: Statement, engine: Engine): Promise<SqlFault | undefined> {
  const described = await engine.describe(sql);
  return described.kind === "fault" ? described.fault : engine.plan(sql);
}

/** Positions and numbers of the compiled text are none of the author's. */
function withoutPlace(fault: SqlFault | undefined): SqlFault {
  const { position: _, ...rest } = fault ?? { code: "XX000", message: "PostgreSQL refuses it" };
  return rest;
}

/** Placeholders of one statement whose types can't be told and that are looked at one after another. */
const mostUntold = 20;

/** The types that names have at those of their places where PostgreSQL can tell; none when it refuses the statement all the same. */
async function typesElsewhere(
  text: string,
  statement: Statement,
  engine: Engine,
  typeOf: TypeLookup,
): Promise<ReadonlyMap<string, PgType>> {
  const untold = new Set<number>();
  while (untold.size < mostUntold) {
    const { placeholders, sql } = numberApart(text, statement, untold);
    const described = await engine.describe(sql);
    if (described.kind === "described") {
      const told = placeholders.flatMap(({ name }, at) => {
        const type = untold.has(at + 1) ? undefined : typeOf(described.parameters[at] ?? 0);
        return type === undefined ? [] : [[name, type] as const];
      });
      return new Map(told);
    }
    const number = untoldIn(described.fault);
    if (number === undefined || untold.has(number)) break;
    untold.add(number);
  }
  return new Map();
}

/** The number of a parameter of which PostgreSQL can't tell the type. */
function untoldIn(fault: SqlFault): number | undefined {
  return fault.code === "42P18" ? untoldNumber(fault) : undefined;
}
