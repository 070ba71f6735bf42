import type { Diagnostic } from "../../core/diagnostic.js";
import { checkRollbackKeys } from "../../compiler/check/rollback-keys.js";
import { createReport, inSourceOrder } from "../../core/report.js";
import { readingOnly } from "../cache/file-cache.js";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import {
  hasErrors,
  printDiagnostics,
  printDiagnosticsJson,
} from "../diagnostics/print-diagnostics.js";
import { type ExitCode, exitCode } from "../exit.js";
import { envFileProblem } from "../project/env-file.js";
import type { CompiledProject } from "../project/compile-project.js";
import {
  type OpenProject,
  openProject,
  openSkills,
  withLinkedFiles,
} from "../project/open-project.js";
import { compileWithProgress } from "./compile-with-progress.js";
import { type Need, needsOf, printNeeds } from "./environment-needs.js";
import { createSession } from "./generate-once.js";
import { capabilitiesOf } from "../../bindings/capabilities.js";
import { printCredentials, sentCredentials } from "./sent-credentials.js";
import {
  type PublishedList,
  printPublished,
  publishedList,
  withPublishDiagnostics,
} from "./published.js";
import { printReferences, toolReferences } from "./tool-references.js";
import { sizeOf } from "./print-generated.js";

export interface CheckOptions {
  readonly strict?: true;
  readonly env?: true;
  readonly publish?: true;
  readonly json?: true;
}

/**
 * Reports every problem. Writes nothing, not even to the cache.
 *
 * @param skills a folder of skills, or of one skill, to check instead of the project
 */
export async function check(
  context: CommandContext,
  skills: string | undefined,
  options: CheckOptions,
): Promise<ExitCode> {
  const { io, out } = context;
  const { compiled, list, open } = await checked(context, skills, options);
  const diagnostics =
    options.strict === true ? compiled.diagnostics.map(strictly) : compiled.diagnostics;
  const lowered = compiled.compilation?.lowered ?? [];
  const tools = toolReferences(lowered, open.kinds?.registry);
  const kinds = open.kinds?.registry;
  const reaching = lowered.flatMap(({ tools: all }) =>
    all.flatMap(({ id, tool }) =>
      kinds === undefined ? [] : [{ id, capabilities: capabilitiesOf(tool, id, kinds) }],
    ),
  );
  const credentials = sentCredentials(reaching);
  const needs =
    options.env === true
      ? await needsOf(lowered, {
          root: open.root,
          env: io.env,
          secretNames: open.config.secretNames,
          kinds: open.kinds?.registry,
        })
      : undefined;
  if (options.json === true) {
    printDiagnosticsJson(
      context,
      { ...compiled, diagnostics },
      {
        tools,
        credentials,
        ...(needs && { environment: needs }),
        ...(list && { published: list }),
      },
    );
  } else {
    printDiagnostics(context, { ...compiled, diagnostics });
    if (!hasErrors(diagnostics)) {
      io.stdout.write(`${out.green("✓")} ${sizeOf(compiled)}: no errors\n`);
      printReferences(context, tools);
      printCredentials(
        context,
        credentials.filter(({ literal }) => literal),
      );
    }
    if (needs !== undefined) printNeeds(context, needs);
    if (list !== undefined) printPublished(context, list);
  }
  return hasErrors(diagnostics) || isLacking(needs) ? exitCode.inputErrors : exitCode.fine;
}

interface Checked {
  readonly open: OpenProject;
  readonly compiled: CompiledProject;
  /** Set with `--publish`, if there are no errors. */
  readonly list?: PublishedList;
}

/** Compiles the skills, and adds the diagnostics of options. */
async function checked(
  context: CommandContext,
  skills: string | undefined,
  options: CheckOptions,
): Promise<Checked> {
  const read =
    skills === undefined
      ? await openProject(context.directory)
      : await openSkills(resolveFrom(context.directory, skills), skills);
  const open = options.publish === true ? await withLinkedFiles(read) : read;
  const cache = readingOnly(createSession(context.io).cacheFor(open));
  const found = await compileWithProgress(context, open, { cache });
  const published = options.publish === true ? found.compilation?.published : undefined;
  const listed = published ? withPublishDiagnostics(found, published, open) : found;
  const compiled = options.env === true ? withEnvironment(listed, open) : listed;
  const list = published && publishedList(compiled, published);
  return { open, compiled, ...(list && { list }) };
}

/** Adds problems of a deployment. */
function withEnvironment(compiled: CompiledProject, open: OpenProject): CompiledProject {
  const { config, root } = open;
  const whole = withEnvFile(compiled, root);
  if (config.runs?.key !== undefined) return whole;
  const report = createReport(allDiagnosticEntries());
  checkRollbackKeys(compiled.compilation?.lowered ?? [], report);
  return { ...whole, diagnostics: inSourceOrder([...whole.diagnostics, ...report.diagnostics()]) };
}

/** Adds a problem of `.env`; other commands tolerate it. */
function withEnvFile(compiled: CompiledProject, root: string): CompiledProject {
  const problem = envFileProblem(root);
  if (problem === undefined) return compiled;
  return { ...compiled, diagnostics: inSourceOrder([...compiled.diagnostics, problem]) };
}

/** Turns warnings into errors for `--strict`. */
function strictly(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === "warning" ? { ...diagnostic, severity: "error" } : diagnostic;
}

function isLacking(needs: readonly Need[] | undefined): boolean {
  return needs?.some(({ state }) => state === "missing" || state === "unusable") ?? false;
}
