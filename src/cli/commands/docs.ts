import type { Catalogue, CatalogueEntry } from "../../core/catalogue.js";
import { compareText } from "../../core/report.js";
import { changedFiles, exampleFiles, type ExampleFile, type ExampleLine } from "./render-entry.js";

/** docs/diagnostics.md: every code, what it means, a failing example and its fix. The same catalogue gives the same text. */
export function renderCatalogue(catalogue: Catalogue): string {
  const entries = Object.entries(catalogue).toSorted(([a], [b]) => compareText(a, b));
  const areas = [...new Set(entries.map(([code]) => areaOf(code)))];
  const contents = areas.map((area) => {
    const codes = entries.filter(([code]) => areaOf(code) === area);
    return `- **${area}**: ${codes.map(([code]) => `[${code}](#${anchorOf(code)})`).join(", ")}`;
  });
  return [
    "# Diagnostics",
    "",
    "Everything `skillc` can find wrong, by code. `skillc explain CODE` prints the same. Errors stop `skillc generate`; warnings don't, unless `skillc check --strict` asks.",
    "",
    "<!-- Written by `npm run docs` from the catalogue in the source. -->",
    "",
    // Examples stay as authors write them, faults and all.
    "<!-- prettier-ignore-start -->",
    "",
    ...contents,
    "",
    ...entries.flatMap(([code, entry]) => renderEntry(code, entry)),
    "<!-- prettier-ignore-end -->",
    "",
  ].join("\n");
}

function areaOf(code: string): string {
  return code.slice(0, code.indexOf("/"));
}

/** As GitHub makes them of headings. */
function anchorOf(code: string): string {
  return code.replace("/", "");
}

function renderEntry(code: string, entry: CatalogueEntry): readonly string[] {
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
