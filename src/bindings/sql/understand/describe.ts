import type { CompiledChain } from "../builder/evaluate.js";
import type { Engine } from "../database/engine.js";
import { catalogOf } from "../database/catalog.js";
import type { KnownDatabase } from "../database/open-database.js";
import type { StatementInput } from "./statement-input.js";
import { reportRefused } from "./refused-statement.js";
import { numberApart } from "../statement/apart.js";
import type { Statement, TextRange } from "../statement/statement.js";
import { truncateFault } from "./truncated.js";
import { type SqlType, sqlTypeOf, type TypeLookup } from "../types/sql-type.js";

export interface DescribedStatement {
  /** In the order in which they are sent. */
  readonly parameters: readonly DescribedParameter[];
  /** The types of the placeholders in the order of the text, those of one name apart. */
  readonly written: readonly WrittenPlaceholder[];
  /** As PostgreSQL names them. */
  readonly columns: readonly { readonly label: string; readonly type: SqlType }[];
}

export interface DescribedParameter {
  readonly placeholder: string;
  readonly oid: number;
  readonly type: SqlType;
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
  const untold = truncateFault(statement, snapshot);
  const refused =
    described.kind === "fault" ? described.fault : (untold ?? (await engine.plan(sent.sql)));
  if (described.kind === "fault" || refused !== undefined) {
    await reportRefused(statement, refused, { engine, snapshot }, input);
    return undefined;
  }
  const parameters = described.parameters.map((oid, at) => ({
    placeholder: sent.parameters[at] ?? "",
    oid,
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
