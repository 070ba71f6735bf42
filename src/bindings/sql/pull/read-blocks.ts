import { readSchemaStatements, type SchemaStatement } from "../database/schema-statements.js";
import { loadParser } from "../statement/lexer.js";

/** A statement of a snapshot's file, and the object that it makes. */
export interface LabelledStatement extends SchemaStatement {
  /** What the comment above the object's first statement says. */
  readonly label: string;
}

/**
 * The statements of a snapshot's file, each with the label of its object. Statements are told apart by the parser, so that no name or literal passes for a
 * comment. Undefined where it can't be parsed.
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
