import type { JsonObject } from "../../core/json.js";
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
import { checkShape } from "../../schema/check-shape.js";
import { riskLevelOf, riskLevels, textsOf } from "./read-values.js";

/** What a skill says of itself that holds for all its tools. */
export interface SkillSettings {
  readonly riskLevel?: RiskLevel;
  readonly requiresConfirmation: boolean;
  readonly prerequisites: Prerequisites;
}

const names: JsonObject = { type: "array", items: { type: "string", minLength: 1 } };

/** As Node's `process.platform` names them. */
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

const otherPlatformNames: ReadonlyMap<string, string> = new Map([
  ...["mac", "macos", "osx", "mac os"].map((name) => [name, "darwin"] as const),
  ...["win", "windows", "win64"].map((name) => [name, "win32"] as const),
]);

const settingsSchema: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    risk_level: { enum: riskLevels },
    requires_confirmation: { type: "boolean" },
    prerequisites: {
      type: "object",
      additionalProperties: false,
      properties: {
        env: names,
        bins: names,
        config: names,
        os: { type: "array", items: { enum: platforms } },
        python_packages: {},
      },
    },
    owlclaw: { type: ["object", "null"] },
  },
};

const block = "owlclaw";
const settingKeys = Object.keys(settingsSchema["properties"] ?? {}).filter((key) => key !== block);

/** Reads the keys that may stand at the top level of the front matter or in its `owlclaw:` block. */
export function readSettings(root: MapNode, report: Report): SkillSettings {
  const entries = settingKeys.flatMap((key) => settingAt(root, key, report));
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
  };
}

/** The block without what is in it: of that, skillc reads only its own keys. */
function blockItself(entry: MapEntry): MapEntry {
  return entry.value.kind === "map" ? { ...entry, value: { ...entry.value, entries: [] } } : entry;
}

function settingAt(root: MapNode, key: string, report: Report): readonly MapEntry[] {
  const top = entryOf(root, key);
  const inBlock = entryOf(valueOf(root, block), key);
  if (top !== undefined && inBlock !== undefined) {
    report.add({
      code: "skill/declared-twice",
      span: inBlock.key.span,
      message: `${quote(key)} stands at the top level and in \`${block}\``,
      help: "keep one of the two",
      related: [{ span: top.key.span, message: "the other is here" }],
    });
  }
  const found = top ?? inBlock;
  return found === undefined ? [] : [found];
}

function noteForeignKeys(node: SyntaxNode | undefined, report: Report): void {
  if (node?.kind !== "map") return;
  for (const { key } of node.entries) {
    if (settingKeys.includes(key.value)) continue;
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
