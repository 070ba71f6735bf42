/**
 * Compares two catalogs tool by tool, and decides how far versions must be raised.
 *
 * - `rules.ts`: the meaning of each change. `fields.ts`: the comparison of each key, with
 * `compare-schemas.ts` for parameters and results, `compare-reach.ts` for capabilities
 * - `declared-version.ts`: checks if a tool's declared version was raised enough
 *
 * Catalogs are data of any age: an unknown key is reported as such.
 */
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { compareText } from "../../core/report.js";
import { equal } from "@skillc/runtime/internal/equal";
import {
  type CredentialDestination,
  destinationsOf,
  isLiteralOrigin,
  keyOf,
} from "../../kit/credential-destinations.js";
import { added, listedTexts } from "./compare-lists.js";
import { placesIn } from "./compare-reach.js";
import { judgeVersion, type VersionJudgement } from "./declared-version.js";
import { type Difference, differenceOf, fieldDifference } from "./difference.js";
import { compareFields, toolFields } from "./fields.js";
import { type Verdict, worst } from "./rules.js";

/** A catalog that was printed or compiled. */
export interface ComparedCatalog {
  readonly skills: readonly ComparedSkill[];
}

export interface ComparedSkill extends JsonObject {
  readonly name: string;
  readonly tools: readonly ComparedTool[];
}

export interface ComparedTool extends JsonObject {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
}

export interface CatalogComparison {
  /** Worst verdict of all skills; null if nothing differs. */
  readonly verdict: Verdict | null;
  /** Skills with differences, by name. */
  readonly skills: readonly SkillComparison[];
  /** Ids of the tools whose declared version was raised by less than their verdict requires. */
  readonly tooLow: readonly string[];
}

export interface SkillComparison {
  readonly name: string;
  readonly change: Change;
  /** Worst verdict of the skill's own differences and those of its tools. */
  readonly verdict: Verdict | null;
  readonly differences: readonly Difference[];
  /** Tools with differences, by id. */
  readonly tools: readonly ToolComparison[];
}

export interface ToolComparison {
  readonly id: string;
  readonly change: Change;
  readonly verdict: Verdict | null;
  readonly version: VersionJudgement;
  readonly differences: readonly Difference[];
}

export type Change = "added" | "removed" | "changed";

export function compareCatalogs(old: ComparedCatalog, now: ComparedCatalog): CatalogComparison {
  const known = new Set(
    old.skills
      .flatMap(({ tools }) => tools)
      .flatMap(literalOrigins)
      .map(keyOf),
  );
  const skills = pairs(old.skills, now.skills, ({ name }) => name).flatMap(([before, after]) =>
    compareSkills(before, after, known),
  );
  const tools = skills.flatMap((each) => each.tools);
  return {
    verdict: worst(skills.map(({ verdict }) => verdict ?? undefined)) ?? null,
    skills,
    tooLow: tools.filter(({ version }) => version.isEnough === false).map(({ id }) => id),
  };
}

type Pair<Item> = readonly [old: Item | undefined, now: Item | undefined];

function pairs<Item>(
  old: readonly Item[],
  now: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Pair<Item>[] {
  const [before, after] = [old, now].map((all) => new Map(all.map((each) => [nameOf(each), each])));
  const names = [...new Set([...old, ...now].map(nameOf))].toSorted(compareText);
  return names.map((name) => [before?.get(name), after?.get(name)]);
}

/** Destinations of credentials that the skill itself states. */
function literalOrigins(tool: ComparedTool): readonly CredentialDestination[] {
  return destinationsOf(placesIn(tool["capabilities"])).filter(({ origin }) =>
    isLiteralOrigin(origin),
  );
}

/** @param known credentials and their origins in the old catalog, as texts of `keyOf` */
function compareSkills(
  old: ComparedSkill | undefined,
  now: ComparedSkill | undefined,
  known: ReadonlySet<string>,
): readonly SkillComparison[] {
  const change = changeOf(old, now);
  const whole =
    change === "changed"
      ? []
      : [
          differenceOf(
            "name",
            change === "added"
              ? fieldDifference("skill-added", "is new")
              : fieldDifference("skill-removed", "is gone"),
          ),
        ];
  const own = old !== undefined && now !== undefined ? ownDifferences(old, now) : whole;
  const tools = pairs(old?.tools ?? [], now?.tools ?? [], ({ id }) => id).flatMap(
    ([before, after]) => compareTools(before, after, known),
  );
  if (own.length + tools.length === 0) return [];
  const all = [...own, ...tools].map(({ verdict }) => verdict ?? undefined);
  return [
    { name: nameOf(now ?? old), change, verdict: worst(all) ?? null, differences: own, tools },
  ];
}

function nameOf(skill: ComparedSkill | undefined): string {
  return skill?.name ?? "";
}

function changeOf(old: object | undefined, now: object | undefined): Change {
  if (old === undefined) return "added";
  return now === undefined ? "removed" : "changed";
}

/** Keys that aren't compared: the path of a skill's file has no effect. */
const placeOfSkill: ReadonlySet<string> = new Set(["name", "file", "tools"]);

function ownDifferences(old: ComparedSkill, now: ComparedSkill): readonly Difference[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !placeOfSkill.has(name))
    .toSorted();
  return names.flatMap((name) => {
    const [before, after] = [getOwn(old, name), getOwn(now, name)];
    if (equal(before ?? null, after ?? null)) return [];
    return compareOfSkill(name, before, after);
  });
}

function compareOfSkill(
  name: string,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly Difference[] {
  if (name === "description" || name === "body")
    return [differenceOf(name, fieldDifference("skill-text", "has a new text"))];
  if (name === "prerequisites") return comparePrerequisites(old, now);
  return [differenceOf(name, fieldDifference("unknown-field", "has changed"))];
}

function comparePrerequisites(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly Difference[] {
  const [before, after] = [old, now].map((each) => (isJsonObject(each) ? each : {}));
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.toSorted().flatMap((name) => {
    const [was, is] = [
      listedTexts(getOwn(before ?? {}, name)),
      listedTexts(getOwn(after ?? {}, name)),
    ];
    const all = name === "os" ? systems(was, is) : needs(was, is);
    return all.map((each) => differenceOf(`prerequisites.${name}`, each));
  });
}

function needs(old: readonly string[], now: readonly string[]) {
  return [
    ...added(old, now).map((each) =>
      fieldDifference("prerequisite-added", `the skill now needs \`${each}\``),
    ),
    ...added(now, old).map((each) =>
      fieldDifference("prerequisite-removed", `the skill no longer needs \`${each}\``),
    ),
  ];
}

/**
 * Compares lists of systems, any one of which suffices. An empty list means every system, so adding
 * a system relaxes the requirement.
 */
function systems(old: readonly string[], now: readonly string[]) {
  const isWider = now.length === 0 || (old.length > 0 && added(now, old).length === 0);
  if (added(old, now).length + added(now, old).length === 0) return [];
  const names = now.length === 0 ? "every system" : now.map((each) => `\`${each}\``).join(", ");
  return [fieldDifference(isWider ? "prerequisite-removed" : "prerequisite-added", `now ${names}`)];
}

function compareTools(
  old: ComparedTool | undefined,
  now: ComparedTool | undefined,
  known: ReadonlySet<string>,
): readonly ToolComparison[] {
  const sent = now === undefined ? [] : newDestinations(now, known);
  const id = (now ?? old)?.id ?? "";
  const change = changeOf(old, now);
  if (old === undefined || now === undefined) {
    const rule = change === "added" ? "tool-added" : "tool-removed";
    const version = judgeVersion(versionOf(old), versionOf(now), undefined);
    const what = change === "added" ? "is new" : "is gone";
    const differences = [differenceOf("id", fieldDifference(rule, what)), ...sent];
    const verdict = worst(differences.map((each) => each.verdict)) ?? null;
    return [{ id, change, verdict, version, differences }];
  }
  const differences = [...differencesOf(old, now), ...sent];
  const verdict = worst(differences.map((each) => each.verdict));
  const version = judgeVersion(versionOf(old), versionOf(now), verdict);
  const isSame = differences.length === 0 && version.old === version.new;
  return isSame ? [] : [{ id, change, verdict: verdict ?? null, version, differences }];
}

/** Credentials that now go to an origin chosen by the skill, and that no old tool sent there. */
function newDestinations(tool: ComparedTool, known: ReadonlySet<string>): readonly Difference[] {
  return literalOrigins(tool)
    .filter((each) => !known.has(keyOf(each)))
    .map(({ credential, origin }) =>
      differenceOf(
        "capabilities",
        fieldDifference("credential-sent", `\`\${${credential}}\` goes to \`${origin}\``),
      ),
    );
}

/**
 * Lists differences of a tool. The hash is reported only if nothing else differs, because any other
 * change affects it too. The same applies to the declared version.
 */
function differencesOf(old: ComparedTool, now: ComparedTool): readonly Difference[] {
  const found = compareFields(old, now, toolFields);
  if (found.length > 0 || equal(old["manifest_hash"], now["manifest_hash"])) return found;
  const what =
    versionOf(old) === versionOf(now)
      ? "the binding or its settings changed"
      : "the binding or its settings may have changed: the hash differs, and so does the version";
  return [differenceOf("manifest_hash", fieldDifference("within-binding", what))];
}

function versionOf(tool: ComparedTool | undefined): string | undefined {
  const version = tool?.["version"];
  return typeof version === "string" ? version : undefined;
}
