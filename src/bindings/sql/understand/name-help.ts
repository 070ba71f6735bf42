import { shown } from "../../../core/names.js";
import { didYouMean, nearestName, suggestion } from "../../../schema/suggestion.js";
import { catalogOf, relationOf } from "../database/catalog.js";
import type { Snapshot } from "../database/snapshot.js";
import type { Statement } from "../statement/statement.js";
import { walk } from "../statement/tree.js";
import type { Refusal } from "./refused.js";

export function tableHelp({ fault, snapshot, statement }: Refusal): string | undefined {
  const name = quotedIn(fault.message);
  if (name === undefined) return undefined;
  if (!fault.message.startsWith("relation")) return aliasHelp(name, statement);
  return meantAmong(name, snapshot.relations, snapshot);
}

export function typeHelp({ fault, snapshot }: Refusal): string | undefined {
  const name = /^type "(?<name>[^"]+)" does not exist$/.exec(fault.message)?.groups?.["name"];
  return name === undefined ? undefined : meantAmong(name, snapshot.types, snapshot);
}

export function functionHelp({ fault, snapshot }: Refusal): string | undefined {
  const name = /^function (?<name>[\w.]+)\(/.exec(fault.message)?.groups?.["name"];
  if (name === undefined || catalogOf(snapshot).functions(name.split(".")).length > 0)
    return undefined;
  return meantAmong(name, snapshot.functions, snapshot);
}

/** PostgreSQL looks for the column itself, except where it is a target, or in USING. */
export function columnHelp(refusal: Refusal): string | undefined {
  const { fault } = refusal;
  if (fault.hint?.startsWith("Perhaps you meant to reference the column")) return hintedHelp(fault);
  const name = quotedIn(fault.message);
  if (name === undefined) return undefined;
  const relation = /of relation "(?<name>[^"]+)" does not exist$/.exec(fault.message)?.groups?.[
    "name"
  ];
  if (relation !== undefined) return targetHelp(name, relation, refusal);
  return fault.message.includes("USING clause") ? usingHelp(name, refusal) : undefined;
}

function hintedHelp({ hint = "" }: Refusal["fault"]): string | undefined {
  const meant = [...hint.matchAll(/the column "(?<name>[^"]+)"/g)];
  const names = meant.map(({ groups }) => `\`${shown(groups?.["name"] ?? "")}\``);
  return names.length === 0 ? undefined : `did you mean ${names.join(" or ")}?`;
}

function targetHelp(name: string, table: string, refusal: Refusal): string | undefined {
  const columns = tablesOf(refusal)
    .filter((each) => each.name === table)
    .flatMap((each) => each.columns.map((column) => column.name));
  return didYouMean(name, columns);
}

/** A column that tables can be joined by is in two of them. */
function usingHelp(name: string, refusal: Refusal): string | undefined {
  const columns = tablesOf(refusal).flatMap((each) => each.columns.map((column) => column.name));
  const shared = [...new Set(columns.filter((each, at) => columns.indexOf(each) !== at))];
  if (shared.length === 0)
    return "no two tables of the statement have a column of one name: write `ON …`";
  const all = shared.map((each) => `\`${shown(each)}\``).join(", ");
  return didYouMean(name, shared) ?? `tables have in common ${all}; or write \`ON …\``;
}

/** The tables that the statement names. */
function tablesOf({ snapshot, statement }: Refusal): Snapshot["relations"] {
  const found = new Set<Snapshot["relations"][number]>();
  walk(statement.tree, (node) => {
    const relation =
      "RangeVar" in node ? relationOf(node.RangeVar, catalogOf(snapshot)) : undefined;
    if (relation !== undefined) found.add(relation);
  });
  return [...found];
}

interface Named {
  readonly schema: string;
  readonly name: string;
}

/** The thing of that name in another schema, or of nearly that name; qualified where it must be. */
function meantAmong(
  written: string,
  things: readonly Named[],
  { searchPath }: Snapshot,
): string | undefined {
  const full = ({ name, schema }: Named) =>
    searchPath.includes(schema) ? name : `${schema}.${name}`;
  const own = things.filter(({ schema }) => isOwn(schema));
  const last = written.split(".").at(-1) ?? written;
  const elsewhere = new Set(own.filter(({ name }) => name === last).map(full));
  if (elsewhere.size > 0)
    return `did you mean ${[...elsewhere].map((each) => `\`${shown(each)}\``).join(" or ")}?`;
  const near = didYouMean(written, [...new Set([...own.map(full), ...namesFor(written, things)])]);
  const meant = own.find(
    ({ name }) =>
      name ===
      nearestName(
        last,
        own.map((each) => each.name),
      ),
  );
  return near ?? (meant && suggestion(shown(full(meant))));
}

/** PostgreSQL's own are called by their name alone. */
function namesFor(written: string, things: readonly Named[]): readonly string[] {
  if (written.includes(".")) return [];
  return things.filter(({ schema }) => schema === "pg_catalog").map(({ name }) => name);
}

function isOwn(schema: string): boolean {
  return schema !== "pg_catalog" && schema !== "information_schema";
}

/** FROM calls it otherwise, or has no such table. */
function aliasHelp(written: string, { tree }: Statement): string | undefined {
  const tables = tablesIn(tree);
  const aliases = [...new Set(tables.map(({ alias }) => alias))];
  const near = didYouMean(written, aliases);
  if (near !== undefined) return near;
  const table = nearestName(
    written,
    tables.map(({ name }) => name),
  );
  const meant = tables.find(({ name }) => name === table && name !== "");
  if (meant !== undefined) return suggestion(shown(meant.alias));
  return aliases.length === 0
    ? undefined
    : `FROM has ${aliases.map((each) => `\`${shown(each)}\``).join(", ")}`;
}

/** What stands in FROM: its own name, and the one that FROM gives it. */
function tablesIn(tree: Statement["tree"]): readonly { name: string; alias: string }[] {
  const found: { name: string; alias: string }[] = [];
  walk(tree, (node) => {
    if ("RangeVar" in node) {
      const { alias, relname: name = "" } = node.RangeVar;
      found.push({ name, alias: alias?.aliasname ?? name });
    }
    if ("RangeSubselect" in node)
      found.push({ name: "", alias: node.RangeSubselect.alias?.aliasname ?? "" });
    if ("RangeFunction" in node)
      found.push({ name: "", alias: node.RangeFunction.alias?.aliasname ?? "" });
  });
  return found.filter(({ alias }) => alias !== "");
}

function quotedIn(message: string): string | undefined {
  return /"(?<name>[^"]+)"/.exec(message)?.groups?.["name"];
}
