import type { SchemaChange } from "../../../kit/kind-engine.js";
import { loadParser } from "../statement/lexer.js";
import { parseStatement } from "../statement/parse.js";
import { everyNode } from "../statement/tree.js";
import {
  columnsIn,
  type Difference,
  mentionedNames,
  type ReadSnapshot,
  subjectOf,
  mentionedTypes,
} from "./differences.js";

/** A tool, and all names in its statement and in the views that it reads. */
interface ToolNames {
  readonly id: string;
  readonly names: ReadonlySet<string>;
  readonly inserts: boolean;
}

/**
 * Finds the tools that each difference affects. A tool is affected if its statement names the
 * object, if a view that it names does, or if the object is the type of a column that it uses.
 * Names are compared without their schemas, so a tool that uses another table of the same name is
 * listed too.
 */
export async function withTools(
  differences: readonly Difference[],
  snapshots: readonly ReadSnapshot[],
  tools: readonly { readonly id: string; readonly query: string }[],
): Promise<readonly SchemaChange[]> {
  await loadParser();
  const [behind, columns] = [namesBehind(snapshots), typesOfColumns(snapshots)];
  const read = tools.flatMap(({ id, query }): ToolNames[] => {
    const parsed = parseStatement(query);
    if (parsed.kind === "invalid") return [];
    const { tree } = parsed.statement;
    const inserts = everyNode(tree).some(({ kind }) => /^(?:Insert|Merge)Stmt$/.test(kind));
    const own = withBehind(mentionedNames(tree), behind);
    const takes = ({ column, table }: ColumnTypes): boolean =>
      own.has(table) && takesColumn({ inserts, names: own }, column);
    const types = columns.filter(takes).flatMap((each) => [...each.types]);
    return [{ id, names: withBehind(new Set([...own, ...types]), behind), inserts }];
  });
  return differences.map(({ what, ...at }) => ({
    what,
    tools: read.filter((tool) => uses(tool, at)).map(({ id }) => id),
  }));
}

function uses(tool: ToolNames, { column, subject }: Omit<Difference, "what">): boolean {
  if (subject === undefined || !tool.names.has(subject)) return false;
  return column === undefined || takesColumn(tool, column);
}

/** True if a change of this column, in a table that the tool names, affects the tool. */
function takesColumn({ inserts, names }: Pick<ToolNames, "inserts" | "names">, column: string) {
  return inserts || names.has(column) || names.has("*");
}

interface ColumnTypes {
  readonly table: string;
  readonly column: string;
  /** Names in the column's type. */
  readonly types: ReadonlySet<string>;
}

function typesOfColumns(snapshots: readonly ReadSnapshot[]): readonly ColumnTypes[] {
  return snapshots
    .flatMap(({ statements }) => statements)
    .flatMap(({ tree }) => {
      const table = subjectOf(tree);
      if (table === undefined) return [];
      return columnsIn(tree).map((each) => ({
        table,
        column: each.colname ?? "",
        types: mentionedTypes({ ColumnDef: each }),
      }));
    });
}

/**
 * Maps each view, domain and composite type to the names in its definition: all names of a view,
 * types of the others.
 */
function namesBehind(snapshots: readonly ReadSnapshot[]): ReadonlyMap<string, ReadonlySet<string>> {
  const behind = new Map<string, Set<string>>();
  for (const { tree } of snapshots.flatMap(({ statements }) => statements)) {
    const isView = "ViewStmt" in tree || "CreateTableAsStmt" in tree;
    const hasTypes = "CreateDomainStmt" in tree || "CompositeTypeStmt" in tree;
    const subject = isView || hasTypes ? subjectOf(tree) : undefined;
    if (subject === undefined) continue;
    const names = behind.get(subject) ?? new Set();
    for (const name of isView ? mentionedNames(tree) : mentionedTypes(tree)) names.add(name);
    behind.set(subject, names);
  }
  return behind;
}

function withBehind(
  own: ReadonlySet<string>,
  behind: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const all = new Set<string>();
  const waiting = [...own];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (all.has(name)) continue;
    all.add(name);
    waiting.push(...(behind.get(name) ?? []));
  }
  return all;
}
