/** Checks if a call can match two capabilities. At compile time, a setting may have any value. */

/** Returns false if no values of settings and parameters make a call that matches both. */
export function mayOverlap(allowed: string, wanted: string): boolean {
  const [purpose = "", ...places] = allowed.split(" ");
  const [wantedPurpose = "", ...wantedPlaces] = wanted.split(" ");
  if (!samePurpose(purpose, wantedPurpose)) return false;
  if (purpose.startsWith("net.http:")) return urlsOverlap(places.join(" "), wantedPlaces.join(" "));
  if (purpose === "proc.exec" && places.length > 0)
    return namesOverlap(places.join(" "), wantedPlaces.join(" "));
  return places.every((place, at) => {
    const other = wantedPlaces[at];
    return (
      other === undefined || isSetting(place) || isSetting(other) || namesOverlap(place, other)
    );
  });
}

function samePurpose(one: string, other: string): boolean {
  const [what, act] = partsOf(one);
  const [otherWhat, otherAct] = partsOf(other);
  return what === otherWhat && (act === otherAct || act === "*" || otherAct === "*");
}

function partsOf(purpose: string): readonly [what: string, act: string] {
  const [what = "", act = ""] = purpose.split(":", 2);
  return [what, act];
}

function isSetting(place: string): boolean {
  return place.startsWith("${");
}

function urlsOverlap(one: string, other: string): boolean {
  const [origin, steps] = urlParts(one);
  const [otherOrigin, otherSteps] = urlParts(other);
  // Another setting may have the same value, and a value may contain a path.
  if (origin !== otherOrigin) return isSetting(origin) || isSetting(otherOrigin);
  return steps.every((step, at) => {
    const otherStep = otherSteps[at];
    return otherStep === undefined || namesOverlap(step, otherStep);
  });
}

function urlParts(url: string): readonly [origin: string, steps: readonly string[]] {
  const [, origin = url, path = ""] =
    /^(\$\{\w+\}|[a-z][a-z\d+.-]*:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  const steps = path
    .replace(/[?#].*$/s, "")
    .split("/")
    .slice(1);
  const known = isSetting(origin) ? origin : origin.toLowerCase();
  return [known, steps.at(-1) === "" ? steps.slice(0, -1) : steps];
}

/** Compares the fixed parts before the first and after the last variable part. */
function namesOverlap(one: string, other: string): boolean {
  const [start, end, isOpen] = fixedEnds(one);
  const [otherStart, otherEnd, isOtherOpen] = fixedEnds(other);
  if (!isOpen && !isOtherOpen) return one === other;
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) &&
    (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}

function fixedEnds(name: string): readonly [start: string, end: string, isOpen: boolean] {
  const open = /\*|\{[^}]*\}/g;
  const found = [...name.matchAll(open)];
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return [name, name, false];
  return [name.slice(0, first.index), name.slice(last.index + last[0].length), true];
}
