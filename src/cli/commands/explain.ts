import type { CatalogueEntry } from "../../core/catalogue.js";
import { compareText } from "../../core/report.js";
import { didYouMean } from "../../schema/suggestion.js";
import type { CommandContext } from "../command-context.js";
import { type Palette, severityColour, withCodeSpans } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
import { visible } from "../console/visible.js";
import { wrap } from "../console/wrap.js";
import { fullCatalogue } from "../diagnostics/all-catalogues.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { widthOf } from "../io.js";
import { changedFiles, exampleFiles, type ExampleFile, type ExampleLine } from "./render-entry.js";

/** Prints what a code means; without one, all codes. */
export async function explain(
  context: CommandContext,
  code: string | undefined,
  options: { readonly json?: true },
): Promise<ExitCode> {
  const catalogue = Object.entries(fullCatalogue()).toSorted(([a], [b]) => compareText(a, b));
  const { io, out } = context;
  if (code === undefined) {
    if (options.json === true)
      printJson(
        io.stdout,
        catalogue.map(([each, entry]) => ({ code: each, ...entry })),
      );
    else io.stdout.write(renderList(catalogue, out));
    return exitCode.fine;
  }
  const wanted = code.replace(/^(?:error|warning|info)?\[(.*)\]$/, "$1");
  const entry = catalogue.find(([each]) => each === wanted)?.[1];
  if (entry === undefined)
    throw unknownCode(
      wanted,
      catalogue.map(([each]) => each),
    );
  if (options.json === true) printJson(io.stdout, { code: wanted, ...entry });
  else
    io.stdout.write(
      `${renderExplanation(wanted, entry, out, Math.min(widthOf(io.stdout), 100)).join("\n")}\n`,
    );
  return exitCode.fine;
}

function unknownCode(code: string, codes: readonly string[]): CommandFailure {
  const help = didYouMean(code, codes) ?? "`skillc explain` without a code lists all of them";
  return CommandFailure.usage(`there is no diagnostic \`${code}\``, help);
}

function renderList(
  catalogue: readonly (readonly [string, CatalogueEntry])[],
  palette: Palette,
): string {
  const width = Math.max(...catalogue.map(([code]) => code.length));
  const rows = catalogue.map(
    ([code, { severity, title }]) =>
      `${severityColour(palette, severity)(severity.padEnd(7))}  ${palette.bold(code.padEnd(width))}  ${withCodeSpans(visible(title), palette)}`,
  );
  return `${rows.join("\n")}\n`;
}

function renderExplanation(
  code: string,
  entry: CatalogueEntry,
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
    ...(fix.length === 0 ? [] : ["", palette.bold("Mended"), ...fix]),
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
