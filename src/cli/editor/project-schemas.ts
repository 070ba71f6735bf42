import { lstatSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type KindRegistry } from "../../bindings/registry.js";
import { parseConfig } from "../../compiler/config/parse-config.js";
import { readConfigFile } from "../../compiler/read/read-config-file.js";
import { createReport } from "../../core/report.js";
import { refuseObstacle, readRegularFile } from "@skillc/runtime/internal";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { CommandFailure } from "../exit.js";
import { loadKinds } from "../project/custom-kinds.js";
import { editorSchemas, schemaComment } from "./editor-schemas.js";
import { schemaFolder } from "./schema-files.js";

/**
 * Returns the schemas for editors, including the project's custom binding kinds: path below the
 * project → text.
 *
 * @param root absolute
 * @throws CommandFailure if a kind can't be loaded, because editors would reject its bindings
 */
async function projectSchemas(root: string): Promise<Readonly<Record<string, string>>> {
  return schemaTexts(await kindsOf(root));
}

/** Returns the schemas for these kinds. */
export function schemaTexts(kinds: KindRegistry): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(editorSchemas(kinds)).map(([name, schema]) => [
      `${schemaFolder}/${name}`,
      `${JSON.stringify(schema, undefined, 2)}\n`,
    ]),
  );
}

async function kindsOf(root: string): Promise<KindRegistry> {
  const report = createReport(allDiagnosticEntries(createRegistry()));
  const configFile = readConfigFile(root, report);
  const { bindings } = parseConfig(configFile, report);
  const { registry } = await loadKinds(root, bindings, configFile, report);
  if (report.errorCount() === 0) return registry;
  throw CommandFailure.input(
    "skillc.yaml has errors, so skillc can't make the schemas for editors; it wrote nothing",
    "`skillc check` shows them",
  );
}

/**
 * Returns the schemas that a project lacks, or has in another version.
 *
 * @throws CommandFailure if another file has such a name; PlaceTaken if the path is blocked
 */
export async function missingSchemas(root: string): Promise<Readonly<Record<string, string>>> {
  const wanted = Object.entries(await projectSchemas(root)).filter(([path, text]) => {
    refuseObstacle(root, path, "file");
    const there = contentOf(join(root, path));
    if (there !== undefined && !isOurs(there))
      throw CommandFailure.input(
        `\`${path}\` exists already and is not skillc's file; skillc wrote nothing`,
        "rename it, or, if it is a damaged schema of skillc, remove it",
      );
    return JSON.stringify(there) !== JSON.stringify(JSON.parse(text));
  });
  return Object.fromEntries(wanted);
}

/**
 * Parsed content of a JSON file, regardless of layout; null if it isn't JSON, undefined if there is
 * no file.
 */
function contentOf(file: string): unknown {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    return JSON.parse(readRegularFile(file, { links: false }).toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isOurs(content: unknown): boolean {
  return (
    typeof content === "object" &&
    content !== null &&
    "$comment" in content &&
    content.$comment === schemaComment
  );
}
