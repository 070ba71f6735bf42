import { join } from "node:path";
import type { PulledSchema, SchemaChange } from "../../kit/kind-engine.js";
import { createRegistry } from "../../bindings/registry.js";
import { namesOfServers, pullSchemas } from "../../compiler/pull-schemas.js";
import { configFileName } from "../../compiler/read/find-root.js";
import { maxBytes } from "../../compiler/read/read-file.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { writeOwnFile, readRegularFile, systemCode } from "@skillc/runtime/internal";
import type { CommandContext } from "../command-context.js";
import { formatTime } from "../console/format-time.js";
import { visible } from "../console/visible.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
} from "../diagnostics/print-diagnostics.js";
import { plural } from "../diagnostics/summary.js";
import { CommandFailure, type ExitCode, exitCode, orSayWhatIsInTheWay } from "../exit.js";
import { settingsOf, sourcesOf } from "../project/compile-project.js";
import { type OpenProject, openProject } from "../project/open-project.js";
import { withProgress } from "./compile-with-progress.js";
import { withProjectLock } from "./write-project.js";

/** Flags of `skillc db pull`; absent by default. */
export interface DatabasePullOptions {
  readonly check?: true;
  readonly json?: true;
}

/**
 * Writes the schemas of servers to schema files, so that runs need no server. With `--check`, only
 * reports the differences.
 *
 * @param names databases of skillc.yaml; by default those with a schema file
 */
export function databasePull(
  context: CommandContext,
  names: readonly string[],
  options: DatabasePullOptions,
): Promise<ExitCode> {
  if (options.check === true) return pull(context, context.directory, names, options);
  return withProjectLock(context, (root) => pull(context, root, names, options));
}

async function pull(
  context: CommandContext,
  directory: string,
  names: readonly string[],
  options: DatabasePullOptions,
): Promise<ExitCode> {
  const open = await openProject(directory);
  refuseUnknown(open, names);
  const pulled = await withProgress(context, (progress) => pulledBy(open, names, progress));
  const printed = {
    diagnostics: pulled.diagnostics,
    accepted: [],
    sources: sourcesOf(open, new Map()),
  };
  const isSound = !hasErrors(printed.diagnostics);
  const schemas = isSound ? pulled.schemas : [];
  if (isSound && schemas.length === 0) throw nothingToPull();
  for (const schema of schemas) {
    refuseForeign(schema);
    refuseLarge(schema);
  }
  const different = schemas.filter(isDifferent);
  if (options.check !== true)
    orSayWhatIsInTheWay(() => {
      for (const { path, text } of different) writeOwnFile(open.root, path, text);
    });
  if (options.json === true)
    printDiagnosticsJson(context, printed, {
      changed: different.map(({ path }) => path),
      databases: schemas.map(asData),
    });
  else {
    printDiagnostics(context, printed);
    for (const schema of schemas) print(context, schema, options);
  }
  const isDrift = options.check === true && different.length > 0;
  return isSound && !isDrift ? exitCode.fine : exitCode.inputErrors;
}

async function pulledBy(
  open: OpenProject,
  names: readonly string[],
  progress: (event: { readonly doing: string; readonly done: number; readonly of: number }) => void,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly schemas: readonly PulledSchema[];
}> {
  // Problems of skills are reported when they are compiled.
  const own = open.diagnostics.filter(({ span }) => span.file === configFileName);
  if (open.kinds === undefined || hasErrors(own)) return { diagnostics: own, schemas: [] };
  const found = await pullSchemas({
    project: open.project,
    config: open.config,
    kinds: open.kinds.registry,
    names,
    progress: (doing) => progress({ doing, done: 0, of: 1 }),
    setting: settingsOf(open.root),
    read: async (path) => textAt(join(open.root, path)),
  });
  return { diagnostics: [...own, ...found.diagnostics], schemas: found.schemas };
}

function refuseUnknown({ config, kinds }: OpenProject, names: readonly string[]): void {
  const known = namesOfServers(config, kinds?.registry ?? createRegistry());
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw CommandFailure.usage(
    `skillc.yaml does not name the database \`${visible(unknown)}\``,
    known.size === 0
      ? `add it there: \`databases: { ${visible(unknown)}: { snapshot: db/${visible(unknown)}.sql } }\``
      : `it has ${[...known].map((name) => `\`${visible(name)}\``).join(", ")}`,
  );
}

function nothingToPull(): CommandFailure {
  return CommandFailure.usage(
    "skillc.yaml names no database with a `snapshot`",
    "name one there: `databases: { WAREHOUSE_URL: { snapshot: db/WAREHOUSE_URL.sql } }`; the setting of that name holds the server's URL",
  );
}

function refuseForeign({ isForeign, path }: PulledSchema): void {
  if (!isForeign) return;
  throw CommandFailure.input(
    `\`${path}\` exists already, and \`skillc db pull\` did not write it`,
    "name another file in skillc.yaml, or remove this one",
  );
}

/** Rejects a file that later runs could not read. */
function refuseLarge({ path, text }: PulledSchema): void {
  if (Buffer.byteLength(text) <= maxBytes) return;
  throw CommandFailure.input(
    `\`${path}\` would be larger than ${maxBytes / 1024 / 1024} MiB, and skillc reads no larger file`,
    "keep to `introspect: true` for this database",
  );
}

/** Reads a file; undefined if it does not exist. The later write reports an unreadable file. */
function textAt(path: string): string | undefined {
  try {
    return readRegularFile(path, { links: false }).toString("utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" ? undefined : "";
  }
}

function isDifferent({ changes }: PulledSchema): boolean {
  return changes === undefined || changes.length > 0;
}

function asData({ changes, holds, name, notes, path, server, setting }: PulledSchema) {
  return { name, path, server, holds, notes, changes: changes ?? null, setting: setting ?? null };
}

function print(context: CommandContext, schema: PulledSchema, options: DatabasePullOptions): void {
  const { io, out, startedAt } = context;
  const { changes, holds, notes, path, server, setting } = schema;
  const isCheck = options.check === true;
  const isStale = isCheck && isDifferent(schema);
  const facts = [
    server,
    ...(holds.length === 0 ? [] : [holds.map(({ count, what }) => plural(count, what)).join(", ")]),
    ...(isDifferent(schema) ? [isCheck ? "out of date" : "written"] : ["up to date"]),
    formatTime(performance.now() - startedAt),
  ];
  const lines = [
    `${isStale ? out.red("✗") : out.green("✓")} ${out.bold(visible(path))}`,
    `  ${out.dim(facts.join(" · "))}`,
    ...changeLines(changes ?? []),
    ...(isCheck && changes === undefined ? ["  the file does not exist yet"] : []),
    ...(isStale
      ? ["  run `skillc db pull`, then `skillc generate`"]
      : notes.map((note) => `  ${out.dim(`note: ${visible(note)}`)}`)),
    ...(setting === undefined ? [] : [`  to use it, write into skillc.yaml: ${visible(setting)}`]),
    ...(isDifferent(schema) && !isCheck ? ["  next: `skillc generate`"] : []),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
}

/** Number of changes to show; changes that tools use come first. */
const maxShown = 40;

function changeLines(changes: readonly SchemaChange[]): readonly string[] {
  const all =
    changes.length <= maxShown
      ? changes
      : [
          ...changes.filter(({ tools }) => tools.length > 0),
          ...changes.filter(({ tools }) => tools.length === 0),
        ];
  const lines = all
    .slice(0, maxShown)
    .map(({ tools, what }) => `  ${visible(what)}${usedBy(tools)}`);
  const more = all.length - lines.length;
  return more === 0
    ? lines
    : [...lines, `  and ${plural(more, "more difference")}: \`--json\` has all`];
}

function usedBy(tools: readonly string[]): string {
  return tools.length === 0 ? "" : `; used by ${visible(tools.join(", "))}`;
}
