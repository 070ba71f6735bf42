/**
 * Lets PostgreSQL describe a statement as it is sent: the types of its parameters, and its columns
 * with their nullability.
 */
import { isDeepStrictEqual } from "node:util";
import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { lookUp } from "../../../schema/look-up.js";
import { nullabilityOf } from "../analysis/nullability/nullability.js";
import type { Chain } from "../builder/chain.js";
import type { CompiledChain } from "../builder/evaluate.js";
import { selectedRow } from "../builder/selected-row.js";
import type { Engine, SqlError } from "../database/engine.js";
import type { KnownDatabase } from "../database/open-database.js";
import { pgCatalogOf } from "../database/pg-catalog.js";
import type { Snapshot } from "../database/snapshot.js";
import type { ResultColumnModel, SelectedColumnModel, SqlConfig } from "../model.js";
import { placeOfSource, sourceOf } from "../sources.js";
import { numberApart } from "../statement/placeholders.js";
import type { Statement, TextRange } from "../statement/statement.js";
import { type SqlType, sqlTypeOf, type TypeLookup } from "../types/sql-type.js";
import type { StatementInput } from "./input.js";
import { reportSqlError, truncateError } from "./sql-error.js";

export interface DescribedStatement {
  /** Parameters in the order in which they are sent. */
  readonly parameters: readonly DescribedParameter[];
  /** Placeholders in the order of the text; repeated names are listed separately. */
  readonly written: readonly WrittenPlaceholder[];
  /** Columns as PostgreSQL names them. */
  readonly columns: readonly { readonly label: string; readonly type: SqlType }[];
}

interface DescribedParameter {
  readonly placeholder: string;
  readonly oid: number;
  readonly type: SqlType;
}

interface WrittenPlaceholder {
  readonly placeholder: string;
  readonly at: TextRange;
  readonly type: SqlType;
}

/**
 * Describes the SQL that is really sent. If PostgreSQL rejects it or can't plan it, reports the
 * error and returns undefined.
 */
export async function describeSent(
  statement: Statement,
  sent: CompiledChain,
  { engine, snapshot }: KnownDatabase,
  input: StatementInput,
): Promise<DescribedStatement | undefined> {
  const text = input.config.query.value;
  const apart = numberApart(text, statement);
  const typeOf = pgCatalogOf(snapshot).typeOf;
  const described = await engine.describe(sent.sql);
  const truncateProblem = truncateError(statement, snapshot);
  const refused =
    described.kind === "error"
      ? described.error
      : (truncateProblem ?? (await planProblem(sent.sql, engine, input.config)));
  if (described.kind === "error" || refused !== undefined) {
    await reportSqlError(statement, refused, { engine, snapshot }, input);
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

/** SQLSTATE `undefined_object`, for example for an unknown setting. */
const UNDEFINED_OBJECT = "42704";

/**
 * Plans a statement and returns the error. Planning may read a setting that a call's transaction
 * has and this session lacks; such an error is ignored. PostgreSQL writes the setting's name in
 * every language.
 */
async function planProblem(
  sql: string,
  engine: Engine,
  { setConfig = [] }: SqlConfig,
): Promise<SqlError | undefined> {
  const error = await engine.plan(sql);
  const message = error?.code === UNDEFINED_OBJECT ? error.message.toLowerCase() : "";
  const isOfCall = setConfig.some(({ name }) => message.includes(`"${name.toLowerCase()}"`));
  return isOfCall ? undefined : error;
}

/**
 * Types are looked up by name. If one name has several types, the placeholders are described
 * separately.
 */
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

/**
 * Finds the result columns: those that PostgreSQL describes, with their nullability. A column is
 * nullable if nothing is known.
 */
export function resultColumns(
  statement: Statement,
  { columns }: DescribedStatement,
  tool: ToolModel,
  config: SqlConfig,
  snapshot: Snapshot,
  spanOf: (byte: number | undefined) => Span,
): readonly ResultColumnModel[] {
  const valued = valuedParameters(statement, tool, config);
  const known = nullabilityOf(statement.tree, snapshot, { valued });
  const unconstrained = nullabilityOf(statement.tree, withoutConstraints(snapshot), { valued });
  const fits =
    known?.length === columns.length &&
    known.every(({ label }, at) => label === columns[at]?.label);
  return columns.map(({ label, type }, at) => {
    const found = fits ? known[at] : undefined;
    return {
      name: found?.name ?? label,
      label,
      type,
      nullable: found?.nullable ?? true,
      byConstraint: found?.proven === "not-null" && unconstrained?.[at]?.proven !== "not-null",
      contradicted: found?.contradicted ?? false,
      span: spanOf(found?.location),
    };
  });
}

const madeWithout = new WeakMap<Snapshot, Snapshot>();

/** The same database without NOT NULL on columns and domains. */
function withoutConstraints(snapshot: Snapshot): Snapshot {
  const before = madeWithout.get(snapshot);
  if (before !== undefined) return before;
  const relations = snapshot.relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column) => ({ ...column, notNull: false })),
  }));
  const types = snapshot.types.map((type) => ({ ...type, notNull: false }));
  const after = { ...snapshot, relations, types };
  madeWithout.set(snapshot, after);
  return after;
}

/** Numbers of the placeholders whose values are never null. */
function valuedParameters(
  { placeholders }: Statement,
  tool: ToolModel,
  config: SqlConfig,
): ReadonlySet<number> {
  const numbers = placeholders.flatMap(({ name }, at) => {
    const { model, path } = placeOfSource(tool, sourceOf(name, config));
    const { presence, types } = lookUp(model, path);
    return presence === "always" && !types.includes("null") ? [at + 1] : [];
  });
  return new Set(numbers);
}

/**
 * Finds the columns that `tsc` must check in the rows of the statement's code. If a column changes
 * its type, or loses a NOT NULL that the tool needs, `tsc` reports an error in this tool.
 */
export function selectedColumns(
  chain: Chain,
  columns: readonly ResultColumnModel[],
  snapshot: Snapshot,
): readonly SelectedColumnModel[] {
  const row = selectedRow(chain, snapshot);
  return columns.flatMap((column) => {
    const { byConstraint, label, span, type } = column;
    const selected = row.get(label);
    // The other part of a UNION may have changed the type.
    if (selected === undefined || !isAlike(selected.type, type)) return [];
    return [
      { label, type, span, nullable: selected.nullable || mayBeNull(column) || !byConstraint },
    ];
  });
}

/** For a column marked with `!` the author is responsible, whatever the database declares. */
function mayBeNull({ label, name, nullable }: ResultColumnModel): boolean {
  return nullable || label !== name;
}

function isAlike(a: SqlType, b: SqlType): boolean {
  return isDeepStrictEqual(a, b);
}
