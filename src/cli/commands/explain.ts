import type { DiagnosticEntry } from "../../core/diagnostic-entry.js";
import { compareText } from "../../core/report.js";
import { didYouMean } from "../../schema/suggestion.js";
import type { CommandContext } from "../command-context.js";
import { type Palette, severityColour, withCodeSpans } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { wrap } from "../console/wrap.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { widthOf } from "../io.js";
import { type ToolErrorEntry, toolErrors } from "../tool-errors.js";
import { changedFiles, exampleFiles, type ExampleFile, type ExampleLine } from "./render-entry.js";
import { renderToolError } from "./print-tool-error.js";

/** All entries by code: diagnostics of the compiler, then errors of calls. */
function allEntries(): readonly Explained[] {
  const entries = Object.entries(allDiagnosticEntries()).toSorted(([a], [b]) => compareText(a, b));
  return [
    ...entries.map(([code, entry]): Explained => ({ code, kind: "diagnostic", entry })),
    ...Object.entries(toolErrors).map(([code, entry]): Explained => ({
      code,
      kind: "tool-error",
      entry,
    })),
  ];
}

type Explained =
  | { readonly code: string; readonly kind: "diagnostic"; readonly entry: DiagnosticEntry }
  | { readonly code: string; readonly kind: "tool-error"; readonly entry: ToolErrorEntry };

/**
 * Prints the meaning of a code. Lists the codes of an area (`http`, `PROVIDER`), or all codes
 * without an argument.
 */
export async function explain(
  { io, out }: CommandContext,
  code: string | undefined,
  options: { readonly json?: true },
): Promise<ExitCode> {
  const all = allEntries();
  const wanted = code?.replace(/^(?:error|warning|info)?\[(.*)\]$/, "$1");
  const found = all.find((each) => each.code === wanted);
  const listed = wanted === undefined ? all : all.filter((each) => areaOf(each.code) === wanted);
  if (found !== undefined) {
    if (options.json === true) printJson(io.stdout, asJson(found));
    else
      io.stdout.write(`${renderFound(found, out, Math.min(widthOf(io.stdout), 100)).join("\n")}\n`);
  } else if (listed.length === 0) throw unknownCode(wanted ?? "", all);
  else if (options.json === true) printJson(io.stdout, listed.map(asJson));
  else io.stdout.write(renderList(listed, out));
  return exitCode.fine;
}

function asJson({ code, entry }: Explained): object {
  return { code, ...entry };
}

/** Area of a code: `http` of `http/bad-method`, `PROVIDER` of `PROVIDER.TIMEOUT`. */
function areaOf(code: string): string {
  return code.split(/[/.]/)[0] ?? "";
}

function renderFound(found: Explained, palette: Palette, width: number): readonly string[] {
  return found.kind === "diagnostic"
    ? renderExplanation(found.code, found.entry, palette, width)
    : renderToolError(found.code, found.entry, palette, width);
}

function unknownCode(code: string, all: readonly Explained[]): CommandFailure {
  const codes = all.map((each) => each.code);
  const help =
    didYouMean(code, [...codes, ...new Set(codes.map(areaOf))]) ??
    "`skillc explain` without a code lists all of them";
  return CommandFailure.usage(`there is no code \`${code}\``, help);
}

function renderList(listed: readonly Explained[], palette: Palette): string {
  const width = Math.max(...listed.map(({ code }) => code.length));
  const rows = listed.map((each) => {
    const title = withCodeSpans(visible(each.entry.title), palette);
    return `${wordOf(each, palette)}  ${palette.bold(each.code.padEnd(width))}  ${title}`;
  });
  return `${rows.join("\n")}\n`;
}

/** Severity of a diagnostic, or `thrown` for an error of a call. */
function wordOf(each: Explained, palette: Palette): string {
  if (each.kind === "tool-error") return palette.red("thrown ");
  const { severity } = each.entry;
  return severityColour(palette, severity)(severity.padEnd(7));
}

function renderExplanation(
  code: string,
  entry: DiagnosticEntry,
  palette: Palette,
  width: number,
): readonly string[] {
  const head = `${severityColour(palette, entry.severity)(`${entry.severity}[${code}]`)}${palette.bold(`: ${visible(entry.title)}`)}`;
  const example = exampleFiles(entry.example).flatMap((file) => renderFile(file, palette));
  const fix = changedFiles(entry.example, entry.fixed).flatMap((file) => renderFile(file, palette));
  const paragraphs = entry.explanation
    .split(/\n{2,}/)
    .map((each) => wrap(each.replaceAll("\n", " "), width));
  return [
    head,
    ...paragraphs.flatMap((lines) => [
      "",
      ...lines.map((line) => withCodeSpans(visible(line), palette)),
    ]),
    "",
    palette.bold("Example"),
    ...example,
    ...(fix.length === 0 ? [] : ["", palette.bold("Fixed"), ...fix]),
  ];
}

function renderFile({ path, lines }: ExampleFile, palette: Palette): readonly string[] {
  return [
    "",
    `  ${palette.underline(visible(path))}`,
    ...lines.map((line) => renderLine(line, palette)),
  ];
}

function renderLine({ kind, text }: ExampleLine, palette: Palette): string {
  const shown = visible(text.replaceAll("\t", "    "));
  if (kind === "removed") return palette.red(`  - ${shown}`);
  if (kind === "added") return palette.green(`  + ${shown}`);
  return kind === "skipped" ? palette.dim("    …") : `    ${shown}`.trimEnd();
}
