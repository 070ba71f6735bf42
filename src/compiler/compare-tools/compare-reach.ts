/** Compares the destinations of a tool's calls, and the credentials for them. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { covers } from "@skillc/runtime/internal";
import { equal } from "@skillc/runtime/internal/equal";
import { type FieldDifference, fieldDifference } from "./difference.js";
import { added, listedTexts } from "./compare-lists.js";

/** The compared parts of an entry of `capabilities`. */
export interface CapabilityEntry {
  /** The capability: `net.http:get https://api.example.com/orders`. */
  readonly capability: string;
  readonly credentials: readonly string[];
  /** True if parameters may lead outside of the capability's place. */
  readonly isLeft: boolean;
  /** Table of the entry; absent for other places. */
  readonly relation: string | undefined;
  readonly columns: readonly string[];
  /** The remaining keys of the entry. */
  readonly rest: JsonObject;
}

export function compareReach(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  const [before, after] = [placesIn(old), placesIn(now)];
  const both = after.flatMap((place) => {
    const same = before.find(({ capability }) => capability === place.capability);
    return same === undefined ? [] : [[same, place] as const];
  });
  return [
    ...newPlaces(before, after),
    ...goneFrom(before, after),
    ...changedCredentials(before, after, both),
    ...both.flatMap(([one, other]) => changedDots(one, other)),
    ...both.flatMap(([one, other]) => changedTable(one, other)),
  ];
}

export function placesIn(value: JsonValue | undefined): readonly CapabilityEntry[] {
  return Array.isArray(value) ? value.filter(isJsonObject).map(placeOf) : [];
}

function placeOf(entry: JsonObject): CapabilityEntry {
  const { capability, columns, credentials, dot_segments, relation, ...rest } = entry;
  return {
    capability: typeof capability === "string" ? capability : "",
    credentials: listedTexts(credentials),
    isLeft: dot_segments === true,
    relation: typeof relation === "string" ? relation : undefined,
    columns: listedTexts(columns),
    rest: rest satisfies JsonObject,
  };
}

/** Finds new places. A place inside a larger allowed one is not new. */
function newPlaces(
  before: readonly CapabilityEntry[],
  after: readonly CapabilityEntry[],
): readonly FieldDifference[] {
  return after
    .filter(({ capability: name }) => !before.some((each) => covers(each.capability, name)))
    .map(({ capability: name, relation }) =>
      relation === undefined
        ? fieldDifference("reach-added", `calls may now reach ${quote(name)}`)
        : fieldDifference("table-added", `calls now use ${quote(name)}`),
    );
}

function goneFrom(
  before: readonly CapabilityEntry[],
  after: readonly CapabilityEntry[],
): readonly FieldDifference[] {
  return before
    .filter(({ capability: name }) => !after.some((each) => covers(each.capability, name)))
    .map(({ capability: name, relation }) =>
      relation === undefined
        ? fieldDifference("reach-removed", `calls no longer reach ${quote(name)}`)
        : fieldDifference("table-removed", `calls no longer use ${quote(name)}`),
    );
}

/** Finds new and removed credentials, and known ones that are sent to another place. */
function changedCredentials(
  before: readonly CapabilityEntry[],
  after: readonly CapabilityEntry[],
  both: readonly (readonly [CapabilityEntry, CapabilityEntry])[],
): readonly FieldDifference[] {
  const [ours, theirs] = [before, after].map((places) => [
    ...new Set(places.flatMap(({ credentials }) => credentials)),
  ]) as [string[], string[]];
  const taken = added(ours, theirs);
  const elsewhere = both.flatMap(([one, other]) =>
    added(one.credentials, other.credentials)
      .filter((name) => !taken.includes(name))
      .map((name) =>
        fieldDifference(
          "credential-added",
          `calls now use \`\${${name}}\` for ${quote(other.capability)} too`,
        ),
      ),
  );
  return [
    ...taken.map((name) => fieldDifference("credential-added", `calls now need \`\${${name}}\``)),
    ...elsewhere,
    ...added(theirs, ours).map((name) =>
      fieldDifference("credential-removed", `calls no longer need \`\${${name}}\``),
    ),
  ];
}

/**
 * Finds changes in dot segments. A path that is not narrower than its origin has the same name
 * either way.
 */
function changedDots(old: CapabilityEntry, now: CapabilityEntry): readonly FieldDifference[] {
  if (old.isLeft === now.isLeft) return [];
  return now.isLeft
    ? [
        fieldDifference(
          "reach-added",
          `with \`..\`, a parameter may now lead anywhere below ${quote(now.capability)}`,
        ),
      ]
    : [
        fieldDifference(
          "reach-removed",
          `a parameter may no longer lead to another place below ${quote(now.capability)}`,
        ),
      ];
}

function changedTable(old: CapabilityEntry, now: CapabilityEntry): readonly FieldDifference[] {
  const more = added(old.columns, now.columns);
  const fewer = added(now.columns, old.columns);
  const words = [
    ...(more.length === 0 ? [] : [`names ${more.map(quote).join(", ")} too`]),
    ...(fewer.length === 0 ? [] : [`no longer names ${fewer.map(quote).join(", ")}`]),
  ];
  const columns =
    words.length === 0
      ? []
      : [fieldDifference("column-changed", `${quote(now.capability)} ${words.join(" and ")}`)];
  const isSame = old.relation === now.relation && equal(old.rest, now.rest);
  return isSame
    ? columns
    : [
        ...columns,
        fieldDifference("table-otherwise", `calls use ${quote(now.capability)} in another way`),
      ];
}
