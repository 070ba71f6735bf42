import type { Document, YAMLError } from "yaml";
import type { DiagnosticCode, Finding } from "../../core/diagnostic.js";
import { composeYaml, type YamlText } from "./compose-yaml.js";
import { lineAround, type Place } from "./line-around.js";
import { placeOf } from "./yaml-fault-place.js";
import { wordsFor } from "./yaml-fault-words.js";

/**
 * Lines that are looked at: that of a complaint, and that where its cause opens. A mistake makes the library complain about much that
 * follows; more than this helps nobody.
 */
const mostLines = 20;

/**
 * What is wrong in plain words: the first of the library's errors, and those of its other complaints that are no consequence of it, one a
 * line.
 */
export function yamlFaults(
  file: string,
  source: YamlText,
  document: Document.Parsed,
): readonly Finding[] {
  const faults = faultsByLine(file, source, document).toSorted(
    (one, other) => one.finding.span.start - other.finding.span.start,
  );
  const root = faults.find(({ error }) => error.name !== "YAMLWarning");
  return faults
    .filter(
      (each) =>
        root === undefined ||
        each === root ||
        (isNoRepeat(each, faults) && isFaultOfItsLine(each, source)),
    )
    .map((each) => each.finding);
}

/** A complaint, and how it is reported. */
interface Fault {
  readonly error: YAMLError;
  readonly finding: Finding;
}

/** The library's first complaint about each line, errors before warnings. */
function faultsByLine(file: string, source: YamlText, document: Document.Parsed): readonly Fault[] {
  const found: Fault[] = [];
  const lines: Place[] = [];
  const isNew = (offset: number) =>
    !lines.some((line) => offset >= line.start && offset <= line.end);
  for (const error of [...document.errors, ...document.warnings]) {
    if (lines.length >= mostLines) break;
    const at = inside(error.pos[0], source);
    if (!isNew(at)) continue;
    const { start, end, words = wordsFor(error), related } = placeOf(error, source, document);
    const line = lineAround(start, source);
    if (isNew(start)) {
      const span = { file, start, end: Math.max(start, Math.min(end, line.end)) };
      const beside = related && { related: [{ ...related, span: { file, ...related.span } }] };
      found.push({ error, finding: { code: codeOf(error), span, ...words, ...beside } });
    }
    lines.push(line, lineAround(at, source));
  }
  return found;
}

/** A file that is indented with tabs has one fault, not one a line. */
function isNoRepeat({ error }: Fault, faults: readonly Fault[]): boolean {
  const tab = faults.find((each) => each.error.code === "TAB_AS_INDENT");
  return error.code !== "TAB_AS_INDENT" || tab?.error === error;
}

/** Whether the line is as wrong without those above it. */
function isFaultOfItsLine({ error, finding }: Fault, source: YamlText): boolean {
  const at = error.pos[0];
  const composed = composeYaml({ text: source.text, ...lineAround(finding.span.start, source) });
  return (
    composed.kind === "document" &&
    [...composed.document.errors, ...composed.document.warnings].some(
      (each) => each.pos[0] === at && each.code === error.code,
    )
  );
}

function inside(offset: number, source: YamlText): number {
  return Math.min(Math.max(offset, source.start), source.end);
}

function codeOf(error: YAMLError): DiagnosticCode {
  if (error.code === "TAG_RESOLVE_FAILED" || error.code === "BAD_COLLECTION_TYPE") {
    return "parse/unknown-tag";
  }
  if (error.code === "RESOURCE_EXHAUSTION") return "parse/too-deep";
  return error.name === "YAMLWarning" ? "parse/doubtful-yaml" : "parse/invalid-yaml";
}
