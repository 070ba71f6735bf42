import type { JsonValue } from "../../core/json.js";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { parseJsonOption } from "../console/json-option.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { printFailure } from "../console/print-failure.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { type Io, wantsColour, widthOf } from "../io.js";
import {
  type CommandOutput,
  ledgerList,
  ledgerPrune,
  ledgerReport,
  ledgerShow,
  ledgerVerify,
} from "../ledger/commands.js";
import { ledgerSettle } from "../ledger/settle.js";
import { isReportHtml } from "../ledger/report/html/page.js";
import { writeReport } from "../output/write-report.js";
import { deepestJson, isTooDeep, readRegularFile } from "@skillc/runtime/internal";
import type { SettledAs } from "@skillc/runtime/internal/ledger";
import { ledgerMigrate } from "../ledger/migrate.js";
import {
  databaseLedger,
  type LedgerPlaceFlags,
  type OpenLedger,
  openLedger,
} from "../ledger/open-ledger.js";
import { readSettings } from "../project/read-settings.js";
import { type OpenRuns, openRuns } from "../runs/open-runs.js";
import { projectRoot } from "../project/project-root.js";
import { withoutSecrets } from "./without-secrets.js";

export type LedgerPart = "list" | "show" | "settle" | "verify" | "prune" | "report" | "migrate";

/** Options of all ledger commands, as commander gives them. */
export interface LedgerFlags extends LedgerPlaceFlags {
  readonly tool?: string;
  readonly skill?: string;
  readonly mode?: "active" | "shadow";
  readonly status?: string;
  readonly tenant?: string;
  readonly subject?: string;
  readonly trace?: string;
  readonly parent?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly json?: true;
  readonly html?: string;
  readonly as?: SettledAs;
  readonly because?: string;
  /** JSON, or `@` and the path of a file with JSON. */
  readonly answer?: string;
  readonly correct?: true;
  readonly before?: string;
  readonly dryRun?: true;
  readonly includeUnknown?: true;
}

/**
 * Runs `skillc ledger …`. Outside of a project, it uses the folder itself, because listing past
 * calls needs no skills.
 */
export async function ledger(
  context: CommandContext,
  kind: LedgerPart,
  argument: string | undefined,
  flags: LedgerFlags,
): Promise<ExitCode> {
  const root = await projectRoot(context.directory);
  if (kind === "migrate") return migrate(context, root, flags);
  const opened = await openLedger(root, flags, context.io.env);
  try {
    return await run({ context, kind, argument, flags, root, ...opened });
  } finally {
    await opened.store.close();
  }
}

async function migrate(
  context: CommandContext,
  root: string,
  flags: LedgerFlags,
): Promise<ExitCode> {
  const { io } = context;
  const found = await databaseLedger(root, flags, io.env);
  if (found === undefined)
    throw CommandFailure.usage(
      "nothing to migrate: this project keeps its ledger in files",
      "name one in PostgreSQL: `--url '${LEDGER_URL}'`, or `ledger: ${LEDGER_URL}` in skillc.yaml",
    );
  const style = { color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) };
  return print(
    context,
    await ledgerMigrate({ ...style, ledger: found, json: flags.json === true }),
  );
}

interface LedgerRun extends OpenLedger {
  readonly context: CommandContext;
  readonly kind: LedgerPart;
  readonly argument: string | undefined;
  readonly flags: LedgerFlags;
  /** Path of the project's folder. */
  readonly root: string;
}

async function run({
  argument,
  context,
  flags,
  kind,
  root,
  store,
  where,
}: LedgerRun): Promise<ExitCode> {
  const { answer, as, because, before, correct, dryRun, html, includeUnknown, json, ...filter } =
    flags;
  const { io } = context;
  const options = {
    ...filter,
    store,
    where,
    color: wantsColour(io.stdout, io.env),
    width: widthOf(io.stdout),
    json: json === true,
  };
  if (kind === "list") return print(context, await ledgerList(options));
  if (kind === "show") return print(context, await ledgerShow({ ...options, id: argument ?? "" }));
  if (kind === "settle" && as !== undefined && because !== undefined) {
    const settling = {
      ...options,
      id: argument ?? "",
      as,
      because: await withoutSecrets(because, root, io.env),
      correct: correct === true,
      ...(answer !== undefined && { answer: readAnswer(context, answer) }),
      tools: { root, out: (await readSettings(root)).out },
      openRuns: () => openNamedRuns(root, io.env),
    };
    return print(context, await ledgerSettle(settling));
  }
  if (kind === "verify") return print(context, await ledgerVerify(options));
  if (kind === "prune" && before !== undefined) {
    const how = { before, dryRun: dryRun === true, includeUnknown: includeUnknown === true };
    return print(context, await ledgerPrune({ ...options, ...how, directory: root }));
  }
  const format = html !== undefined ? "html" : json === true ? "json" : "table";
  const output = await ledgerReport({
    ...options,
    format,
    ...(argument === undefined ? {} : { tool: argument }),
  });
  if (html === undefined || !("text" in output) || output.exitCode !== 0)
    return print(context, output);
  printNotes(context, output);
  const path = resolveFrom(context.directory, html);
  writeReport(root, { path, written: html, text: output.text, isOurs: isReportHtml });
  io.stderr.write(`${context.err.green("wrote")} ${html}\n`);
  return exitCode.fine;
}

/**
 * Reads the value of `--answer`.
 *
 * @throws CommandFailure if it is not JSON, nests too deeply, or its file can't be read
 */
function readAnswer({ directory }: CommandContext, written: string): JsonValue {
  const isFile = written.startsWith("@");
  const text = isFile ? readAnswerFile(directory, written.slice(1)) : written;
  const name = isFile ? `\`${visible(written.slice(1))}\`` : "`--answer`";
  if (isTooDeep(text))
    throw CommandFailure.usage(`the JSON of ${name} nests deeper than ${deepestJson} levels`);
  return parseJsonOption(text, {
    name,
    unusable: `a run can't keep ${name}`,
    help: `quote it for the shell: --answer '{"id": "ord_1001"}', or name a file: --answer @answer.json`,
  });
}

function readAnswerFile(directory: string, path: string): string {
  try {
    const text = readRegularFile(resolveFrom(directory, path)).toString("utf8");
    // Some editors begin a file with this mark.
    return text.replace(/^\ufeff/, "");
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw CommandFailure.input(
      `the file of \`--answer\` can't be read: ${visible(error.message)}`,
      "name a file with JSON: --answer @answer.json",
    );
  }
}

/** Opens the kept runs if skillc.yaml names their key or their place. */
async function openNamedRuns(root: string, env: Io["env"]): Promise<OpenRuns | undefined> {
  const { runs } = await readSettings(root);
  return runs?.key === undefined && runs?.place === undefined ? undefined : openRuns(root, {}, env);
}

function print(context: CommandContext, output: CommandOutput): ExitCode {
  const { err, io } = context;
  printNotes(context, output);
  if ("failure" in output)
    printFailure(io.stderr, err, output.failure.message, output.failure.help);
  else if ("json" in output) printJson(io.stdout, output.json);
  else io.stdout.write(output.text.endsWith("\n") ? output.text : `${output.text}\n`);
  return output.exitCode;
}

function printNotes({ io, err }: CommandContext, { notes = [] }: CommandOutput): void {
  for (const note of notes)
    io.stderr.write(`${severityColour(err, "info")("note")}: ${withCodeSpans(note, err)}\n`);
}
