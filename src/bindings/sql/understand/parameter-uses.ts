import type { Span } from "../../../core/span.js";
import { catalogOf } from "../database/catalog.js";
import type { Snapshot } from "../database/snapshot.js";
import type { ColumnUseModel, NeverTrue, SqlConfig, WholeTableModel } from "../model.js";
import { type ColumnUse, columnUses } from "../parameters/column-uses.js";
import { neverTrueWithout } from "../conditions/never-true.js";
import { wholeTables } from "../conditions/whole-table.js";
import { within } from "../spans.js";
import { readPlaces } from "../statement/places.js";
import { placeOfWrite } from "./write-reason.js";
import { limitsOf } from "./column-limits.js";
import type { Statement } from "../statement/statement.js";
import { sqlTypeOf } from "../types/sql-type.js";

/** A statement, and how its parts are found again. */
export interface Located {
  readonly statement: Statement;
  readonly config: SqlConfig;
  readonly snapshot: Snapshot;
  readonly spanOf: (byte: number | undefined) => Span;
}

/** Parameters of a tool that are looked at one by one; no tool of a person's has so many. */
const mostParameters = 100;

/** Where parameters go to columns, or are compared with them. */
export function findUses(located: Located): readonly ColumnUseModel[] {
  const { snapshot, statement } = located;
  return columnUses(statement.tree, snapshot).flatMap((use) => modelOf(use, located));
}

function modelOf(
  { cast, column, how, location, number, relation }: ColumnUse,
  located: Located,
): readonly ColumnUseModel[] {
  const placeholder = located.statement.placeholders[number - 1]?.name;
  if (placeholder === undefined) return [];
  const type = sqlTypeOf(catalogOf(located.snapshot).typeOf, column.type);
  const limits = cast ? {} : limitsOf(column, catalogOf(located.snapshot).typeOf);
  // A trigger or a rule may put something else in its place.
  const asWritten = relation.intercepted === undefined || relation.intercepted === "never";
  return [
    {
      parameter: parameterOf(placeholder, located),
      span: located.spanOf(location),
      how,
      column: `${relation.name}.${column.name}`,
      type,
      ...limits,
      notNull: column.notNull && asWritten,
    },
  ];
}

/** Conditions that can't come true while one of these parameters, alone, is NULL. */
export function findNeverTrue(
  located: Located,
  mayBeNull: (parameter: string) => boolean,
): readonly NeverTrue[] {
  const { snapshot, spanOf, statement } = located;
  return placeholdersOf(located, mayBeNull).flatMap(({ numbers, parameter }) => {
    const places = neverTrueWithout(statement.tree, new Set(numbers), snapshot);
    const placeholder = statement.placeholders[(numbers[0] ?? 1) - 1]?.name ?? parameter;
    return places.map((byte) => ({ parameter, placeholder, span: spanOf(byte) }));
  });
}

/** What changes or removes every row of a table, or does so while parameters are NULL. */
export function findWholeTables(
  located: Located,
  mayBeNull: (parameter: string) => boolean,
  mayBeEmpty: (parameter: string) => boolean,
): readonly WholeTableModel[] {
  const { config, snapshot, spanOf, statement } = located;
  const nullable = placeholdersOf(located, mayBeNull);
  const emptied = placeholdersOf(located, mayBeEmpty);
  const absent = nullable.map(({ numbers }) => numbers);
  const empty = emptied.map(({ numbers }) => numbers);
  const valued = statement.placeholders.flatMap(({ name }, at) =>
    mayBeNull(parameterOf(name, located)) ? [] : [at + 1],
  );
  const found = wholeTables(statement.tree, { absent, empty, valued: new Set(valued) }, snapshot);
  const places = readPlaces(statement);
  return found.map(({ empty: numbers, location, table, verb, why, without }) => {
    const reason = {
      kind: "modifies",
      name: verb,
      ...(location !== undefined && { location }),
    } as const;
    const isVerb = why === "unconditional";
    return {
      verb,
      table,
      why,
      without: namesAmong(nullable, without),
      empty: namesAmong(emptied, numbers),
      span: isVerb
        ? within(config, placeOfWrite(reason, places, config.query.value))
        : spanOf(location),
    };
  });
}

/** A parameter, and the numbers of its placeholders. */
interface Placed {
  readonly parameter: string;
  readonly numbers: readonly number[];
}

function namesAmong(placed: readonly Placed[], numbers: readonly number[]): readonly string[] {
  return placed
    .filter((each) => each.numbers.some((number) => numbers.includes(number)))
    .map(({ parameter }) => parameter);
}

/** The parameters of which something is true. */
function placeholdersOf(
  located: Located,
  isOne: (parameter: string) => boolean,
): readonly Placed[] {
  const names = located.statement.placeholders.map(({ name }) => parameterOf(name, located));
  const chosen = [...new Set(names)].filter(isOne).slice(0, mostParameters);
  return chosen.map((parameter) => ({
    parameter,
    numbers: names.flatMap((name, at) => (name === parameter ? [at + 1] : [])),
  }));
}

function parameterOf(placeholder: string, { config }: Located): string {
  return config.mapping.find((each) => each.placeholder === placeholder)?.parameter ?? placeholder;
}
