import { shown } from "../../../core/names.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { walk } from "../statement/tree.js";
import type { SqlFault } from "../database/engine.js";
import type { PgType, Snapshot } from "../database/snapshot.js";
import type { Statement } from "../statement/statement.js";

/** What PostgreSQL says of a statement that it refuses. */
export interface Refusal {
  readonly fault: SqlFault;
  /** The statement that it said it of, each placeholder with a number of its own. */
  readonly statement: Statement;
  readonly snapshot: Snapshot;
  /** The type that a placeholder has at another of its places. */
  readonly typeOf: (placeholder: string) => PgType | undefined;
}

/** What to do about it: a name that was meant, a cast; else PostgreSQL's own hint. */
export function helpFor(refusal: Refusal): string | undefined {
  const { fault } = refusal;
  return helps[fault.code]?.(refusal) ?? ownHint(refusal);
}

const helps: Readonly<Record<string, (refusal: Refusal) => string | undefined>> = {
  "42P18": castHelp,
  "42P01": tableHelp,
  "42703": columnHelp,
  "42883": functionHelp,
  "22P02": labelHelp,
};

function ownHint({ fault: { hint, detail } }: Refusal): string | undefined {
  return (hint ?? detail)?.replace(/\.$/, "");
}

/** A placeholder whose place tells nothing of its type, such as `:since IS NULL`. */
function castHelp({ fault, statement, typeOf }: Refusal): string | undefined {
  const number = /\$(?<number>\d+)/.exec(fault.message)?.groups?.["number"];
  const placeholder = statement.placeholders[Number(number) - 1];
  if (placeholder === undefined) return undefined;
  const type = typeOf(placeholder.name);
  return `nothing here says what type it has: write \`:${placeholder.name}::${type === undefined ? "text" : writtenAs(type)}\``;
}

function writtenAs({ kind, name }: PgType): string {
  return kind === "array" ? `${name.replace(/^_/, "")}[]` : name;
}

function tableHelp({ fault, snapshot, statement }: Refusal): string | undefined {
  const name = quotedIn(fault.message);
  if (name === undefined) return undefined;
  if (!fault.message.startsWith("relation")) return didYouMean(name, aliasesIn(statement));
  const tables = snapshot.relations.filter(({ schema }) => isOwn(schema));
  return didYouMean(
    name,
    tables.map((each) =>
      snapshot.searchPath.includes(each.schema) ? each.name : `${each.schema}.${each.name}`,
    ),
  );
}

/** PostgreSQL looks for the column itself. */
function columnHelp({ fault }: Refusal): string | undefined {
  const meant = [...(fault.hint ?? "").matchAll(/the column "(?<name>[^"]+)"/g)];
  if (!fault.hint?.startsWith("Perhaps you meant to reference the column")) return undefined;
  const names = meant.map(({ groups }) => `\`${shown(groups?.["name"] ?? "")}\``);
  return names.length === 0 ? undefined : `did you mean ${names.join(" or ")}?`;
}

function functionHelp({ fault, snapshot }: Refusal): string | undefined {
  const name = /^function (?:\w+\.)?(?<name>\w+)\(/.exec(fault.message)?.groups?.["name"];
  if (name === undefined) return undefined;
  const names = new Set(snapshot.functions.map((each) => each.name));
  return names.has(name) ? undefined : didYouMean(name, [...names]);
}

function labelHelp({ fault, snapshot }: Refusal): string | undefined {
  const found = /^invalid input value for enum (?<type>[^:]+): "(?<value>.*)"$/s.exec(
    fault.message,
  );
  const { type = "", value = "" } = found?.groups ?? {};
  const name = type.split(".").at(-1)?.replaceAll('"', "");
  const labels = snapshot.types.find((each) => each.kind === "enum" && each.name === name)?.labels;
  if (labels === undefined) return undefined;
  const all = labels.map((label) => `\`${shown(label)}\``).join(", ");
  return didYouMean(value, labels) ?? `its values are ${all}`;
}

function quotedIn(message: string): string | undefined {
  return /"(?<name>[^"]+)"/.exec(message)?.groups?.["name"];
}

function isOwn(schema: Snapshot["searchPath"][number]): boolean {
  return schema !== "pg_catalog" && schema !== "information_schema";
}

/** The names that FROM gives its tables. */
function aliasesIn({ tree }: Statement): readonly string[] {
  const names: string[] = [];
  walk(tree, (node) => {
    if ("RangeVar" in node)
      names.push(node.RangeVar.alias?.aliasname ?? node.RangeVar.relname ?? "");
    if ("RangeSubselect" in node) names.push(node.RangeSubselect.alias?.aliasname ?? "");
    if ("RangeFunction" in node) names.push(node.RangeFunction.alias?.aliasname ?? "");
  });
  return names.filter((name) => name !== "");
}
