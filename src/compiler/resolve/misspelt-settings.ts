import { distance } from "fastest-levenshtein";
import { posix } from "node:path";
import type { KindRegistry } from "../../bindings/registry.js";
import type { DiagnosticCode, UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import { isOneSlipFrom } from "../../core/one-slip.js";
import { block, type SkillSyntax } from "../../core/skill-syntax.js";
import { entryOf, type MapEntry } from "../../core/syntax-node.js";
import { fitsShape } from "../../schema/check-shape.js";
import { plainWord, wordsOf } from "../../schema/other-words.js";
import { suggestion } from "../../schema/suggestion.js";
import { misplacedSetting, protectingSetting } from "./misplaced-settings.js";
import { acceptKey, mapsCodes, settingKeys, settingsSchema } from "./skill-settings.js";

/** Keys that were most likely intended as settings but have no effect. */
interface MisspeltSettings {
  readonly diagnostics: readonly UnratedDiagnostic[];
  /** Keys of the front matter among them. */
  readonly entries: ReadonlySet<MapEntry>;
}

const misspelt = "skill/misspelt-setting";
const misplaced = "skill/misplaced-setting";
const doubtful = "skill/doubtful-setting";

/**
 * Finds keys that are close to a setting, another word for a setting, or a setting of a tool, in
 * places where settings are read. In a skill without tools, any key may belong to another program.
 */
export function misspeltSettings(
  { frontMatter, metadata }: SkillSyntax,
  kinds: KindRegistry,
): MisspeltSettings {
  const owlclaw = entryOf(frontMatter, block);
  const places = [frontMatter, owlclaw?.value, metadata?.root];
  const set = new Set(
    settingKeys.filter((key) => places.some((each) => entryOf(each, key) !== undefined)),
  );
  const found = places.flatMap((node) =>
    node?.kind === "map"
      ? node.entries.flatMap((entry) => (entry === owlclaw ? [] : findingsOf(entry, set, kinds)))
      : [],
  );
  return {
    diagnostics: found.map(({ diagnostic }) => diagnostic),
    entries: new Set(found.map(({ entry }) => entry)),
  };
}

interface MisspeltSetting {
  readonly entry: MapEntry;
  readonly diagnostic: UnratedDiagnostic;
}

/** @param set settings with correct names */
function findingsOf(
  entry: MapEntry,
  set: ReadonlySet<string>,
  kinds: KindRegistry,
): readonly MisspeltSetting[] {
  const { value: written } = entry.key;
  if (ownKeys.has(written)) return [];
  const elsewhere = misplacedSetting(entry, kinds);
  if (elsewhere !== undefined) {
    const { isCertain, owner } = elsewhere;
    const message = `${quote(written)} has no effect on a whole skill: it is a setting of ${owner.name}`;
    const code = isCertain ? misplaced : doubtful;
    return [{ entry, diagnostic: diagnosticOf(entry, code, message, `${owner.help};`) }];
  }
  const meant = settingLike(entry, set);
  if (meant === undefined) return settingsBelow(entry, set, 2);
  const code = meant.isCertain ? misspelt : doubtful;
  const message = `${quote(written)} has no effect: the setting is called ${quote(meant.key)}`;
  return [{ entry, diagnostic: diagnosticOf(entry, code, message, suggestion(meant.key)) }];
}

/** Keys of the format and of skillc. Keys close to `tools` are judged by their content. */
const ownKeys: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "allowed-tools",
  "tools",
  "tools_schema",
  ...settingKeys,
]);

interface MeantSetting {
  readonly key: string;
  readonly isCertain: boolean;
}

function settingLike(entry: MapEntry, set: ReadonlySet<string>): MeantSetting | undefined {
  const written = entry.key.value;
  for (const key of [...settingKeys, block]) {
    if (isSameWord(written, key) && (key.length >= longWord || hasForm(key, entry)))
      return { key, isCertain: true };
  }
  const slip = settingKeys.find((key) => isSlip(written, key, entry));
  if (slip !== undefined) return { key: slip, isCertain: slip.length >= longWord };
  const twice = settingKeys.find((key) => key.length >= longWord && isTwoEditsFrom(written, key));
  if (twice !== undefined) return { key: twice, isCertain: false };
  return byOtherWord(entry, set);
}

/**
 * Minimum length of a word to check for typos. Shorter words are close to unrelated ones, such as
 * `auth` to `path` and `accept` to `accent`.
 */
const longWord = 7;

/** Compares words without case, `-`, `_` and plural. */
function isSameWord(written: string, key: string): boolean {
  const singular = (text: string) => plainWord(text).replace(/s$/, "");
  return singular(written) === singular(key);
}

function isSlip(written: string, key: string, entry: MapEntry): boolean {
  if (!isOneSlipFrom(plainWord(written), plainWord(key))) return false;
  return key.length >= longWord || hasForm(key, entry);
}

function isTwoEditsFrom(written: string, key: string): boolean {
  return written.length <= 100 && distance(plainWord(written), plainWord(key)) === 2;
}

/**
 * Other programs' words for settings. Their values must have the setting's form, because the words
 * are common.
 */
const certainWords = wordsOf({
  requires_confirmation: [
    "confirmation",
    "confirm",
    "confirmation_required",
    "needs_confirmation",
    "approval_required",
    "needs_approval",
    "require_approval",
    "requires_approval",
  ],
  auth: ["authentication", "authorization", "authn"],
});
const doubtfulWords = wordsOf({
  risk_level: ["risk", "risk_class", "risk_rating", "danger_level"],
  prerequisites: ["requires", "requirements", "preconditions"],
});

/** Another word for a setting counts only if the setting itself is absent. */
function byOtherWord(entry: MapEntry, set: ReadonlySet<string>): MeantSetting | undefined {
  for (const words of [certainWords, doubtfulWords]) {
    const key = words.get(plainWord(entry.key.value))?.[0]?.[0];
    if (key !== undefined && !set.has(key) && hasForm(key, entry))
      return { key, isCertain: words === certainWords };
  }
  return undefined;
}

/** Checks if the setting accepts the value. */
function hasForm(key: string, { key: written, value }: MapEntry): boolean {
  if (key === acceptKey) return mapsCodes(value);
  const renamed = { key: { ...written, value: key }, value };
  return fitsShape({ kind: "map", span: value.span, entries: [renamed] }, settingsSchema);
}

/**
 * Finds settings of calls in a mapping that skillc does not read.
 *
 * @param levels maximum depth of nested mappings to search
 */
function settingsBelow(
  { key, value }: MapEntry,
  set: ReadonlySet<string>,
  levels: number,
): readonly MisspeltSetting[] {
  if (value.kind !== "map" || levels === 0) return [];
  return value.entries.flatMap((entry) => {
    const name = entry.key.value;
    if (ownKeys.has(name) && !callSettings.has(name)) return [];
    const owner = skillcsOwn.has(name) ? protectingSetting(entry) : undefined;
    if (!callSettings.has(name) && owner === undefined)
      return settingsBelow(entry, set, levels - 1);
    if (owner === undefined && (set.has(name) || !hasForm(name, entry))) return [];
    const message = `${quote(name)} has no effect in ${quote(key.value)}`;
    const help = owner?.help ?? `put it at the top level of ${posix.basename(key.span.file)}`;
    return [{ entry, diagnostic: diagnosticOf(entry, doubtful, message, `${help};`) }];
  });
}

const callSettings: ReadonlySet<string> = new Set(["risk_level", "requires_confirmation"]);

/**
 * Settings of tools whose names other programs hardly use. `oauth: { scopes: [repo] }`, for
 * example, is common.
 */
const skillcsOwn: ReadonlySet<string> = new Set(["governance", "approval"]);

function diagnosticOf(
  { key: { span } }: MapEntry,
  code: DiagnosticCode,
  message: string,
  help: string,
): UnratedDiagnostic {
  const accept = `\`accept: { ${code}: … }\``;
  return { code, span, message, help: `${help} if it is another program's key, write ${accept}` };
}
