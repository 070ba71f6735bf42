/**
 * Compares numbers and texts of two schemas, and the sizes of texts and lists. Also describes the
 * accepted values.
 */
import type { JsonObject, JsonValue } from "../../core/json.js";
import { shown } from "../../core/names.js";
import { isMultipleOf } from "@skillc/runtime/v1/validation";
import { isChecked, isOfFormat, shortestOf } from "../formats.js";
import { madeTextOf, patternOfText } from "../made-text.js";
import { haveCommonText } from "../pattern/common-text.js";
import { patternTest } from "../pattern/matcher.js";
import { formWords } from "../form-words.js";
import { someTypes } from "../type-names.js";
import { areScalarsApart, type Bound, boundOf } from "./disjoint.js";
import type { Given, Mismatch, MismatchHere } from "./mismatch.js";
import {
  isSameType,
  listedIn,
  statedType,
  typeOf,
  typeOfValue,
  conjunctsOf,
} from "./normal-form.js";
import { type Branch, sourceOf } from "./source.js";
import { accepts, type Rejection } from "./values.js";

type Scalar = string | number | boolean | null;

interface ScalarQuestion {
  readonly reason: Rejection;
  readonly isWanted: (value: JsonValue) => boolean;
  /** Branches of the wanted schema. */
  readonly forms: readonly Branch[];
}

/** Mismatch of a known scalar that the wanted schema rejects. */
export function refusedScalar(
  bad: Scalar,
  verb: "is" | "may be",
  { forms, isWanted, reason }: ScalarQuestion,
): Mismatch {
  const text = `\`${shown(String(bad))}\``;
  const given = `${verb} ${text}`;
  const form = forms.find((each) => each !== true && isSameType(typeOfValue(bad), typeOf(each)));
  if (form !== undefined && form !== true) {
    const wanted = wordsFor(form, bad) ?? `requires \`${reason.keyword}\``;
    return { path: [], kind: "value", fits: "no", given, wanted };
  }
  const meant = typeof bad === "string" ? unquoted(bad) : undefined;
  if (meant === undefined || !isWanted(meant)) return otherType({ given }, forms);
  const { state: _, ...mismatch } = otherType({ given: `${verb} the text ${text}` }, forms);
  return { ...mismatch, help: "remove the quotes" };
}

/** Mismatch of a value that the wanted schema rejects as a whole. */
export function refused({ fitsSeveral, keyword }: Rejection): Mismatch {
  const mismatch = { path: [], kind: "value", fits: "no" } as const;
  return fitsSeveral
    ? { ...mismatch, given: "fits several forms of `oneOf`", wanted: "allows exactly one" }
    : { ...mismatch, given: `doesn't satisfy \`${keyword}\``, wanted: "requires it" };
}

/** The JSON value that a text contains, as if its quotes were left out. */
function unquoted(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns a JSON value.
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Describes the accepted values from the keywords of a form of the same type. */
function wordsFor(form: JsonObject, bad: Scalar): string | undefined {
  const values = listedIn(form);
  if (values !== undefined) return `takes ${listedWords(values)}`;
  if (typeof bad === "number") {
    const bounds = { type: form["type"] ?? "number", minimum: bad, maximum: bad };
    return numberMismatch(bounds, form)?.wanted ?? multipleWords(form, bad);
  }
  if (typeof bad !== "string") return undefined;
  const size = [...bad].length;
  return (
    sizeMismatch({ minLength: size, maxLength: size }, form, "text")?.wanted ?? textWords(form)
  );
}

/** Compares the bounds of numbers. */
export function numberMismatch(given: JsonObject, wanted: JsonObject): MismatchHere | undefined {
  const [lowest, highest] = [boundOf(given, -1), boundOf(given, 1)];
  const [least, most] = [boundOf(wanted, -1), boundOf(wanted, 1)];
  const range = rangeWords(wanted);
  const isApart = areScalarsApart(given, wanted);
  if (isApart && lowest !== undefined && isBeyond(lowest, most, 1))
    return { fits: "no", given: `is at least ${lowest.at}`, wanted: range };
  if (isApart && highest !== undefined && isBeyond(highest, least, -1))
    return { fits: "no", given: `is at most ${highest.at}`, wanted: range };
  const beyond = [
    ...(lowest !== undefined && isBeyond(lowest, least, -1) ? [lowest.at] : []),
    ...(highest !== undefined && isBeyond(highest, most, 1) ? [highest.at] : []),
  ];
  if (beyond.length > 0)
    return { fits: isApart ? "no" : "some", given: `may be ${beyond[0]}`, wanted: range };
  if ((lowest ?? least) === lowest && (highest ?? most) === highest) return undefined;
  const what = given["type"] === "integer" ? "may be any integer" : "may be any number";
  const bounds = [
    ...(lowest === undefined ? written(least, "minimum", "exclusiveMinimum") : []),
    ...(highest === undefined ? written(most, "maximum", "exclusiveMaximum") : []),
  ];
  if (bounds.length === 0) return { fits: "unsure", promised: true, given: what, wanted: range };
  return {
    fits: isApart ? "no" : "unsure",
    given: what,
    wanted: range,
    state: Object.fromEntries(bounds),
  };
}

/** Compares `multipleOf` of the given numbers with that of the wanted numbers. */
export function multipleMismatch(given: JsonObject, wanted: JsonObject): MismatchHere | undefined {
  const { multipleOf: step } = wanted;
  const { multipleOf: own, type } = given;
  if (typeof step !== "number") return undefined;
  const known = [own, type === "integer" ? 1 : undefined].filter((each) => each !== undefined);
  if (known.some((each) => typeof each === "number" && isMultipleOf(each, step))) return undefined;
  return {
    fits: areScalarsApart(given, wanted) ? "no" : "unsure",
    given: type === "integer" ? "may be any integer" : "may be any number",
    wanted: `takes multiples of ${step}`,
    state: { multipleOf: step },
  };
}

/** Describes the accepted multiples if `number` is not a multiple. */
function multipleWords({ multipleOf: step }: JsonObject, number: number): string | undefined {
  return typeof step === "number" && !isMultipleOf(number, step)
    ? `takes multiples of ${step}`
    : undefined;
}

/** Describes the accepted range: `holds 1 to 9`. */
function rangeWords(wanted: JsonObject): string {
  const [least, most] = [boundOf(wanted, -1), boundOf(wanted, 1)];
  if (least === undefined && most === undefined) return "takes other numbers";
  if (most === undefined) return `holds ${words(least, "more than", " or more")}`;
  if (least === undefined) return `holds ${words(most, "less than", " or less")}`;
  return `holds ${words(least, "more than")} to ${words(most, "less than")}`;
}

function words(bound: Bound | undefined, open: string, closed = ""): string {
  if (bound === undefined) return "";
  return bound.isOpen ? `${open} ${bound.at}` : `${bound.at}${closed}`;
}

function isBeyond(own: Bound, limit: Bound | undefined, side: 1 | -1): boolean {
  if (limit === undefined) return false;
  if (own.at === limit.at) return limit.isOpen && !own.isOpen;
  return side * (own.at - limit.at) > 0;
}

/**
 * Keyword for a bound. Empty if every number of JavaScript, or every exact integer, satisfies the
 * bound.
 */
function written(
  bound: Bound | undefined,
  closed: string,
  open: string,
): readonly (readonly [keyword: string, at: number])[] {
  if (bound === undefined || Math.abs(bound.at) >= Number.MAX_SAFE_INTEGER) return [];
  return [[bound.isOpen ? open : closed, bound.at]];
}

/** Compares texts of two schemas: values, format, encoding, pattern, length. */
export function textMismatch(given: JsonObject, wanted: JsonObject): MismatchHere | undefined {
  const found = knownMismatch(given, wanted);
  if (found !== undefined || isEachWanted(given, wanted)) return found;
  return { ...anyText(given, wanted), fits: "unsure", promised: true };
}

/** Finds the certain mismatches of texts. Assumes that every text with a `pattern` fits. */
function knownMismatch(given: JsonObject, wanted: JsonObject): MismatchHere | undefined {
  const form = formMismatch(given, wanted);
  if (form !== undefined) return form;
  const size = sizeMismatch(given, wanted, "text");
  if (size === undefined) return undefined;
  if (areScalarsApart(given, wanted)) return { ...size, fits: "no" };
  return given["pattern"] === undefined ? size : undefined;
}

/** Checks if every text of the given schema satisfies all keywords of the wanted one. */
function isEachWanted(given: JsonObject, wanted: JsonObject): boolean {
  const { format, pattern } = wanted;
  const own = conjunctsOf(given);
  const hasFormat =
    typeof format !== "string" ||
    !isChecked(format) ||
    own.some((each) => typeof each["format"] === "string" && isOfFormat(each["format"], format));
  const hasPattern = pattern === undefined || own.some((each) => each["pattern"] === pattern);
  return (
    listedIn(wanted) === undefined &&
    hasFormat &&
    hasPattern &&
    sizeMismatch(given, wanted, "text") === undefined
  );
}

/** Describes the accepted texts by more than their length. */
function textWords(wanted: JsonObject): string | undefined {
  const { contentEncoding, pattern } = wanted;
  const format = formatOf(wanted);
  const values = listedIn(wanted);
  if (values !== undefined) return `takes ${listedWords(values)}`;
  const form = formWords(wanted);
  if (form !== undefined) return `takes ${form.says}`;
  if (typeof format === "string") return `takes text in the format \`${format}\``;
  if (typeof contentEncoding === "string")
    return `takes text in the encoding \`${contentEncoding}\``;
  if (typeof pattern !== "string") return undefined;
  return isReadable(pattern)
    ? `takes text that matches \`${pattern}\``
    : "takes text that matches another pattern";
}

/** Lists at most twelve values. */
export function listedWords(values: readonly JsonValue[]): string {
  const words = values.slice(0, 12).map((each) => {
    const text = typeof each === "string" ? each : JSON.stringify(each);
    return `\`${shown(text)}\``;
  });
  return `${words.join(", ")}${values.length > 12 ? ", …" : ""}`;
}

/** The wanted format. A format that no validator checks is ignored. */
function formatOf(wanted: JsonObject): JsonValue | undefined {
  const { format } = wanted;
  return typeof format === "string" && isChecked(format) ? format : formWords(wanted)?.format;
}

function formMismatch(given: JsonObject, wanted: JsonObject): MismatchHere | undefined {
  const { contentEncoding, pattern } = wanted;
  const format = formatOf(wanted);
  const values = listedIn(wanted);
  if (values !== undefined) return mayBeListed(given, values) ? undefined : anyText(given, wanted);
  if (typeof format === "string") return otherForm(given, wanted, "format", format);
  if (typeof contentEncoding === "string")
    return otherForm(given, wanted, "contentEncoding", contentEncoding);
  if (typeof pattern !== "string") return undefined;
  return given["pattern"] === undefined || areScalarsApart(given, wanted)
    ? anyText(given, wanted)
    : undefined;
}

/** Checks if a pattern may match one of the values. */
function mayBeListed({ pattern }: JsonObject, values: readonly JsonValue[]): boolean {
  if (typeof pattern !== "string") return false;
  const test = patternTest(pattern);
  return values.some((each) => typeof each === "string" && test(each));
}

function otherForm(
  given: JsonObject,
  wanted: JsonObject,
  keyword: "format" | "contentEncoding",
  form: string,
): MismatchHere | undefined {
  const own = given[keyword];
  if (own === form) return undefined;
  if (typeof own === "string" && isOfFormat(own, form)) return undefined;
  if (typeof own === "string") {
    const has = `has the ${keyword === "format" ? "format" : "encoding"} \`${own}\``;
    const fits = areScalarsApart(given, wanted) ? "no" : "some";
    return { fits, given: has, wanted: textWords(wanted) ?? "takes other text" };
  }
  return given["pattern"] === undefined || areScalarsApart(given, wanted)
    ? anyText(given, wanted)
    : undefined;
}

/** Checks if some given text may be a wanted text; true if nothing rules it out. */
function canBeWanted(given: JsonObject, wanted: JsonObject): boolean {
  const values = listedIn(wanted);
  if (values === undefined) return !areScalarsApart(given, wanted);
  const [own, source] = [ownKeywords(given), sourceOf(true)];
  const made = madeTextOf(given);
  return values.some(
    (each) =>
      typeof each === "string" &&
      accepts(own, each, source) &&
      (made === undefined || haveCommonText(made, patternOfText(each))),
  );
}

const ofText = new Set(["type", "minLength", "maxLength", "pattern", "format"]);

/** The keywords of a form that constrain texts and contain no references. */
function ownKeywords(form: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(form).filter(([name]) => ofText.has(name)));
}

function whichText({ format, pattern }: JsonObject): Given {
  if (typeof format === "string") return { given: `has the format \`${format}\`` };
  if (typeof pattern === "string")
    return {
      given: isReadable(pattern) ? `matches \`${pattern}\`` : "matches another pattern",
    };
  return { given: "may be any text", known: { kind: "any-text" } };
}

function anyText(given: JsonObject, wanted: JsonObject): MismatchHere {
  const state = textKeywords(wanted);
  return {
    fits: canBeWanted(given, wanted) ? "some" : "no",
    ...whichText(given),
    wanted: textWords(wanted) ?? "takes other text",
    ...(state !== undefined && { state }),
  };
}

interface Words {
  readonly least: string;
  readonly most: string;
  readonly unit: string;
  readonly longer: string;
  readonly shorter: string;
}

const kinds = {
  text: {
    least: "minLength",
    most: "maxLength",
    unit: "character",
    longer: "longer",
    shorter: "shorter",
  },
  list: {
    least: "minItems",
    most: "maxItems",
    unit: "item",
    longer: "have more items",
    shorter: "have fewer items",
  },
} satisfies { readonly [kind: string]: Words };

/** Compares the sizes of texts or lists. */
export function sizeMismatch(
  given: JsonObject,
  wanted: JsonObject,
  kind: keyof typeof kinds,
): MismatchHere | undefined {
  const words = kinds[kind];
  const found = [tooMuch(given, wanted, words), tooLittle(given, wanted, words)];
  const [first, ...others] = found.filter((each) => each !== undefined);
  if (first === undefined) return undefined;
  const certain = [first, ...others].find(({ size }) => size !== undefined);
  const takes = sizeWords(wanted, words);
  const none = neverWords(given, wanted, words);
  const state = Object.assign({}, ...[first, ...others].map((each) => each.state)) as JsonObject;
  if (none !== undefined) {
    const known = { kind: "size", words: none } as const;
    return { fits: "no", given: `has ${none}`, known, wanted: takes, state };
  }
  if (certain?.size !== undefined) {
    const has = count(certain.size, words);
    const known = { kind: "size", words: has } as const;
    return { fits: "some", given: `may have ${has}`, known, wanted: takes, state };
  }
  const may = [first, ...others].map(({ how }) => how).join(" or ");
  const be = kind === "text" ? "be " : "";
  return { fits: "unsure", given: `may ${be}${may}`, wanted: takes, state };
}

/** Describes the given sizes if none of them is accepted. */
function neverWords(given: JsonObject, wanted: JsonObject, words: Words): string | undefined {
  const [least, most] = [given[words.least], given[words.most]];
  // No value has a size in an empty range, so there is nothing to report.
  if (isMore(least, most)) return undefined;
  const isLong = isMore(least, wanted[words.most]);
  if (!isLong && !isMore(wanted[words.least], most)) return undefined;
  const size = count(isLong ? least : most, words);
  return least === most ? size : `at ${isLong ? "least" : "most"} ${size}`;
}

function isMore(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return typeof one === "number" && typeof other === "number" && one > other;
}

interface SizeMismatch {
  /** Size that the schema states. */
  readonly size?: number;
  readonly how: string;
  readonly state: JsonObject;
}

function tooMuch(given: JsonObject, wanted: JsonObject, words: Words): SizeMismatch | undefined {
  const [own, most] = [given[words.most], wanted[words.most]];
  if (typeof most !== "number" || (typeof own === "number" && own <= most)) return undefined;
  const state = { [words.most]: most };
  return { how: words.longer, state, ...(typeof own === "number" && { size: own }) };
}

function tooLittle(given: JsonObject, wanted: JsonObject, words: Words): SizeMismatch | undefined {
  const [own, least] = [given[words.least], wanted[words.least]];
  if (typeof least !== "number" || least === 0 || (typeof own === "number" && own >= least))
    return undefined;
  if (words.unit === kinds.text.unit && shortestOf(given["format"]) >= least) return undefined;
  const state = { [words.least]: least };
  return { how: words.shorter, state, ...(typeof own === "number" && { size: own }) };
}

function sizeWords(wanted: JsonObject, words: Words): string {
  const form = formWords(wanted);
  const [least, most] = [wanted[words.least], wanted[words.most]];
  if (form !== undefined) return `takes ${form.says}`;
  if (typeof most !== "number") return `takes at least ${count(least, words)}`;
  if (least === most) return `takes exactly ${count(most, words)}`;
  return typeof least === "number" && least > 0
    ? `takes ${least} to ${count(most, words)}`
    : `holds ${count(most, words)}`;
}

function count(size: unknown, { unit }: Words): string {
  return `${String(size)} ${unit}${size === 1 ? "" : "s"}`;
}

export function otherType(
  given: Given,
  wanted: readonly Branch[],
  fits: Mismatch["fits"] = "no",
): Mismatch {
  const words = [...new Set(wanted.flatMap((each) => wordsOf(each) ?? []))];
  const takes = words.length === 0 ? "takes no value" : `takes ${words.join(" or ")}`;
  const { type, ...others } = scalarKeywords(wanted) ?? {};
  const isSaid = wanted.some((each) => each !== true && formWords(each) !== undefined);
  // The message already names the type.
  const saysMore = Object.keys(others).length > 0 || (type !== undefined && isSaid);
  const state = { ...(type !== undefined && { type }), ...others };
  const mismatch = { path: [], kind: "value", fits, ...given, wanted: takes } as const;
  return saysMore ? { ...mismatch, state } : mismatch;
}

function wordsOf(form: Branch): string | undefined {
  const type = typeOf(form);
  if (form === true || type === undefined) return undefined;
  const isText = type === "string" || type === "integer";
  return (isText ? formWords(form)?.says : undefined) ?? someTypes([type]);
}

/** Describes a given value that is only known by its type. */
export function whatOf(given: Branch): Given {
  const type = statedType(given);
  if (type === undefined) return { given: "may be anything" };
  const words = someTypes([type]);
  return { given: `may be ${words}`, known: { kind: "type", words } };
}

/** Maximum length of a pattern in a message. */
const longestPattern = 60;

/** Checks if a pattern is short enough to read and copy. */
function isReadable(pattern: string): boolean {
  return pattern.length <= longestPattern;
}

/** Keywords that make the given texts fit; undefined if a few keywords can't express them. */
function textKeywords(wanted: JsonObject): JsonObject | undefined {
  const { contentEncoding, format, maxLength, minLength, pattern } = wanted;
  const values = listedIn(wanted);
  if (values !== undefined) return { enum: values };
  if (typeof format === "string" && isChecked(format)) return { format };
  if (typeof contentEncoding === "string")
    return { contentEncoding, ...numbers({ minLength, maxLength }) };
  const form = formWords(wanted);
  if (form?.format !== undefined) return { format: form.format };
  const short = form?.pattern ?? pattern;
  return typeof short === "string" && isReadable(short) ? { pattern: short } : undefined;
}

function numbers(keywords: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const stated = Object.entries(keywords).filter(([, value]) => typeof value === "number");
  // Entries that are not numbers were filtered out above.
  return Object.fromEntries(stated) as JsonObject;
}

/**
 * Keywords that make the given scalars fit one of the forms. Undefined if several forms other than
 * null remain.
 */
function scalarKeywords(forms: readonly Branch[]): JsonObject | undefined {
  const [first, ...others] = forms.filter((each) => typeOf(each) !== "null");
  if (first === undefined || first === true || !areOne([first, ...others])) return undefined;
  switch (typeOf(first)) {
    case "string": {
      const keywords = textKeywords(first);
      if (keywords?.["enum"] !== undefined) return keywords;
      return first["pattern"] === undefined || keywords !== undefined
        ? { type: "string", ...keywords }
        : undefined;
    }
    case "integer":
    case "number":
    case "boolean":
      return { type: typeOf(first) ?? "boolean" };
    default:
      return undefined;
  }
}

/**
 * Checks if all forms have the same description. For example, a `long` may be a number or its
 * digits.
 */
function areOne([first, ...others]: readonly Branch[]): boolean {
  const says = (form: Branch | undefined) =>
    form === undefined || form === true ? undefined : formWords(form)?.says;
  return others.every((each) => says(each) !== undefined && says(each) === says(first));
}
