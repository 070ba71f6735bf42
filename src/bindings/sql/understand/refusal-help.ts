import { getOwn } from "../../../core/json.js";
import type { PgType } from "../database/snapshot.js";
import {
  columnFault,
  functionHelp,
  type NameFault,
  schemaHelp,
  tableFault,
  typeFault,
} from "./name-help.js";
import { type Refusal, untoldNumber } from "./refused.js";
import { assignedTypeHelp, labelHelp, operatorHelp } from "./type-help.js";
import { writtenHelp } from "./written-help.js";

/** What is said of a refusal beside PostgreSQL's own words: a name that was meant, a cast; else PostgreSQL's own hint. Nothing is read off those words, which may be German. */
export function readFault(refusal: Refusal): NameFault {
  const found = getOwn(readers, refusal.fault.code)?.(refusal) ?? {};
  return { ...found, help: writtenHelp(refusal) ?? found.help ?? ownHint(refusal) };
}

const helped =
  (help: (refusal: Refusal) => string | undefined) =>
  (refusal: Refusal): NameFault => ({ help: help(refusal) });

const readers: Readonly<Record<string, (refusal: Refusal) => NameFault>> = {
  "42P18": untoldFault,
  "42P01": tableFault,
  "42703": columnFault,
  "42704": typeFault,
  "42804": helped(assignedTypeHelp),
  "42883": helped((refusal) => functionHelp(refusal) ?? operatorHelp(refusal)),
  "22P02": helped(labelHelp),
  "42501": helped(schemaHelp),
};

function ownHint({ fault: { hint, detail } }: Refusal): string | undefined {
  return (hint ?? detail)?.replace(/\.$/, "");
}

/** A placeholder whose place tells nothing of its type, such as `:since IS NULL`. Its number stands in the words of any language. */
function untoldFault({ fault, statement, typeOf }: Refusal): NameFault {
  const number = untoldNumber(fault);
  const placeholder = number === undefined ? undefined : statement.placeholders[number - 1];
  if (placeholder === undefined) return {};
  const type = typeOf(placeholder.name);
  return {
    message: `could not determine data type of parameter $${number}`,
    help: `nothing here says what type it has: write \`:${placeholder.name}::${type === undefined ? "text" : writtenAs(type)}\``,
  };
}

function writtenAs({ kind, name }: PgType): string {
  return kind === "array" ? `${name.replace(/^_/, "")}[]` : name;
}
