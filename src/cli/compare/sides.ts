/**
 * The two sides of `skillc compare`. `findSide` interprets the user's argument, `catalogOf` returns
 * the catalog. `git.ts` and `checkout.ts` read revisions, `read-catalog.ts` reads files.
 */
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  compileCatalog,
  type CatalogInput,
  type DependentTools,
} from "../../compiler/compile-catalog.js";
import type { ComparedCatalog } from "../../compiler/compare-tools/compare-catalogs.js";
import { missingModules, readCatalogModules } from "../../compiler/emit/catalog-text.js";
import { createStopwatch } from "../../compiler/stopwatch.js";
import { parseConfig } from "../../compiler/config/parse-config.js";
import { readGlobs } from "../../compiler/read/read-globs.js";
import { readProject } from "../../compiler/read-project.js";
import { filesOfSettings } from "../../bindings/kind-settings.js";
import { createRegistry } from "../../bindings/registry.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { beginsAsOurs } from "../../core/provenance.js";
import { createReport, inSourceOrder } from "../../core/report.js";
import { readRegularFile } from "@skillc/runtime/internal";
import { readingOnly } from "../cache/file-cache.js";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { createSession } from "../commands/generate-once.js";
import { withProgress } from "../commands/compile-with-progress.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import type { PrintedDiagnostics } from "../diagnostics/print-diagnostics.js";
import { CommandFailure } from "../exit.js";
import { catalogFile, readOutputCatalog } from "../output/read-output-catalog.js";
import { settingsOf, sourcesOf } from "../project/compile-project.js";
import { type OpenProject, openProject, openSkills } from "../project/open-project.js";
import { projectRoot } from "../project/project-root.js";
import { readRevision, textOf, withFiles } from "./checkout.js";
import { findCommit, type Repository } from "./git.js";
import { checkedCatalog, readCatalog } from "./read-catalog.js";

export type Side =
  | { readonly kind: "project"; readonly name: string; readonly folder: string }
  | { readonly kind: "folder"; readonly name: string; readonly folder: string }
  | { readonly kind: "output"; readonly name: string; readonly folder: string }
  | { readonly kind: "catalog"; readonly name: string; readonly file: string }
  | {
      readonly kind: "revision";
      readonly name: string;
      readonly commit: string;
      readonly repository: Repository;
    };

/**
 * Finds the side that a command line argument names: a path on disk, or else a revision.
 *
 * @throws CommandFailure if it is neither
 */
export async function findSide(context: CommandContext, written: string): Promise<Side> {
  const location = resolveFrom(context.directory, written);
  const found = written === "" ? undefined : statSync(location, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    const kind = isOutput(location) ? "output" : "folder";
    return { kind, name: written, folder: realpathSync(location) };
  }
  if (found?.isFile() === true)
    return { kind: "catalog", name: written, file: realpathSync(location) };
  if (found !== undefined)
    throw CommandFailure.usage(
      `\`${visible(written)}\` is neither a folder nor a file`,
      "name a folder, a file that `skillc catalog --json` printed, or a git revision: `skillc compare HEAD~1 .`",
    );
  return findRevision(context, written);
}

/** Checks if a folder contains a catalog that skillc wrote. */
function isOutput(folder: string): boolean {
  const path = join(folder, catalogFile);
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && beginsAsOurs(readRegularFile(path).toString("utf8"));
}

async function findRevision({ directory, io }: CommandContext, written: string): Promise<Side> {
  const shown = visible(written);
  if (written.startsWith("-"))
    throw CommandFailure.usage(
      `\`${shown}\` is not a revision: a revision can't begin with \`-\``,
      "name a folder, a file that `skillc catalog --json` printed, or a git revision: `skillc compare HEAD~1 .`",
    );
  const root = await projectRoot(directory);
  const found = await findCommit(root, io.env, written).catch((error: unknown) => {
    if (!(error instanceof CommandFailure)) throw error;
    const message = `there is no folder or file \`${shown}\`, and ${error.message}`;
    throw CommandFailure.input(message, error.help);
  });
  if (found !== undefined) return { kind: "revision", name: written, ...found };
  throw CommandFailure.usage(
    `\`${shown}\` is not a folder, a file or a git revision here`,
    "`git log --oneline` shows revisions; in a shallow clone, as in CI, `git fetch --unshallow` gets the missing ones",
  );
}

/** Returns the project in its current state on disk as a side. */
export async function workingTree({ directory }: CommandContext): Promise<Side> {
  const root = await projectRoot(directory);
  return { kind: "project", name: "the project in its present state", folder: realpathSync(root) };
}

/** @throws CommandFailure if both sides are the same */
export function refuseSame(old: Side, now: Side): void {
  if (identityOf(old) !== identityOf(now)) return;
  throw CommandFailure.usage(
    `\`${visible(old.name)}\` and \`${visible(now.name)}\` are the same`,
    "name two sides: `skillc compare HEAD~1 .`, `skillc compare old.json .`",
  );
}

function identityOf(side: Side): string {
  switch (side.kind) {
    case "project":
    case "folder":
    case "output":
      return `folder ${side.folder}`;
    case "catalog":
      return `file ${side.file}`;
    case "revision":
      return `commit ${side.commit}`;
  }
}

/** A catalog, or the problems of its skills. */
export interface SideCatalog extends PrintedDiagnostics {
  readonly catalog: ComparedCatalog;
  /** Files that were skipped, so that their tools would appear removed. */
  readonly passedOver: readonly Diagnostic[];
  /** Tools that depend on others. Absent for a catalog that was printed or generated. */
  readonly dependents?: DependentTools;
  /** Explains the source of the catalog if it isn't obvious. */
  readonly note?: string;
}

const nothing = {
  diagnostics: [],
  passedOver: [],
  accepted: [],
  sources: new Map<string, never>(),
};

export async function catalogOf(context: CommandContext, side: Side): Promise<SideCatalog> {
  switch (side.kind) {
    case "project":
      return ofProject(context, await openProject(side.folder));
    case "folder":
      return ofProject(context, await openSkills(side.folder, side.name));
    case "catalog":
      return { ...nothing, catalog: readCatalog(textAt(side.file), visible(side.name)) };
    case "output":
      return { ...nothing, catalog: ofOutput(side) };
    case "revision":
      return ofRevision(context, side);
  }
}

function ofOutput({ folder, name }: Extract<Side, { kind: "output" }>): ComparedCatalog {
  const catalog = readOutputCatalog(folder);
  if (catalog !== undefined) return checkedCatalog({ ...catalog }, { written: visible(name) });
  throw CommandFailure.input(
    `the catalog in \`${visible(name)}\` can't be read: its modules differ from what skillc wrote`,
    "run `skillc generate` there, or name the folder of its skills",
  );
}

/** Maximum size of a catalog, in bytes. */
const maxBytes = 256 * 1024 * 1024;

function textAt(file: string): string {
  if (statSync(file).size > maxBytes)
    throw CommandFailure.input(`\`${visible(file)}\` is too large to be a catalog of skillc`);
  return readRegularFile(file).toString("utf8");
}

async function ofProject(context: CommandContext, open: OpenProject): Promise<SideCatalog> {
  const sources = sourcesOf(open, new Map());
  const { diagnostics, kinds } = open;
  // Without the missing kinds, the comparison would report each of their tools as an unknown type.
  if (kinds === undefined)
    return { catalog: { skills: [] }, diagnostics, passedOver: [], accepted: [], sources };
  const cache = readingOnly(createSession(context.io).cacheFor(open));
  const input = { project: open.project, config: open.config, kinds: kinds.registry, cache };
  const compiled = await compiledWith(context, { ...input, setting: settingsOf(open.root) });
  const all = inSourceOrder([...diagnostics, ...compiled.diagnostics]);
  const { accepted, catalog, dependents } = compiled;
  return { catalog, dependents, diagnostics: all, passedOver: diagnostics, accepted, sources };
}

function compiledWith(
  context: CommandContext,
  input: Omit<CatalogInput, "stopwatch" | "progress">,
) {
  const stopwatch = createStopwatch(() => performance.now());
  return withProgress(context, (progress) => compileCatalog({ ...input, stopwatch, progress }));
}

/**
 * Compiles the skills of a commit with this version of skillc. Never runs the commit's code. If its
 * skillc.yaml names custom kinds, this uses its committed catalog instead.
 */
async function ofRevision(
  context: CommandContext,
  { commit, name, repository }: Extract<Side, { kind: "revision" }>,
): Promise<SideCatalog> {
  const shown = visible(name);
  const revision = await readRevision(repository, commit, shown);
  const { bindings, out } = revision.config;
  if (bindings.length === 0)
    return withFiles(revision, (root) => ofFolder(context, root, repository.folder));
  const path = `${out}/${catalogFile}`;
  const kinds = bindings.map(({ type }) => `\`${visible(type)}\``).join(", ");
  const text = await textOf(revision, path);
  if (text === undefined)
    throw CommandFailure.input(
      `\`${shown}\` has custom binding kinds (${kinds}), whose code skillc does not run, and no \`${path}\``,
      "check the revision out, and name its folder",
    );
  const modules = new Map([[catalogFile, text]]);
  for (let missing; (missing = missingModules(catalogFile, modules)).length > 0;)
    for (const each of missing) modules.set(each, (await textOf(revision, `${out}/${each}`)) ?? "");
  const written = readCatalogModules(catalogFile, modules);
  if (written === undefined)
    throw CommandFailure.input(
      `\`${shown}:${path}\` can't be read: the catalog's modules differ from what skillc wrote`,
      "check the revision out, and name its folder",
    );
  return {
    ...nothing,
    catalog: checkedCatalog({ ...written }, { written: `${shown}:${path}` }),
    note: `its committed ${path}: skillc does not run the code of ${kinds}`,
  };
}

/** @param project folder with the settings */
async function ofFolder(
  context: CommandContext,
  root: string,
  project: string,
): Promise<SideCatalog> {
  const kinds = createRegistry();
  const report = createReport(allDiagnosticEntries(kinds));
  const read = await readProject(root, report);
  const config = parseConfig(read.configFile, report);
  const others = await readGlobs(root, filesOfSettings(config), report);
  const files = new Map([...read.files, ...others.files]);
  const unread = new Map([...(read.unread ?? []), ...others.unread]);
  const open = {
    project: { ...read, files, unread, near: others.near },
    config,
    kinds: { registry: kinds, fingerprint: "" },
    root: project,
    outFolder: root,
    diagnostics: report.diagnostics(),
  };
  return ofProject(context, open);
}
