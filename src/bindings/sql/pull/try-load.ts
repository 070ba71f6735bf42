import { emptyImage } from "../database/empty-image.js";
import { extensionOf } from "../database/extensions.js";
import { runStatement } from "../database/load-schema.js";
import { PgliteThread } from "../database/pglite-thread.js";
import type { SnapshotHeader } from "../database/snapshot-header.js";
import { type LeftOut, printSnapshot } from "./print-snapshot.js";
import { readBlocks } from "./read-blocks.js";
import type { SchemaObject } from "./schema-objects.js";

/** For each statement, in milliseconds of CPU time. */
const statementTimeoutMs = 60_000;

/**
 * Loads a snapshot as a run that uses it will, into an embedded PostgreSQL of its own, and finds the objects that this one refuses: what versions and
 * extensions have that it lacks, and what needs that. A message where the file can't be parsed, or breaks PostgreSQL.
 */
export async function refusedObjects(
  header: SnapshotHeader,
  objects: readonly SchemaObject[],
): Promise<readonly LeftOut[] | { readonly message: string }> {
  const statements = await readBlocks(printSnapshot(header, objects, []));
  if (statements === undefined)
    return { message: "what the server says of its schema can't be parsed" };
  const extensions = statements.flatMap((each) => extensionOf(each) ?? []);
  const image = await emptyImage();
  const thread = await PgliteThread.start({ extensions, image, statementTimeoutMs });
  const refused = new Map<string, string>();
  try {
    for (const statement of statements) {
      const fault = await runStatement(thread, statement);
      if (fault === undefined) continue;
      const why = `${fault.message} (SQLSTATE ${fault.code})`;
      if (/^(?:08|53|57|58|XX)/.test(fault.code ?? ""))
        return { message: `the embedded PostgreSQL breaks at the ${statement.label}: ${why}` };
      refused.set(statement.label, refused.get(statement.label) ?? why);
    }
  } finally {
    await thread.close();
  }
  return objects.flatMap((object) => {
    const why = refused.get(object.label);
    return why === undefined ? [] : [{ object, why }];
  });
}
