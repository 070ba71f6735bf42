import { getOwn } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { PgType } from "../database/snapshot.js";
import { columnHelp, functionHelp, tableHelp, typeHelp } from "./name-help.js";
import type { Refusal } from "./refused.js";
import { assignedTypeHelp, operatorHelp, writtenHelp } from "./written-help.js";

/** What to do about it: a name that was meant, a cast; else PostgreSQL's own hint. */
export function helpFor(refusal: Refusal): string | undefined {
  const { fault } = refusal;
  return writtenHelp(refusal) ?? getOwn(helps, fault.code)?.(refusal) ?? ownHint(refusal);
}

const helps: Readonly<Record<string, (refusal: Refusal) => string | undefined>> = {
  "42P18": castHelp,
  "42P01": tableHelp,
  "42703": columnHelp,
  "42704": typeHelp,
  "42804": assignedTypeHelp,
  "42883": (refusal) => functionHelp(refusal) ?? operatorHelp(refusal),
  "22P02": labelHelp,
  "42501": permissionHelp,
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

/** Only a server has others' schemas. */
function permissionHelp({ fault }: Refusal): string | undefined {
  const schema = /^permission denied for schema (?<name>.+)$/.exec(fault.message)?.groups?.["name"];
  if (schema === undefined) return undefined;
  return `the role of the connection needs \`GRANT USAGE ON SCHEMA ${shown(schema)}\``;
}
