import { settingsSchemas } from "../../bindings/kind-settings.js";
import type { CustomBinding, ProjectConfig } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { type MapEntry, type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { didYouMean } from "../../schema/suggestion.js";
import { parseYaml } from "../parse/parse-yaml.js";
import {
  bindingType,
  configKeys as keys,
  configSchema,
  defaultConfig,
  secretName,
} from "./config-schema.js";
import { moduleOf } from "./module-path.js";
import { parseFiles } from "./parse-files.js";
import { parseGovernance } from "./parse-governance.js";
import { parseMcp } from "./parse-mcp.js";
import { parseRuns } from "./parse-runs.js";
import { folderOf, isInside, overlap, ownFolderOf } from "./project-path.js";

/**
 * Parses skillc.yaml. An invalid setting is reported and replaced by its default. For secrets, only
 * the type is checked.
 */
export function parseConfig(file: SourceFile | undefined, open: Report): ProjectConfig {
  const report = file === undefined ? open : hidingSecrets(open, file);
  const root = file && parseYaml(file, { start: 0, end: file.text.length }, report);
  if (root === undefined || isEmpty(root)) return defaultConfig;
  const written = mapOr(root, "skillc.yaml", report);
  if (written === undefined) return defaultConfig;
  reportUnknownKeys(written, report);
  const settings = withoutSecrets(written, report);
  const ofKinds = Object.keys(settingsSchemas).flatMap((key) => {
    const node = mapOr(valueOf(settings, key), key, report);
    return node === undefined ? [] : [[key, node] as const];
  });
  const governance = parseGovernance(settings, report);
  const runs = parseRuns(settings, report);
  const mcp = parseMcp(valueOf(settings, "mcp"), report);
  const { out, skills } = folders(settings, report);
  const rollback = parseRollback(valueOf(settings, "rollback"), report);
  const files = parseFiles(mapOr(valueOf(settings, "files"), "files", report), report);
  return {
    skills,
    out,
    policies: policiesFolder(settings, out, report),
    secretNames: secretNames(mapOr(valueOf(settings, "secrets"), "secrets", report), report),
    bindings: bindings(mapOr(valueOf(settings, "bindings"), "bindings", report), report),
    settings: Object.fromEntries(ofKinds),
    ...(files && { files }),
    ...(governance && { governance }),
    ...(runs && { runs }),
    ...(mcp && { mcp }),
    ...(rollback && { rollback }),
  };
}

/** Span of the setting for the skills or policies folder. */
export function folderSetting(file: SourceFile, key: "skills" | "policies"): Span | undefined {
  const root = parseYaml(file, { start: 0, end: file.text.length }, ignored);
  return valueOf(root, key)?.span;
}

/** A report that ignores everything. */
export const ignored: Report = { add() {}, within: () => ignored, errorCount: () => 0 };

/** A report that never quotes hidden parts: a key may be `TOKEN=value`. */
function hidingSecrets(report: Report, { hidden = [], path, text }: SourceFile): Report {
  const isHidden = ({ end, file, start }: Span) =>
    file === path &&
    hidden.some((each) => start < Math.max(each.end, each.start + 1) && end >= each.start);
  const secrets = hidden.map((each) => text.slice(each.start, each.end));
  const isSecret = (word: string) => secrets.some((each) => each.includes(word));
  const withoutSecrets = (words: string) =>
    words.replace(/`[^`]+`/g, (quoted) =>
      (quoted.match(/\w{3,}/g) ?? []).some(isSecret) ? "`…`" : quoted,
    );
  return {
    ...report,
    add(diagnostic) {
      if (!isHidden(diagnostic.span)) return report.add(diagnostic);
      const { help, message, related } = diagnostic;
      report.add({
        ...diagnostic,
        message: withoutSecrets(message),
        ...(help !== undefined && { help: withoutSecrets(help) }),
        ...(related && {
          related: related.map((each) => ({ ...each, message: withoutSecrets(each.message) })),
        }),
      });
    },
  };
}

function isEmpty(node: SyntaxNode): boolean {
  return node.kind === "scalar" && node.value === null;
}

/**
 * Returns a mapping; undefined if it is absent or, with a report, something else. A key without a
 * value counts as an empty mapping.
 */
function mapOr(node: SyntaxNode | undefined, name: string, report: Report): MapNode | undefined {
  if (node === undefined || node.kind === "map") return node;
  if (isEmpty(node)) return undefined;
  const message = `\`${name}\` must be a mapping`;
  report.add({ code: "config/wrong-type", span: node.span, message });
  return undefined;
}

/**
 * Removes values from the settings that an alias takes from `secrets:`, because messages name
 * folders and files. An unknown key may be a misspelt `secrets`, so values below it count too.
 */
function withoutSecrets(settings: MapNode, report: Report): MapNode {
  const isOpen = ({ key }: MapEntry) => key.value !== "secrets" && keys.includes(key.value);
  const secrets = new Set(
    settings.entries.flatMap((each) => (isOpen(each) ? [] : nodesIn(each.value))),
  );
  const entries = settings.entries.filter((entry) => {
    const isSafe = !isOpen(entry) || !nodesIn(entry.value).some((each) => secrets.has(each));
    if (!isSafe) {
      const message = `\`${entry.key.value}\` takes its value from \`secrets\` by an alias`;
      const help = "write the value itself: settings are shown in messages";
      report.add({ code: "config/secret-as-setting", span: entry.key.span, message, help });
    }
    return isSafe;
  });
  return { ...settings, entries };
}

/** A node and its descendants. An alias is the same node as its anchor. */
function nodesIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.kind === "map") return [node, ...node.entries.flatMap(({ value }) => nodesIn(value))];
  return node.kind === "list" ? [node, ...node.items.flatMap(nodesIn)] : [node];
}

function reportUnknownKeys(settings: MapNode, report: Report): void {
  for (const { key } of settings.entries) {
    if (keys.includes(key.value)) continue;
    const message = `\`${key.value}\` is not a setting of skillc.yaml`;
    const help =
      didYouMean(key.value, keys) ??
      `the settings are ${keys.map((each) => `\`${each}\``).join(", ")}`;
    report.add({ code: "config/unknown-key", span: key.span, message, help });
  }
}

/**
 * Reads the two folders. If one were inside the other, the compiler would read its own output, or
 * remove the skills as orphans.
 */
function folders(settings: MapNode, report: Report): Pick<ProjectConfig, "skills" | "out"> {
  const { skills: usualSkills, out: usualOut } = defaultConfig;
  const skills = folderOf(valueOf(settings, "skills"), usualSkills, report) ?? usualSkills;
  const out =
    ownFolderOf(valueOf(settings, "out"), usualOut, "generated files", report) ?? usualOut;
  if (!overlap(skills, out)) return { skills, out };
  const span = (valueOf(settings, "out") ?? valueOf(settings, "skills") ?? settings).span;
  report.add({
    code: "config/overlapping-folders",
    span,
    message: `the output folder \`${out}\` and the skills folder \`${skills}\` overlap`,
    help: "name two folders, neither inside the other",
  });
  return { skills: defaultConfig.skills, out: defaultConfig.out };
}

/**
 * Reads the policies folder. It may not be in the output folder, because skillc removes files from
 * there.
 */
function policiesFolder(settings: MapNode, out: string, report: Report): string {
  const { policies: usual } = defaultConfig;
  const node = valueOf(settings, "policies");
  const policies = ownFolderOf(node, usual, "policies", report) ?? usual;
  if (!isInside(policies, out)) return policies;
  report.add({
    code: "config/overlapping-folders",
    span: (node ?? valueOf(settings, "out") ?? settings).span,
    message: `the folder of policies \`${policies}\` is in the output folder \`${out}\``,
    help: `name a folder outside of it, such as \`${isInside(usual, out) ? "rules" : usual}\``,
  });
  return usual;
}

function parseRollback(
  node: SyntaxNode | undefined,
  report: Report,
): ProjectConfig["rollback"] | undefined {
  if (node === undefined || isEmpty(node)) return undefined;
  const fits = checkShape(node, configSchema.properties.rollback, report, {
    subject: "`rollback`",
    unknownKey: "config/unknown-key",
    missingKey: "config/missing-key",
    wrongType: "config/wrong-type",
    wrongValue: "config/wrong-value",
  });
  return fits ? "required" : undefined;
}

function secretNames(secrets: MapNode | undefined, report: Report): readonly string[] {
  return (secrets?.entries ?? []).flatMap((entry) => nameOfSecret(entry, report) ?? []);
}

function nameOfSecret({ key, value }: MapEntry, report: Report): string | undefined {
  if (!secretName.test(key.value)) {
    const message = "the name of this secret cannot be used in `${…}`";
    const help = "use letters, digits and `_`, and do not begin with a digit";
    report.add({ code: "config/secret-name", span: key.span, message, help });
    return undefined;
  }
  if (value.kind === "scalar" && typeof value.value === "string") return key.value;
  const message = "a secret must be text";
  const diagnostic = { code: "config/wrong-type", message, help: "put it in quotes" } as const;
  report.add(
    isEmpty(value)
      ? { ...diagnostic, span: key.span }
      : { ...diagnostic, span: value.span, secret: true },
  );
  return undefined;
}

function bindings(map: MapNode | undefined, report: Report): readonly CustomBinding[] {
  return (map?.entries ?? []).flatMap(({ key, value }) => {
    const module = moduleOf(value, report);
    if (bindingType.test(key.value)) {
      return module === undefined ? [] : [{ type: key.value, module }];
    }
    const message = `\`${key.value}\` can't be a binding type`;
    const help = "use lower-case letters, digits and single hyphens, a letter first";
    report.add({ code: "config/binding-type", span: key.span, message, help });
    return [];
  });
}
