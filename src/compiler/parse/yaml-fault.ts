import { type Document, isCollection, type Node, visit, type YAMLError } from "yaml";
import type { DiagnosticCode, Finding } from "../../core/diagnostic.js";
import type { YamlText } from "./compose-yaml.js";
import { wordsFor } from "./yaml-fault-words.js";

/**
 * Lines that are looked at: that of a complaint, and that where its cause opens. A mistake makes the library complain about much that
 * follows; more than this helps nobody.
 */
const mostLines = 20;

/** The library's errors and warnings as findings: the first on each line, errors before warnings, in plain words. */
export function yamlFaults(
  file: string,
  source: YamlText,
  document: Document.Parsed,
): readonly Finding[] {
  const found: Finding[] = [];
  const lines: Place[] = [];
  const isNew = (offset: number) =>
    !lines.some((line) => offset >= line.start && offset <= line.end);
  for (const error of [...document.errors, ...document.warnings]) {
    if (lines.length >= mostLines) break;
    const at = inside(error.pos[0], source);
    if (!isNew(at)) continue;
    const { start, end } = placeOf(error, source, document);
    const line = lineAround(start, source);
    if (isNew(start)) {
      const span = { file, start, end: Math.max(start, Math.min(end, line.end)) };
      found.push({ code: codeOf(error), span, ...wordsFor(error) });
    }
    lines.push(line, lineAround(at, source));
  }
  return found;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** What is never closed is shown where it opens; the library says where it had to end. */
function placeOf(error: YAMLError, source: YamlText, document: Document.Parsed): Place {
  const start = inside(error.pos[0], source);
  if (/Missing closing|must .*end with a/.test(error.message)) {
    const opener = openerOf(start, document);
    if (opener !== undefined) return { start: opener, end: opener + 1 };
  }
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") return { start, end: source.end };
  return { start, end: inside(error.pos[1], source) };
}

/** Start of the quoted text or bracket that was read up to this offset. */
function openerOf(end: number, document: Document.Parsed): number | undefined {
  let opener: number | undefined;
  const look = (node: Node) => {
    const isOpen = isCollection(node) ? node.flow === true : true;
    if (isOpen && node.range?.[1] === end) opener = node.range[0];
  };
  visit(document, { Scalar: (_, node) => look(node), Collection: (_, node) => look(node) });
  return opener;
}

function inside(offset: number, source: YamlText): number {
  return Math.min(Math.max(offset, source.start), source.end);
}

/** The line that an offset is on, without its line break. */
function lineAround(offset: number, source: YamlText): Place {
  const start = offset === 0 ? 0 : source.text.lastIndexOf("\n", offset - 1) + 1;
  const feed = source.text.indexOf("\n", offset);
  const end = feed === -1 ? source.end : Math.min(feed, source.end);
  return { start, end: end > offset && source.text[end - 1] === "\r" ? end - 1 : end };
}

function codeOf(error: YAMLError): DiagnosticCode {
  if (error.code === "TAG_RESOLVE_FAILED" || error.code === "BAD_COLLECTION_TYPE") {
    return "parse/unknown-tag";
  }
  if (error.code === "RESOURCE_EXHAUSTION") return "parse/too-deep";
  return error.name === "YAMLWarning" ? "parse/doubtful-yaml" : "parse/invalid-yaml";
}
