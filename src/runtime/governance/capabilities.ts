/**
 * Compares capabilities: what a manifest or a deployment allows, with the target of a call. Both
 * are `<action> <target>`. In an allowed capability, `{…}` stands for a parameter's value, and `*`
 * for any text.
 */
import { hasDotSegment } from "../http/dot-segments.js";

/**
 * Returns whether an allowed capability covers a wanted one.
 *
 * @param allowed such as `net.http:* ${ORDERS_URL}/orders` or `sql:read ${WAREHOUSE_URL} public.*`
 */
export function covers(allowed: string, wanted: string): boolean {
  if (allowed === wanted) return true;
  const [purpose = "", ...places] = allowed.split(" ");
  const [wantedPurpose = "", ...wantedPlaces] = wanted.split(" ");
  if (!coversPurpose(purpose, wantedPurpose)) return false;
  if (purpose.startsWith("net.http:")) return coversUrl(places.join(" "), wantedPlaces.join(" "));
  if (purpose === "proc.exec")
    return places.length === 0 || coversProgram(places.join(" "), wantedPlaces.join(" "));
  if (purpose.startsWith("fs."))
    return places.length === 0 || coversFolder(places.join(" "), wantedPlaces.join(" "));
  // A shorter capability is wider: a connection without a table covers all of its tables.
  if (places.length > wantedPlaces.length) return false;
  return places.every((place, at) => coversName(place, wantedPlaces[at] ?? ""));
}

/** Compares actions. `net.http:*` covers every method. */
function coversPurpose(allowed: string, wanted: string): boolean {
  const colon = allowed.indexOf(":");
  if (allowed.slice(colon + 1) !== "*") return allowed === wanted;
  return wanted.startsWith(allowed.slice(0, colon + 1));
}

/** Compares URLs by whole segments: `/orders` covers `/orders/7`, but not `/orders-of-others`. */
function coversUrl(allowed: string, wanted: string): boolean {
  const [origin, path] = partsOf(allowed);
  const [wantedOrigin, wantedPath] = partsOf(wanted);
  if (origin !== wantedOrigin) return false;
  const steps = segmentsOf(path);
  const wantedSteps = segmentsOf(wantedPath);
  // Dot segments can lead anywhere, so the path's beginning doesn't show its target.
  if (steps.length > 0 && hasDotSegment(wantedPath)) return false;
  return (
    steps.length <= wantedSteps.length &&
    steps.every((step, at) => coversName(step, wantedSteps[at] ?? ""))
  );
}

/**
 * Compares programs as a whole, because a path may contain spaces. With dot segments, the path's
 * beginning doesn't show its folder.
 */
function coversProgram(allowed: string, wanted: string): boolean {
  return allowed === wanted || (!hasDotSegment(wanted) && coversName(allowed, wanted));
}

/** Compares folders by whole segments: `./notes` covers `./notes/may`, but not `./notes-of-others`. */
function coversFolder(allowed: string, wanted: string): boolean {
  if (allowed.startsWith("/") !== wanted.startsWith("/")) return false;
  const steps = stepsOf(allowed);
  const wantedSteps = stepsOf(wanted);
  return (
    // The beginning of a path with `..` does not show where the path leads.
    !wantedSteps.includes("..") &&
    steps.length <= wantedSteps.length &&
    steps.every((step, at) => coversName(step, wantedSteps[at] ?? ""))
  );
}

/** Splits a path of the file system. */
function stepsOf(path: string): readonly string[] {
  return path.split("/").filter((step) => step !== "" && step !== ".");
}

/** Splits a URL. `${ORDERS_URL}` counts as an origin, together with the path in its value. */
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
  // The first text must be at the beginning of the name, the last at its end, the others in
  // between.
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

/** Returns the texts around the wildcards `*` and `{…}`. `${…}` is not a wildcard. */
function textsBetween(allowed: string): readonly string[] {
  const texts: string[] = [];
  let start = 0;
  for (let at = 0; at < allowed.length; at += 1) {
    const isOpen = allowed[at] === "{" && allowed[at - 1] !== "$";
    if (allowed[at] !== "*" && !isOpen) continue;
    const end = isOpen ? allowed.indexOf("}", at) : at;
    // A brace without a closing one is plain text.
    if (end < 0) break;
    texts.push(allowed.slice(start, at));
    start = end + 1;
    at = end;
  }
  return [...texts, allowed.slice(start)];
}

/** Replaces the settings in a capability by their values; undefined if a setting has no value. */
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
