/**
 * Whether one capability covers another: what a manifest or a deployment allows, against where a
 * call goes. Both are `<what for> <where>`; in what is allowed, `{…}` stands for what a parameter
 * may make of it, and `*` for anything.
 */
import { hasDotSegment } from "../http/dot-segments.js";

/** @param allowed `net.http:* ${ORDERS_URL}/orders`, `sql:read ${WAREHOUSE_URL} public.*` */
export function covers(allowed: string, wanted: string): boolean {
  if (allowed === wanted) return true;
  const [purpose = "", ...places] = allowed.split(" ");
  const [wantedPurpose = "", ...wantedPlaces] = wanted.split(" ");
  if (!coversPurpose(purpose, wantedPurpose)) return false;
  if (purpose.startsWith("net.http:")) return coversUrl(places.join(" "), wantedPlaces.join(" "));
  if (purpose.startsWith("process:"))
    return places.length === 0 || coversProgram(places.join(" "), wantedPlaces.join(" "));
  // What is left out at the end is not narrowed: a connection without a table is all of its tables.
  if (places.length > wantedPlaces.length) return false;
  return places.every((place, at) => coversName(place, wantedPlaces[at] ?? ""));
}

/** `net.http:*` covers every method. */
function coversPurpose(allowed: string, wanted: string): boolean {
  const colon = allowed.indexOf(":");
  if (allowed.slice(colon + 1) !== "*") return allowed === wanted;
  return wanted.startsWith(allowed.slice(0, colon + 1));
}

/** By whole segments: `/orders` covers `/orders/7`, and not `/orders-of-others`. */
function coversUrl(allowed: string, wanted: string): boolean {
  const [origin, path] = partsOf(allowed);
  const [wantedOrigin, wantedPath] = partsOf(wanted);
  if (origin !== wantedOrigin) return false;
  const steps = segmentsOf(path);
  const wantedSteps = segmentsOf(wantedPath);
  // A path with dots leads to no place that its steps tell.
  if (steps.length > 0 && hasDotSegment(wantedPath)) return false;
  return (
    steps.length <= wantedSteps.length &&
    steps.every((step, at) => coversName(step, wantedSteps[at] ?? ""))
  );
}

/** As a whole: a path may have spaces. One with dots leads to no folder that its beginning tells. */
function coversProgram(allowed: string, wanted: string): boolean {
  return allowed === wanted || (!hasDotSegment(wanted) && coversName(allowed, wanted));
}

/** `${ORDERS_URL}` is an origin with all that its value has of a path. */
function partsOf(url: string): readonly [origin: string, path: string] {
  const [, origin = url, path = ""] =
    /^(\$\{\w+\}|[a-z][a-z\d+.-]*:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  return [origin.startsWith("$") ? origin : origin.toLowerCase(), path.replace(/[?#].*$/s, "")];
}

function segmentsOf(path: string): readonly string[] {
  const steps = path.split("/").slice(1);
  return steps.at(-1) === "" ? steps.slice(0, -1) : steps;
}

function coversName(allowed: string, wanted: string): boolean {
  if (allowed === wanted) return true;
  const texts = textsBetween(allowed);
  if (texts.length === 1) return false;
  // The first stands at the beginning of the wanted name, the last at its end, the others between.
  const first = texts[0] ?? "";
  const last = texts.at(-1) ?? "";
  if (wanted.length < first.length + last.length) return false;
  if (!wanted.startsWith(first) || !wanted.endsWith(last)) return false;
  let at = first.length;
  const end = wanted.length - last.length;
  for (const text of texts.slice(1, -1)) {
    const found = wanted.indexOf(text, at);
    if (found < 0 || found + text.length > end) return false;
    at = found + text.length;
  }
  return true;
}

/**
 * What stands before, between and behind what may be anything: `*`, and `{…}` that is no `${…}`.
 */
function textsBetween(allowed: string): readonly string[] {
  const texts: string[] = [];
  let start = 0;
  for (let at = 0; at < allowed.length; at += 1) {
    const isOpen = allowed[at] === "{" && allowed[at - 1] !== "$";
    if (allowed[at] !== "*" && !isOpen) continue;
    const end = isOpen ? allowed.indexOf("}", at) : at;
    // A brace that nothing closes is itself.
    if (end < 0) break;
    texts.push(allowed.slice(start, at));
    start = end + 1;
    at = end;
  }
  return [...texts, allowed.slice(start)];
}

/** A capability with the values of its settings; undefined when one of them can't be had. */
export function withValues(
  capability: string,
  open: (name: string) => string | undefined,
): string | undefined {
  let isWhole = true;
  const opened = capability.replace(/\$\{(\w+)\}\/?/g, (placeholder, name: string) => {
    const value = open(name);
    if (value === undefined) isWhole = false;
    const slash = placeholder.endsWith("/") ? "/" : "";
    return value === undefined ? placeholder : `${withoutEndSlashes(value)}${slash}`;
  });
  return isWhole ? opened : undefined;
}

function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}
