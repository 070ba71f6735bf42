/**
 * Reads a `pattern` as ECMAScript with the flag `u`, as JSON Schema does. Documents also contain
 * patterns between slashes, needless escapes, and syntax of Python, Java, Ruby and PCRE.
 */
import { quote, shown } from "../../../core/names.js";
import { chooseMatcher } from "../../../schema/pattern/matcher.js";
import { NoEquivalent, translatePattern } from "./translate-pattern.js";

export type ReadPattern =
  /** `change` says how the tool reads the pattern; absent if the pattern is as in the document. */
  | { readonly kind: "kept"; readonly pattern: string; readonly change?: string }
  | { readonly kind: "dropped"; readonly why: string };

export function readPattern(text: string): ReadPattern {
  const { body, flags } = literalIn(text) ?? { body: text, flags: "" };
  const read = translated(body, flags);
  if (typeof read === "string") return { kind: "dropped", why: read };
  const { isLoose, pattern } = read;
  const { kind } = chooseMatcher(pattern);
  if (kind === "slow") return { kind: "dropped", why: "a search for it may never end" };
  if (kind === "invalid") return { kind: "dropped", why: notValid };
  if (pattern === text)
    return { kind: "kept", pattern, ...(isSlashed(text) && { change: slashes }) };
  const accepts = isLoose ? ", which accepts the same texts and more" : "";
  return {
    kind: "kept",
    pattern,
    change: `the tool reads the pattern as \`${shown(pattern)}\`${accepts}`,
  };
}

const notValid = "it is not an ECMAScript pattern with the flag `u`";

/** The pattern in ECMAScript, or the reason why there is none. */
function translated(
  body: string,
  flags: string,
): { readonly pattern: string; readonly isLoose: boolean } | string {
  if (flags === "" && chooseMatcher(body).kind !== "invalid")
    return { pattern: body, isLoose: false };
  try {
    return translatePattern(body, flags);
  } catch (error) {
    if (!(error instanceof NoEquivalent)) throw error;
    return `${quote(error.syntax)} has no certain equal in ECMAScript`;
  }
}

/**
 * Reads a literal such as `/^a$/i`. With its delimiters, no text could match the pattern, because a
 * character stands before `^` or after `$`.
 */
function literalIn(text: string): { readonly body: string; readonly flags: string } | undefined {
  const [, delimiter, body, flags] = /^([/#~%@!])([^]*)\1([a-zA-Z]*)$/.exec(text) ?? [];
  if (delimiter === undefined || body === undefined || flags === undefined) return undefined;
  const isAnchored = body.startsWith("^") || /(?<!\\)(?:\\\\)*\$$/.test(body);
  // `g` matters only for repeated searches, and `u` is always on.
  return isAnchored ? { body, flags: flags.replace(/[gu]/g, "") } : undefined;
}

/** Checks for a literal without anchors, which may also be a text between slashes. */
function isSlashed(text: string): boolean {
  return text.startsWith("/") && /.\/[a-z]*$/.test(text) && /[[(+*?\\]/.test(text);
}

const slashes = "the pattern begins and ends with a slash, and the tool wants both in the text";
