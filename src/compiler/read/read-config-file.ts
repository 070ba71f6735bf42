import { join } from "node:path";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { JsonObject } from "../../core/json.js";
import type { Report } from "../../core/report.js";
import type { Extent, SourceFile } from "../../core/source-file.js";
import { configSchema } from "../config/config-schema.js";
import { configFileName } from "./find-root.js";
import { readTextFile } from "./read-file.js";

/** Reads skillc.yaml, if it exists. */
export function readConfigFile(root: string, report: Report): SourceFile | undefined {
  const read = readTextFile(join(root, configFileName), configFileName);
  if (read.kind === "unread") report.add(withoutSecrets(read.diagnostic));
  return read.kind === "file" ? hidingSecrets(read.file) : undefined;
}

function withoutSecrets(diagnostic: UnratedDiagnostic): UnratedDiagnostic {
  const { source } = diagnostic;
  return source === undefined ? diagnostic : { ...diagnostic, source: hidingSecrets(source) };
}

function hidingSecrets(file: SourceFile): SourceFile {
  return { ...file, hidden: secretParts(file.text) };
}

/** Settings whose values nobody is shown: a key, and the URL of a store may hold a password. */
const hiddenKeys: ReadonlySet<string> = new Set(["secrets", "store", "ledger", "runs", "key"]);
const openSettings = Object.entries(configSchema.properties).filter(
  ([key]) => !hiddenKeys.has(key),
);
/** Matches the start of a part of skillc.yaml without secrets. */
const openPart = startOf(openSettings.filter(([, schema]) => holdsParts(schema)));
/** Matches an open setting that must fit on one line. */
const openLine = startOf(openSettings.filter(([, schema]) => !holdsParts(schema)));

function startOf(settings: readonly (readonly [key: string, schema: JsonObject])[]): RegExp {
  return new RegExp(`^(["']?)(?:${settings.map(([key]) => key).join("|")})\\1[ \\t]*:`);
}

/** Checks if a setting is a mapping or a list, which continues on the lines below. */
function holdsParts({ type }: JsonObject): boolean {
  return [type].flat().some((each) => each === "object" || each === "array");
}

/** Matches a visible key, such as a misspelt setting: one plain word. */
const plainKey = /^(["']?)[a-z_]{1,20}\1[ \t]*:(?=\s|$)/i;
/**
 * Matches `secrets` below another setting, or on its line: in a flow mapping, or after a lost line
 * break.
 */
const misplacedSecrets = /[^\w-](["']?)secrets\1[ \t]*:/;
/** Matches lines of Git and of YAML documents, which belong to no key. */
const neutral = /^(?:<{7}|={7}|>{7}|\|{7}|---|%)/;

/**
 * Finds the parts of skillc.yaml that must stay hidden: everything except known settings without
 * secrets. Works line by line, because even invalid YAML may contain secrets. Hides a line of
 * uncertain owner.
 */
export function secretParts(text: string): readonly Extent[] {
  const parts: Extent[] = [];
  let isOpen = false;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const bare = index === 0 ? line.replace(/^\ufeff/, "") : line;
    if (neutral.test(bare)) continue;
    const isMisplaced = misplacedSecrets.test(bare);
    if (isMisplaced) isOpen = false;
    else if (openPart.test(bare)) isOpen = true;
    else if (!/^[ \t]/.test(bare)) isOpen = false;
    if (isOpen || (openLine.test(bare) && !isMisplaced)) continue;
    const [key = ""] = plainKey.exec(bare) ?? [];
    parts.push({ start: index + line.length - bare.length + key.length, end: index + line.length });
  }
  return parts;
}
