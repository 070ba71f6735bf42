import { posix } from "node:path";
import type { JsonObject } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { block } from "../../core/skill-syntax.js";
import type { Report } from "../../core/report.js";
import type { Acceptance, Prerequisites } from "../../core/skill-model.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import { checkShape, fitsShape } from "../../schema/check-shape.js";
import { isTrue, riskOf, riskWords, textsOf, type WrittenRisk } from "./read-values.js";

const names: JsonObject = { type: "array", items: { type: "string", minLength: 1 } };

/** Values of Node's `process.platform`. */
const platforms = [
  "aix",
  "android",
  "cygwin",
  "darwin",
  "freebsd",
  "haiku",
  "linux",
  "netbsd",
  "openbsd",
  "sunos",
  "win32",
];

/** Authors' names for systems, in lower case. */
const otherPlatformNames: ReadonlyMap<string, string> = new Map([
  ...["mac", "macos", "osx", "mac os"].map((name) => [name, "darwin"] as const),
  ...["win", "windows", "win64"].map((name) => [name, "win32"] as const),
]);

/** Schema of the key of a tool and of a skill. */
export const int64Schema: JsonObject = {
  description:
    "How to pass integers with `format: int64` or `uint64`: `string` passes exact digits as text. The tool's value comes before the skill's. `number` by default.",
  enum: ["number", "string"],
};

/** JSON Schema of the settings and the `owlclaw:` block. */
export const settingsSchema: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    risk_level: {
      description: "Risk of a call, for every tool without its own `risk_level`.",
      enum: riskWords,
    },
    requires_confirmation: {
      description:
        "If `true`, a person must confirm a call: the agent asks, or, if calls are governed, an approval is required. For every tool without its own value.",
      type: "boolean",
    },
    prerequisites: {
      description:
        "Prerequisites. If one is missing, the skill is not offered and its calls are denied.",
      type: "object",
      additionalProperties: false,
      properties: {
        env: { ...names, description: "Names that must be set: credentials and settings." },
        bins: { ...names, description: "Programs that must be found." },
        config: { ...names, description: "Settings of the application that must be there." },
        os: {
          description: "Systems, in Node's words: `linux`, `darwin`, `win32`.",
          type: "array",
          items: { enum: platforms },
        },
        python_packages: { description: "Without effect: generated tools run in Node." },
      },
    },
    auth: {
      description: "Authentication of requests, for every HTTP binding without its own `auth`.",
      type: ["object", "array"],
    },
    int64: int64Schema,
    accept: {
      description: "Accepted diagnostics: the code of each, and the reason.",
      type: "object",
    },
    owlclaw: {
      description: "Settings of a skill of that runtime: skillc reads those that it knows.",
      type: ["object", "null"],
    },
  },
};

export const settingKeys: readonly string[] = Object.keys(
  settingsSchema["properties"] ?? {},
).filter((key) => key !== block);

/**
 * Checks if an entry is a setting of skillc; `accept` counts only if its value has the right form.
 */
export function isSetting(entry: MapEntry): boolean {
  const name = entry.key.value;
  return settingKeys.includes(name) && (name !== acceptKey || isAcceptEntry(entry));
}

/** Settings of a skill that apply to all its tools. */
export interface SkillSettings {
  readonly risk?: WrittenRisk;
  /** Absent if the skill doesn't set it. */
  readonly requiresConfirmation?: boolean;
  readonly prerequisites: Prerequisites;
  /** Form of 64-bit integers; absent if the skill doesn't set it. */
  readonly int64?: string;
  /** Keys of bindings at the skill's level: `BindingKind.skillKeys`. */
  readonly ofBindings: readonly MapEntry[];
  /** A mapping with the key `accept`, if there is one. */
  readonly accept: MapNode;
}

/**
 * Reads the settings from the front matter, its `owlclaw:` block, and the metadata file.
 *
 * @param metadata root of metadata.json or metadata.yaml, if there is one
 * @param toolsInMetadata true if the file declares the skill's tools; then its unknown or invalid
 * keys are mistakes
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
  const risk = riskOf(valueOf(settings, "risk_level"));
  const confirmation = valueOf(settings, "requires_confirmation");
  const int64 = textOf(valueOf(settings, "int64"));
  return {
    ...(risk && { risk }),
    ...(confirmation && { requiresConfirmation: isTrue(confirmation) }),
    ...(int64 !== undefined && { int64 }),
    prerequisites: readPrerequisites(valueOf(settings, "prerequisites"), report),
    ofBindings: settings.entries.filter(({ key }) => key.value === "auth"),
    accept: settings,
  };
}

/** Returns the block without its content. skillc reads only its own keys in it. */
function blockItself(entry: MapEntry): MapEntry {
  return entry.value.kind === "map" ? { ...entry, value: { ...entry.value, entries: [] } } : entry;
}

/** A place for settings, with its name in messages. */
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
      : [{ where: `in ${fileNameOf(metadata)}`, entry: settingIn(metadata) }]),
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
      message: `${quote(key)} is set ${first.where} and ${where}`,
      help: "keep one of the two",
      related: [{ span: first.entry.key.span, message: "the other is here" }],
    });
  }
  return [first.entry];
}

/**
 * Returns the settings in the metadata file. Other programs use a file with this name, so a key of
 * the wrong form is theirs if the file declares no tools.
 */
function ownSettings(metadata: SyntaxNode, holdsTools: boolean, report: Report): SyntaxNode {
  if (metadata.kind !== "map" || holdsTools) return metadata;
  const entries = metadata.entries.filter((entry) => {
    if (!isSetting(entry)) return false;
    if (fitsShape({ ...metadata, entries: [entry] }, settingsSchema)) return true;
    report.add({
      code: "skill/foreign-key",
      span: entry.key.span,
      message: `${quote(entry.key.value)} of ${fileNameOf(metadata)} does not have the form that skillc reads, so skillc ignores it`,
    });
    return false;
  });
  return { ...metadata, entries };
}

/** Name of the file: `metadata.json`. */
function fileNameOf({ span }: SyntaxNode): string {
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
      message: `${quote(key.value)} in \`${block}\` is for another runtime; skillc ignores it`,
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

/** Key of a tool, and of a skill, that maps codes of accepted diagnostics to the reasons. */
export const acceptKey = "accept";

/** Checks for skillc's `accept`; the name may also be a parameter, or another program's key. */
function isAcceptEntry({ key, value }: MapEntry): boolean {
  return key.value === acceptKey && mapsCodes(value);
}

/** Checks if each key looks like a diagnostic code. */
export function mapsCodes(node: SyntaxNode): boolean {
  return (
    node.kind === "map" &&
    node.entries.length > 0 &&
    node.entries.every(({ key }) => key.value.includes("/"))
  );
}

/** Returns a tool without its `accept`. Other keys may be parameters. */
export function withoutAccept(tool: MapNode): MapNode {
  return { ...tool, entries: tool.entries.filter((each) => !isAcceptEntry(each)) };
}

/** Reads the acceptances in the `accept` key of a mapping, for the skill or for one tool. */
export function acceptancesIn(
  node: SyntaxNode | undefined,
  owner: Pick<Acceptance, "skill" | "tool">,
): readonly Acceptance[] {
  const entry = entryOf(node, acceptKey);
  if (entry?.value.kind !== "map" || !isAcceptEntry(entry)) return [];
  return entry.value.entries.map(({ key, value }) => ({
    ...owner,
    code: key.value,
    span: key.span,
    reason: textOf(value)?.trim() ?? "",
  }));
}
