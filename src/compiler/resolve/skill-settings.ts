import { posix } from "node:path";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Prerequisites, RiskLevel } from "../../core/skill-model.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  valueOf,
} from "../../core/syntax-node.js";
import { checkShape, fitsShape } from "../../schema/check-shape.js";
import { riskLevelOf, textsOf } from "./read-values.js";
import {
  block,
  isSetting,
  otherPlatformNames,
  settingKeys,
  settingsSchema,
} from "./settings-schema.js";

/** What a skill says of itself that holds for all its tools. */
export interface SkillSettings {
  readonly riskLevel?: RiskLevel;
  readonly requiresConfirmation: boolean;
  readonly prerequisites: Prerequisites;
  /** A mapping with the key `accept`, if there is one. */
  readonly accept: MapNode;
}

/**
 * Reads the keys that may stand at the top level of the front matter, in its `owlclaw:` block, or at the top level of the metadata file.
 *
 * @param metadata the root of metadata.json or metadata.yaml, if there is one
 * @param toolsInMetadata whether the skill's tools stand there: then so much is ours, and what is wrong there is a mistake
 */
export function readSettings(
  root: MapNode,
  metadata: SyntaxNode | undefined,
  toolsInMetadata: boolean,
  report: Report,
): SkillSettings {
  const beside = metadata && ownSettings(metadata, toolsInMetadata, report);
  const entries = settingKeys.flatMap((key) => settingAt(key, placesOf(key, root, beside), report));
  const own = entryOf(root, block);
  const settings: MapNode = {
    ...root,
    entries: own === undefined ? entries : [...entries, blockItself(own)],
  };
  checkShape(settings, settingsSchema, report, {
    subject: "the front matter",
    unknownKey: "skill/unknown-key",
    missingKey: "skill/wrong-value",
    wrongType: "skill/wrong-type",
    wrongValue: "skill/wrong-value",
    otherNames: otherPlatformNames,
  });
  noteForeignKeys(own?.value, report);
  const riskLevel = riskLevelOf(valueOf(settings, "risk_level"));
  const confirmation = valueOf(settings, "requires_confirmation");
  return {
    ...(riskLevel !== undefined && { riskLevel }),
    requiresConfirmation: confirmation?.kind === "scalar" && confirmation.value === true,
    prerequisites: readPrerequisites(valueOf(settings, "prerequisites"), report),
    accept: settings,
  };
}

/** The block without what is in it: of that, skillc reads only its own keys. */
function blockItself(entry: MapEntry): MapEntry {
  return entry.value.kind === "map" ? { ...entry, value: { ...entry.value, entries: [] } } : entry;
}

/** A place where a setting may stand, as messages name it. */
interface SettingPlace {
  readonly where: string;
  readonly entry: MapEntry | undefined;
}

function placesOf(
  key: string,
  root: MapNode,
  metadata: SyntaxNode | undefined,
): readonly SettingPlace[] {
  const settingIn = (node: SyntaxNode | undefined) => {
    const entry = entryOf(node, key);
    return entry !== undefined && isSetting(entry) ? entry : undefined;
  };
  return [
    { where: "at the top level", entry: settingIn(root) },
    { where: `in \`${block}\``, entry: settingIn(valueOf(root, block)) },
    ...(metadata === undefined
      ? []
      : [{ where: `in ${nameOf(metadata)}`, entry: settingIn(metadata) }]),
  ];
}

function settingAt(
  key: string,
  places: readonly SettingPlace[],
  report: Report,
): readonly MapEntry[] {
  const [first, ...others] = places.flatMap(({ where, entry }) =>
    entry === undefined ? [] : [{ where, entry }],
  );
  if (first === undefined) return [];
  for (const { where, entry } of others) {
    report.add({
      code: "skill/declared-twice",
      span: entry.key.span,
      message: `${quote(key)} stands ${first.where} and ${where}`,
      help: "keep one of the two",
      related: [{ span: first.entry.key.span, message: "the other is here" }],
    });
  }
  return [first.entry];
}

/**
 * What the metadata file says in skillc's words. Other publishers have data of their own in a file of that name: a key of ours that is not of
 * our form, beside no tools of ours, is theirs.
 */
function ownSettings(metadata: SyntaxNode, holdsTools: boolean, report: Report): SyntaxNode {
  if (metadata.kind !== "map" || holdsTools) return metadata;
  const entries = metadata.entries.filter((entry) => {
    if (!isSetting(entry)) return false;
    if (fitsShape({ ...metadata, entries: [entry] }, settingsSchema)) return true;
    report.add({
      code: "skill/foreign-key",
      span: entry.key.span,
      message: `${quote(entry.key.value)} of ${nameOf(metadata)} is not of the form that skillc reads, so it is left alone`,
    });
    return false;
  });
  return { ...metadata, entries };
}

/** `metadata.json` */
function nameOf({ span }: SyntaxNode): string {
  return posix.basename(span.file);
}

function noteForeignKeys(node: SyntaxNode | undefined, report: Report): void {
  if (node?.kind !== "map") return;
  for (const entry of node.entries) {
    if (isSetting(entry)) continue;
    const { key } = entry;
    report.add({
      code: "skill/foreign-key",
      span: key.span,
      message: `${quote(key.value)} in \`${block}\` means something to another runtime; skillc leaves it alone`,
    });
  }
}

function readPrerequisites(node: SyntaxNode | undefined, report: Report): Prerequisites {
  const ignored = entryOf(node, "python_packages");
  if (ignored !== undefined) {
    report.add({
      code: "skill/ignored-key",
      span: ignored.key.span,
      message: "`python_packages` has no effect: generated tools run in Node",
    });
  }
  const list = (key: string) => textsOf(valueOf(node, key)).map((each) => each.value);
  return { env: list("env"), bins: list("bins"), config: list("config"), os: list("os") };
}
