/** Prints and reads the file of a snapshot. */
import { readSchemaStatements, type SchemaStatement } from "../database/schema-statements.js";
import { headerLine, type SnapshotHeader } from "../database/snapshot-header.js";
import { loadParser } from "../statement/lexer.js";
import { onOneLine, type SchemaObject } from "./schema-objects.js";

/** An object that the embedded PostgreSQL can't create. */
export interface LeftOut {
  readonly object: SchemaObject;
  /** PostgreSQL's message, with SQLSTATE. */
  readonly why: string;
}

/** Prints the file of a snapshot: each object below a one-line comment with its label. */
export function printSnapshot(
  header: SnapshotHeader,
  objects: readonly SchemaObject[],
  leftOut: readonly LeftOut[],
): string {
  const blocks = objects.map(({ label, sql }) => `-- ${label}\n${sql};\n`);
  return [
    `${headerLine(header)}\n`,
    "-- Written by `skillc db pull`, and replaced by the next. Functions have no bodies, and there are no rows and no roles.\n",
    ...leftOut.flatMap(({ object, why }) => [
      `${leftOutLine}${object.label}\n`,
      `--   ${onOneLine(why)}\n`,
      `--   ${onOneLine(object.sql)}\n`,
    ]),
    "\n-- settings of the load\nSET check_function_bodies = off;\nSET allow_system_table_mods = on;\n\n",
    blocks.join("\n"),
  ].join("");
}

/**
 * Begins the comment that names an object which the file could not hold. The two lines below give
 * the reason and the SQL.
 */
export const leftOutLine = "-- left out: ";

/** A statement of a snapshot's file, with the label of its object. */
export interface LabelledStatement extends SchemaStatement {
  /** Text of the comment above the object's first statement. */
  readonly label: string;
}

/**
 * Reads the statements of a snapshot's file, each with the label of its object. The parser
 * separates the statements, so that no name or literal is taken for a comment. Undefined if the
 * file can't be parsed.
 */
export async function readBlocks(text: string): Promise<readonly LabelledStatement[] | undefined> {
  await loadParser();
  const statements = readSchemaStatements({ path: "snapshot.sql", text });
  if ("message" in statements) return undefined;
  let end = 0;
  let label = "";
  return statements.map((statement) => {
    const between = text.slice(end, statement.start);
    label = /\n-- (.*)\r?\n$/.exec(between)?.[1] ?? label;
    end = statement.start + statement.sql.length;
    return { ...statement, label };
  });
}
