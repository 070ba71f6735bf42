import type { DiagnosticEntries, DiagnosticEntry } from "../../core/diagnostic-entry.js";
import { groupBy } from "../../core/group-by.js";
import { compareText } from "../../core/report.js";
import { changedFiles, exampleFiles, type ExampleFile, type ExampleLine } from "./render-entry.js";

/** A page of the documentation that diagnostics give. */
export interface DocsPage {
  /** Below docs/. */
  readonly path: string;
  /** Markdown. */
  readonly text: string;
}

/**
 * docs/diagnostics.md, which names every code, and a page for each family of them: what each means,
 * a failing example and its fix. The same entries give the same texts.
 */
export function renderDiagnosticPages(all: DiagnosticEntries): readonly DocsPage[] {
  const entries = Object.entries(all).toSorted(([a], [b]) => compareText(a, b));
  const families = groupBy(entries, ([code]) => familyOf(code));
  return [
    { path: "diagnostics.md", text: renderIndex(families) },
    ...[...families].map(([family, its]) => ({
      path: pageOf(family),
      text: renderFamily(family, its),
    })),
  ];
}

type Entries = readonly (readonly [code: string, entry: DiagnosticEntry])[];

/** Each line keeps the anchor that the code's heading has had here, for links from elsewhere. */
function renderIndex(families: ReadonlyMap<string, Entries>): string {
  const lineOf = ([code, { severity, title }]: Entries[number]): string => {
    const anchor = anchorOf(code);
    return `- <a id="${anchor}"></a>[${code}](${pageOf(familyOf(code))}#${anchor}), ${severity}: ${title}`;
  };
  return page([
    "# Diagnostics",
    "",
    "Everything that `skillc` can find wrong, by code. Each leads to what it means, a failing example and its fix; `skillc explain CODE` prints the same. " +
      "Errors stop `skillc generate`; warnings don't, unless `skillc check --strict` asks.",
    "",
    ...written,
    ...[...families].flatMap(([family, its]) => [
      `## ${family}`,
      "",
      ...its.map((each) => lineOf(each)),
      "",
    ]),
  ]);
}

function renderFamily(family: string, entries: Entries): string {
  return page([
    `# Diagnostics: ${family}`,
    "",
    "One family of [all diagnostics](../diagnostics.md).",
    "",
    ...written,
    ...entries.flatMap(([code, entry]) => renderEntry(code, entry)),
  ]);
}

const written = [
  "<!-- Written by `npm run docs` from the source. -->",
  "",
  // Examples stay as authors write them, problems and all.
  "<!-- prettier-ignore-start -->",
  "",
];

function page(lines: readonly string[]): string {
  return [...lines, "<!-- prettier-ignore-end -->", ""].join("\n");
}

function pageOf(family: string): string {
  return `diagnostics/${family}.md`;
}

function familyOf(code: string): string {
  return code.slice(0, code.indexOf("/"));
}

/** As GitHub makes them of headings. */
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
    ...(changes.length === 0 ? [] : ["Mended:", ""]),
    ...changes.flatMap((file) => fenced(file, "diff", diffLine)),
  ];
}

/** The fence is longer than any run of backticks in what it holds. */
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
