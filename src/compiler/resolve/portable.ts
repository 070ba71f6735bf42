import { posix } from "node:path";
import type { JsonObject } from "../../core/json.js";
import { listed, portableName, quote } from "../../core/names.js";
import { collectDiagnostics, type Report } from "../../core/report.js";
import { metadataNameOf, type SkillSyntax } from "../../core/skill-syntax.js";
import type { Span } from "../../core/span.js";
import { entryOf, type MapEntry, type MapNode, textOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { didYouMean } from "../../schema/suggestion.js";
import { toolsKeys } from "./misplaced.js";
import { isSetting } from "./skill-settings.js";

const notPortable = "skill/not-portable";

/**
 * Front matter by the Agent Skills specification. Other checks apply the rules for the name, with
 * better messages.
 */
export const agentSkillsSchema: JsonObject = {
  type: "object",
  required: ["name", "description"],
  additionalProperties: false,
  properties: {
    name: {
      description:
        "The folder's name: lower-case letters, digits and single hyphens; at most 64 characters.",
      type: "string",
      minLength: 1,
      maxLength: 64,
    },
    description: {
      description:
        "What the skill does and when to use it. An agent chooses the skill by this text. At most 1024 characters.",
      type: "string",
      minLength: 1,
      maxLength: 1024,
    },
    license: { description: "The skill's licence, or the file that has it.", type: "string" },
    compatibility: {
      description:
        "Requirements of the skill, such as programs or network access; at most 500 characters.",
      type: "string",
      minLength: 1,
      maxLength: 500,
    },
    metadata: {
      description: "Keys of other programs, each with a text.",
      type: "object",
      additionalProperties: { type: "string" },
    },
    "allowed-tools": {
      description: "Tools that the agent may use without asking, separated by spaces.",
      type: "string",
    },
  },
};

const formatKeys = Object.keys(agentSkillsSchema["properties"] ?? {});

/**
 * Warns once per skill about front matter that other loaders of Agent Skills may reject, although
 * skillc accepts it. Source: the specification at agentskills.io.
 *
 * @param invalid keys with an error
 */
export function checkPortable(
  syntax: SkillSyntax,
  invalid: ReadonlySet<MapEntry>,
  report: Report,
): void {
  const root = syntax.frontMatter;
  // The parse stage reports front matter that is missing or not a mapping.
  if (root?.kind !== "map") return;
  const problems = [
    ...problemsOfShape(root, invalid),
    ...toolEntries(root).map((entry) => strangeKey(entry, "tools")),
    ...root.entries.filter(isSetting).map((entry) => strangeKey(entry, "setting")),
    ...nameProblems(syntax.folder, entryOf(root, "name")),
  ].toSorted((a, b) => a.span.start - b.span.start);
  const [first, ...others] = problems;
  if (first === undefined) return;
  report.add({
    code: notPortable,
    span: first.span,
    message: `other loaders of Agent Skills may reject this skill: ${factsOf(problems).join("; ")}`,
    help: helpOf(problems, metadataNameOf(syntax)),
    related: others.map(({ fact, span }) => ({ span, message: fact })),
  });
}

/** A deviation from the specification. */
interface PortabilityProblem {
  readonly span: Span;
  /** Description of the problem. */
  readonly fact: string;
  /** Set if the format lacks the key: the key in backticks, and its meaning to skillc. */
  readonly strange?: { readonly key: string; readonly as: "tools" | "setting" | "unknown" };
  /** Help for this problem alone. */
  readonly help?: string | undefined;
}

function strangeKey(
  { key }: MapEntry,
  as: "tools" | "setting" | "unknown",
  help?: string,
): PortabilityProblem {
  const name = quote(key.value);
  return {
    span: key.span,
    fact: `${name} is not a key of the format`,
    strange: { key: name, as },
    help,
  };
}

/** Lists the unknown keys in one sentence, and then all other problems. */
function factsOf(problems: readonly PortabilityProblem[]): readonly string[] {
  const keys = problems.flatMap(({ strange }) => strange?.key ?? []);
  const others = problems.filter(({ strange }) => strange === undefined).map(({ fact }) => fact);
  if (keys.length === 0) return others;
  const are = keys.length === 1 ? "is not a key" : "are not keys";
  return [`${listed(keys)} ${are} of the format`, ...others];
}

/** @param beside file for keys that only skillc knows */
function helpOf(problems: readonly PortabilityProblem[], beside: string): string {
  const own = (as: string) => problems.filter(({ strange }) => strange?.as === as);
  const settings = own("setting").flatMap(({ strange }) => strange?.key ?? []);
  const moved = [
    ...(own("tools").length > 0 ? ["the tools, under `tools_schema`,"] : []),
    ...settings,
  ];
  const lost = own("unknown").filter(({ help }) => help === undefined);
  return [
    "skillc needs no change",
    ...(moved.length > 0
      ? [`for other loaders, move ${listed(moved)} to ${beside} beside it`]
      : []),
    ...(lost.length > 0 ? ["keys of your own may be below `metadata`, as text"] : []),
    ...new Set(problems.flatMap(({ help }) => help ?? [])),
  ].join("; ");
}

/** Finds problems with the schema of the format. */
function problemsOfShape(
  root: MapNode,
  invalid: ReadonlySet<MapEntry>,
): readonly PortabilityProblem[] {
  const node = withoutOurs(root, invalid);
  const isKnown = ({ key }: MapEntry) => formatKeys.includes(key.value);
  const found = collectDiagnostics();
  checkShape({ ...node, entries: node.entries.filter(isKnown) }, agentSkillsSchema, found.report, {
    subject: "portable front matter",
    at: firstCharacter(root),
    unknownKey: notPortable,
    missingKey: notPortable,
    wrongType: notPortable,
    wrongValue: notPortable,
  });
  return [
    ...node.entries.filter((entry) => !isKnown(entry)).map(unknownKey),
    ...found.diagnostics.map(({ help, message, span }) => ({
      span,
      fact: message,
      help: help && withSubject(message, help),
    })),
  ];
}

function unknownKey(entry: MapEntry): PortabilityProblem {
  const help = didYouMean(entry.key.value, formatKeys);
  return strangeKey(entry, "unknown", help && `${quote(entry.key.value)}: ${help}`);
}

/** Prefixes a help with its subject, if a message shows several helps. */
function withSubject(message: string, help: string): string {
  const subject = /^`[^`]*`/.exec(message)?.[0];
  return subject === undefined ? help : `${subject}: ${help}`;
}

function firstCharacter(node: MapNode): Span {
  return { ...node.span, end: Math.min(node.span.start + 1, node.span.end) };
}

function toolEntries(root: MapNode): readonly MapEntry[] {
  const metadata = entryOf(root, "metadata")?.value;
  const inside = metadata?.kind === "map" ? metadata.entries : [];
  return [...root.entries, ...inside].filter(({ key }) => toolsKeys.includes(key.value));
}

/**
 * Removes keys that skillc reads in addition to the specification. They get a separate warning,
 * which names another place for them.
 */
function withoutOurs(root: MapNode, invalid: ReadonlySet<MapEntry>): MapNode {
  const isForeign = (entry: MapEntry) =>
    !toolsKeys.includes(entry.key.value) && !invalid.has(entry);
  const entries = root.entries
    .filter((entry) => isForeign(entry) && !isSetting(entry))
    .map(({ key, value }) =>
      key.value === "metadata" && value.kind === "map"
        ? {
            key,
            value: {
              ...value,
              entries: value.entries.filter(isForeign),
            },
          }
        : { key, value },
    );
  return { ...root, entries };
}

function nameProblems(folder: string, entry: MapEntry | undefined): readonly PortabilityProblem[] {
  const name = textOf(entry?.value);
  if (entry === undefined || name === undefined || name === "") return [];
  const folderName = posix.basename(folder);
  const { span } = entry.value;
  const better = portableName(name);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    const fact = `the name ${quote(name)} has other characters than lower-case letters, digits and single hyphens`;
    return [{ span, fact, help: better === undefined ? undefined : `name it ${quote(better)}` }];
  }
  if (name === folderName) return [];
  const fact = `the name ${quote(name)} differs from the folder's, ${quote(folderName)}`;
  return [{ span, fact, help: "give the folder and the skill the same name" }];
}
