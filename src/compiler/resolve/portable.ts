import { posix } from "node:path";
import type { JsonObject } from "../../core/json.js";
import { portableName, quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { Span } from "../../core/span.js";
import { entryOf, type MapEntry, type MapNode, textOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { toolsKeys } from "./misplaced-tools.js";
import { settingKeys } from "./settings-schema.js";

const notPortable = "skill/not-portable";

/** Front matter as the Agent Skills specification has it. The name's own rules are checked apart, for their messages. */
const agentSkillsSchema: JsonObject = {
  type: "object",
  required: ["name", "description"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: 64 },
    description: { type: "string", minLength: 1, maxLength: 1024 },
    license: { type: "string" },
    compatibility: { type: "string", minLength: 1, maxLength: 500 },
    metadata: { type: "object", additionalProperties: { type: "string" } },
    "allowed-tools": { type: "string" },
  },
};

/**
 * Warns of what other readers of Agent Skills may refuse. Source: the specification at agentskills.io.
 *
 * @param faulty keys that an error is reported about already
 */
export function checkPortable(
  syntax: SkillSyntax,
  faulty: ReadonlySet<MapEntry>,
  report: Report,
): void {
  const root = syntax.frontMatter;
  // The parse stage reports front matter that is missing, or no mapping.
  if (root?.kind !== "map") return;
  checkShape(withoutOurs(root, faulty), agentSkillsSchema, report, {
    subject: "portable front matter",
    at: firstCharacter(root),
    unknownKey: notPortable,
    missingKey: notPortable,
    wrongType: notPortable,
    wrongValue: notPortable,
  });
  for (const entry of toolEntries(root)) reportOurs(entry, "the tools", report);
  for (const entry of root.entries.filter(isSetting)) reportOurs(entry, "it", report);
  checkName(syntax.folder, entryOf(root, "name"), report);
}

function firstCharacter(node: MapNode): Span {
  return { ...node.span, end: Math.min(node.span.start + 1, node.span.end) };
}

function toolEntries(root: MapNode): readonly MapEntry[] {
  const metadata = entryOf(root, "metadata")?.value;
  const inside = metadata?.kind === "map" ? metadata.entries : [];
  return [...root.entries, ...inside].filter(({ key }) => toolsKeys.includes(key.value));
}

function isSetting({ key }: MapEntry): boolean {
  return settingKeys.includes(key.value);
}

/** What skillc reads beyond the specification gets a warning of its own, which says where else it can be. */
function withoutOurs(root: MapNode, faulty: ReadonlySet<MapEntry>): MapNode {
  const isForeign = (entry: MapEntry) => !toolsKeys.includes(entry.key.value) && !faulty.has(entry);
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

function reportOurs({ key }: MapEntry, what: "the tools" | "it", report: Report): void {
  const place = what === "it" ? "" : ", under `tools_schema`";
  report.add({
    code: notPortable,
    span: key.span,
    message: `${quote(key.value)} is not in the Agent Skills format`,
    help: `for a portable SKILL.md move ${what} to metadata.json beside it${place}`,
  });
}

function checkName(folder: string, entry: MapEntry | undefined, report: Report): void {
  const name = textOf(entry?.value);
  if (entry === undefined || name === undefined || name === "") return;
  const folderName = posix.basename(folder);
  const add = (message: string, help?: string) =>
    report.add({ code: notPortable, span: entry.value.span, message, help });
  const better = portableName(name);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    add(
      `the name ${quote(name)} has other characters than lower-case letters, digits and single hyphens`,
      better === undefined ? undefined : `name it ${quote(better)}`,
    );
  } else if (name !== folderName) {
    add(
      `the name ${quote(name)} differs from the folder's, ${quote(folderName)}`,
      "give both the same name",
    );
  }
}
