import type { CompiledChain } from "../builder/evaluate.js";
import type { Engine, SqlFault } from "../database/engine.js";
import { catalogOf } from "../database/catalog.js";
import type { PgType } from "../database/snapshot.js";
import type { KnownDatabase } from "../database/open-database.js";
import type { StatementInput } from "./statement-input.js";
import { reportRefusal } from "./refusal.js";
import { numberApart } from "../statement/apart.js";
import type { Statement, TextRange } from "../statement/statement.js";
import { type SqlType, sqlTypeOf, type TypeLookup } from "../types/sql-type.js";

export interface DescribedStatement {
  /** In the order in which they are sent. */
  readonly parameters: readonly { readonly placeholder: string; readonly type: SqlType }[];
  /** The types of the placeholders in the order of the text, those of one name apart. */
  readonly written: readonly WrittenPlaceholder[];
  /** As PostgreSQL names them. */
  readonly columns: readonly { readonly label: string; readonly type: SqlType }[];
}

export interface WrittenPlaceholder {
  readonly placeholder: string;
  readonly at: TextRange;
  readonly type: SqlType;
}

/** What PostgreSQL says of what is really sent. Undefined, and reported, when it refuses that or can't plan it. */
export async function describeSent(
  statement: Statement,
  sent: CompiledChain,
  { engine, snapshot }: KnownDatabase,
  input: StatementInput,
): Promise<DescribedStatement | undefined> {
  const text = input.config.query.value;
  const apart = numberApart(text, statement);
  const typeOf = catalogOf(snapshot).typeOf;
  const described = await engine.describe(sent.sql);
  const refused = described.kind === "fault" ? described.fault : await engine.plan(sent.sql);
  if (described.kind === "fault" || refused !== undefined) {
    const fault = (await faultOf(apart, engine)) ?? withoutPlace(refused);
    const known =
      untoldIn(fault) === undefined
        ? new Map<string, PgType>()
        : await typesElsewhere(text, statement, engine, typeOf);
    reportRefusal({ fault, statement: apart, snapshot, typeOf: (name) => known.get(name) }, input);
    return undefined;
  }
  const parameters = described.parameters.map((oid, at) => ({
    placeholder: sent.parameters[at] ?? "",
    type: sqlTypeOf(typeOf, oid),
  }));
  return {
    parameters,
    written: await writtenPlaceholders(apart, parameters, typeOf, engine),
    columns: described.columns.map(({ name, type }) => ({
      label: name,
      type: sqlTypeOf(typeOf, type),
    })),
  };
}

/** The types are known by name, unless one name has several. */
async function writtenPlaceholders(
  apart: Statement,
  sent: DescribedStatement["parameters"],
  typeOf: TypeLookup,
  engine: Engine,
): Promise<readonly WrittenPlaceholder[]> {
  const types = new Map(sent.map(({ placeholder, type }) => [placeholder, type]));
  const isMixed = sent.some(({ placeholder, type }) => types.get(placeholder)?.name !== type.name);
  const described = isMixed ? await engine.describe(apart.sql) : undefined;
  const own = described?.kind === "described" ? described.parameters : [];
  return apart.placeholders.flatMap(({ name, at: [at] }, index) => {
    const oid = own[index];
    const type = oid === undefined ? types.get(name) : sqlTypeOf(typeOf, oid);
    return at === undefined || type === undefined ? [] : [{ placeholder: name, at, type }];
  });
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
function untoldIn({ code, message }: SqlFault): number | undefined {
  const number = /\$(?<number>\d+)/.exec(message)?.groups?.["number"];
  return code === "42P18" && number !== undefined ? Number(number) : undefined;
}
