import type { ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { lookUp } from "../../../schema/look-up.js";
import { nullabilityOf } from "../analysis/nullability/nullability.js";
import type { Snapshot } from "../database/snapshot.js";
import type { DescribedStatement } from "./describe.js";
import type { ResultColumnModel, SqlConfig } from "../model.js";
import type { Statement } from "../statement/statement.js";

/** The columns that callers see: PostgreSQL's, with what is known of NULL. What can't be told of is nullable. */
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

/** The same database, none of its columns and domains NOT NULL. */
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
  { mapping }: SqlConfig,
): ReadonlySet<number> {
  const numbers = placeholders.flatMap(({ name }, at) => {
    const parameter = mapping.find(({ placeholder }) => placeholder === name)?.parameter ?? name;
    const { presence, types } = lookUp(tool.parameters, [parameter]);
    return presence === "always" && !types.includes("null") ? [at + 1] : [];
  });
  return new Set(numbers);
}
