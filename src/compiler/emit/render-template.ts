import Handlebars from "handlebars";
import type { View } from "../../kit/binding-emission.js";
import type { TemplateSource } from "../../kit/binding.js";
import { type Code, isCode, ofPieces, type Piece, piecesOf } from "../../core/code.js";

/**
 * Renders a view with a template. Templates have holes, `each`, and `if`/`unless` over booleans.
 * Every leaf is Code and keeps its spans, meanings and imports.
 *
 * @throws TypeError if a leaf is a bare string, or not Code
 * @throws Error if the template uses a name that the view lacks
 */
export function renderTemplate(template: TemplateSource, view: View): Code {
  const holes: Code[] = [];
  const laidOut = compiled(template)(withMarks(view, holes), {
    allowProtoMethodsByDefault: false,
    allowProtoPropertiesByDefault: false,
  });
  return fillHoles(laidOut.trim(), holes);
}

/**
 * Private-use characters mark the holes for Code. skillc's templates contain no such characters.
 */
const open = "\uE000";
const close = "\uE001";
const marks = /\uE000(\d+)\uE001/;

/** The view with each Code replaced by a mark that Handlebars can print. */
function withMarks(view: View, holes: Code[]): unknown {
  if (isCode(view)) {
    holes.push(view);
    return view.pieces.length === 0 ? "" : `${open}${holes.length - 1}${close}`;
  }
  if (typeof view === "boolean" || view === undefined) return view ?? "";
  if (Array.isArray(view)) return view.map((each: View) => withMarks(each, holes));
  if (typeof view !== "object")
    throw new TypeError("a template's view holds Code at every leaf, not text");
  return Object.fromEntries(
    Object.entries(view).map(([name, each]) => [name, withMarks(each, holes)]),
  );
}

function fillHoles(text: string, holes: readonly Code[]): Code {
  const pieces = text.split(marks).flatMap((part, index): readonly Piece[] => {
    if (index % 2 === 1) return piecesOf(holes[Number(part)]);
    return part === "" ? [] : [{ text: part }];
  });
  return ofPieces(pieces);
}

const cache = new Map<string, HandlebarsTemplateDelegate>();

function compiled(template: TemplateSource): HandlebarsTemplateDelegate {
  const key = `${template.name}\0${template.text}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = Handlebars.compile(template.text, {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: { if: true, unless: true, each: true },
  });
  cache.set(key, made);
  return made;
}
