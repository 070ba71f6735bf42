import { type Document, isCollection, isScalar, type Node, visit, type YAMLError } from "yaml";
import type { YamlText } from "./compose-yaml.js";
import { columnsAbove, indentAt } from "./columns-above.js";
import { lineAround, type Place } from "./line-around.js";
import {
  braceWithoutQuotes,
  deeperLine,
  misplacedLine,
  textBehindQuote,
  unclosed,
  type Words,
} from "./yaml-fault-words.js";

/** Where a complaint is shown, and its words where they depend on the place. */
export interface FaultPlace extends Place {
  readonly words?: Words;
  readonly related?: { readonly span: Place; readonly message: string };
}

interface Complaint {
  readonly error: YAMLError;
  readonly source: YamlText;
  readonly document: Document.Parsed;
}

/** The place of the mistake. The library's is often the one where the text stopped making sense. */
export function placeOf(error: YAMLError, source: YamlText, document: Document.Parsed): FaultPlace {
  const complaint = { error, source, document };
  const place = { start: inside(error.pos[0], source), end: inside(error.pos[1], source) };
  if (/Missing closing|must .*end with a/.test(error.message)) {
    return opener(place.start, complaint) ?? place;
  }
  if (/at node end/.test(error.message))
    return behindQuote(place, complaint) ?? braceInFlow(place, source) ?? place;
  if (/must start at the same column|item without - indicator/.test(error.message)) {
    return indentation(place.start, source);
  }
  if (error.code === "MULTILINE_IMPLICIT_KEY") return keyBelow(place, source) ?? place;
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") {
    return keyOfSeveralLines(complaint) ?? { ...place, end: source.end };
  }
  if (error.code === "MISSING_CHAR") return braceInFlow(place, source) ?? place;
  return place;
}

/** What is never closed is shown where it opens. */
function opener(end: number, { source, document }: Complaint): FaultPlace | undefined {
  const node = nodeUpTo(end, document);
  if (node === undefined) return undefined;
  return { ...firstCharacter(node), words: unclosed(source.text.charAt(node.start)) };
}

/** A quoted value that runs on over further lines was most likely not meant to: then its first quote is the mistake, not what follows the last. */
function behindQuote(place: Place, { source, document }: Complaint): FaultPlace | undefined {
  const { text } = source;
  const end = text.slice(source.start, place.start).trimEnd().length + source.start;
  const value = nodeUpTo(end, document);
  const quote = text.charAt(value?.start ?? end);
  if (value === undefined || (quote !== '"' && quote !== "'")) return undefined;
  const opened = firstCharacter(value);
  if (end <= lineAround(value.start, source).end) {
    const related = { span: opened, message: "the value starts here" };
    return { ...place, words: textBehindQuote(quote), related };
  }
  const related = { span: { start: end - 1, end }, message: "the next quote stands here" };
  return { ...opened, words: unclosed(quote), related };
}

/** `{ url: ${ORDERS_URL}/orders }`: between brackets a brace ends a value that has no quotes. */
function braceInFlow({ start, end }: Place, { text }: YamlText): FaultPlace | undefined {
  if (!/^\S\{/.test(text.slice(start - 1, start + 1))) return undefined;
  return {
    start: text.charAt(start - 1) === "$" ? start - 1 : start,
    end,
    words: braceWithoutQuotes,
  };
}

/** A line that starts between the columns of those above. The library may complain about the blank lines before it. */
function indentation(at: number, source: YamlText): FaultPlace {
  const blank = /\s*/y;
  blank.lastIndex = at;
  blank.test(source.text);
  const { start } = lineAround(inside(blank.lastIndex, source), source);
  const indent = indentAt(start, source);
  const words = misplacedLine(indent, columnsAbove(start, source));
  return { start, end: start + Math.max(indent, 1), words };
}

/**
 * A key of several lines that starts behind another key is that key's value and, below it, a key that is indented too deep: the latter is
 * shown.
 */
function keyBelow({ start, end }: Place, source: YamlText): FaultPlace | undefined {
  const last = lineAround(end, source).start;
  const first = lineAround(start, source).start;
  if (last <= start || first + indentAt(first, source) === start) return undefined;
  return { start: last + indentAt(last, source), end, words: deeperLine };
}

/** The library also complains that such a key is a mapping in a line of its own. */
function keyOfSeveralLines({ error, source, document }: Complaint): FaultPlace | undefined {
  const key = document.errors.find(
    (each) => each.code === "MULTILINE_IMPLICIT_KEY" && each.pos[0] === error.pos[0],
  );
  return key && keyBelow({ start: key.pos[0], end: key.pos[1] }, source);
}

/** The quoted text or flow collection that was read up to this offset, the innermost. */
function nodeUpTo(end: number, document: Document.Parsed): Place | undefined {
  let found: Place | undefined;
  const look = (node: Node) => {
    const isQuoted = isScalar(node) && node.type?.startsWith("QUOTE_") === true;
    const isFlow = isCollection(node) && node.flow === true;
    if ((isQuoted || isFlow) && node.range?.[1] === end) found = { start: node.range[0], end };
  };
  visit(document, { Scalar: (_, node) => look(node), Collection: (_, node) => look(node) });
  return found;
}

function firstCharacter({ start }: Place): Place {
  return { start, end: start + 1 };
}

function inside(offset: number, source: YamlText): number {
  return Math.min(Math.max(offset, source.start), source.end);
}
