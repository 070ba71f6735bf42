import type { DiagnosticEntries, DiagnosticEntry } from "../../core/diagnostic-entry.js";
import { groupBy } from "../../core/group-by.js";
import { compareText } from "../../core/report.js";
import { changedFiles, exampleFiles, type ExampleFile, type ExampleLine } from "./render-entry.js";

/** A generated page of the documentation. */
export interface DocsPage {
  /** Path below docs. */
  readonly path: string;
  /** Markdown. */
  readonly text: string;
}

/**
 * Renders an index of all codes, and a page for each family of codes: an explanation, a failing
 * example and its fix. The same entries give the same texts.
 */
export function renderDiagnosticPages(all: DiagnosticEntries): readonly DocsPage[] {
  const entries = Object.entries(all).toSorted(([a], [b]) => compareText(a, b));
  const families = groupBy(entries, ([code]) => familyOf(code));
  return [
    { path: `${folder}/index.md`, text: renderIndex(families) },
    ...[...families].map(([family, its]) => ({
      path: pageOf(family),
      text: renderFamily(family, its),
    })),
  ];
}

type Entries = readonly (readonly [code: string, entry: DiagnosticEntry])[];

function renderIndex(families: ReadonlyMap<string, Entries>): string {
  const lineOf = ([code, { severity, title }]: Entries[number]): string => {
    const anchor = anchorOf(code);
    return `- <a id="${anchor}"></a>[${code}](${familyOf(code)}.md#${anchor}), ${severity}: ${title}`;
  };
  return [
    "# Diagnostics",
    "",
    "Every code that skillc reports, with a link to its explanation, a failing example and the fix. `skillc explain CODE` prints the same. " +
      "An error stops `skillc generate`. A warning does not; `skillc check --strict` treats warnings as errors.",
    "",
    ...[...families].flatMap(([family, its]) => [
      `## ${family}`,
      "",
      ...its.map((each) => lineOf(each)),
      "",
    ]),
  ].join("\n");
}

function renderFamily(family: string, entries: Entries): string {
  return [
    `# Diagnostics: ${family}`,
    "",
    "One family of [all diagnostics](index.md).",
    "",
    ...entries.flatMap(([code, entry]) => renderEntry(code, entry)),
  ].join("\n");
}

/** Folder of the pages, below docs. */
const folder = "reference/diagnostics";

function pageOf(family: string): string {
  return `${folder}/${family}.md`;
}

function familyOf(code: string): string {
  return code.slice(0, code.indexOf("/"));
}

/** Returns the anchor that GitHub gives the heading. */
function anchorOf(code: string): string {
  return code.replace("/", "");
}

function renderEntry(code: string, entry: DiagnosticEntry): readonly string[] {
  const changes = changedFiles(entry.example, entry.fixed);
  return [
    `## ${code}`,
    "",
    `**${entry.severity}**: ${entry.title}`,
    "",
    entry.explanation,
    "",
    ...exampleFiles(entry.example).flatMap((file) =>
      fenced(file, languageOf(file.path), (line) => line.text),
    ),
    ...(changes.length === 0 ? [] : ["Fixed:", ""]),
    ...changes.flatMap((file) => fenced(file, "diff", diffLine)),
  ];
}

/** Uses a fence longer than any run of backticks in the content. */
function fenced(
  file: ExampleFile,
  language: string,
  show: (line: ExampleLine) => string,
): readonly string[] {
  const lines = file.lines.map(show);
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = "`".repeat(longest + 1);
  return [`\`${file.path}\``, "", `${fence}${language}`, ...lines, fence, ""];
}

function diffLine({ kind, text }: ExampleLine): string {
  const signs = { same: " ", removed: "-", added: "+", skipped: "…" } as const;
  return `${signs[kind]}${text}`.trimEnd();
}

function languageOf(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const languages: Readonly<Record<string, string>> = {
    md: "markdown",
    yaml: "yaml",
    yml: "yaml",
    json: "json",
    ts: "ts",
  };
  return languages[ending] ?? "text";
}
