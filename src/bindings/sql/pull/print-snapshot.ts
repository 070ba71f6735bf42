import { headerLine, type SnapshotHeader } from "../database/snapshot-header.js";
import { onOneLine, type SchemaObject } from "./schema-objects.js";

/** An object that the embedded PostgreSQL refuses to make. */
export interface LeftOut {
  readonly object: SchemaObject;
  /** In PostgreSQL's words, with SQLSTATE. */
  readonly why: string;
}

/** The file of a snapshot: each object below a comment that names it, each comment one line. */
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

/** Begins the comment that names an object which the file could not hold; why, and its SQL, are on the two lines below. */
export const leftOutLine = "-- left out: ";
