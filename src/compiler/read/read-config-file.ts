import { join } from "node:path";
import type { JsonObject } from "../../core/json.js";
import type { Report } from "../../core/report.js";
import type { Extent, SourceFile } from "../../core/source-file.js";
import { configSchema } from "../config/config-schema.js";
import { configFileName } from "./find-root.js";
import { readTextFile } from "./read-file.js";

/** Reads skillc.yaml, if it exists. */
export function readConfigFile(root: string, report: Report): SourceFile | undefined {
  const read = readTextFile(join(root, configFileName), configFileName);
  if (read.kind === "unread") report.add(read.diagnostic);
  return read.kind === "file" ? { ...read.file, hidden: secretParts(read.file.text) } : undefined;
}

/** Settings whose values nobody is shown: the URL of a store may hold a password. */
const hiddenKeys: ReadonlySet<string> = new Set(["secrets", "store", "ledger"]);
const openSettings = Object.entries(configSchema.properties).filter(
  ([key]) => !hiddenKeys.has(key),
);
/** Starts a part of skillc.yaml that holds no secret. */
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

/** A key that may be seen, misspelt ones of settings above all: one plain word. */
const plainKey = /^(["']?)[a-z_]{1,20}\1[ \t]*:(?=\s|$)/i;
/** Below another setting, or on its line: a flow mapping, a line break that was lost. */
const misplacedSecrets = /[^\w-](["']?)secrets\1[ \t]*:/;
/** Lines of git and of YAML's documents belong to no key. */
const neutral = /^(?:<{7}|={7}|>{7}|\|{7}|---|%)/;

/**
 * The parts of skillc.yaml that must not be shown: everything except known settings without
 * secrets. They are found by lines, because even invalid YAML may contain secrets. A line of
 * uncertain owner is hidden.
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
