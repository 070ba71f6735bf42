import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DiagnosticCode } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { isOneSlipFrom } from "../../core/one-slip.js";
import { configFileName } from "./find-root.js";

/** Default folder of policies. */
const usualPolicies = "policies";

/**
 * Reports files with nearly the name of skillc.yaml, and policies outside of the policies folder.
 * If they were ignored silently, calls that they forbid would be allowed.
 *
 * @param root the project's folder
 * @param policies the policies folder, relative to the root
 */
export async function reportMisnamedFiles(
  root: string,
  policies: string,
  report: Report,
): Promise<void> {
  const add = (code: DiagnosticCode, file: string, message: string, help: string) =>
    report.add({ code, span: { file, start: 0, end: 0 }, message, help });
  // The reader of skills reports an unreadable folder.
  const entries = await entriesOf(root);
  const names = entries.map(({ name }) => name);
  for (const name of names.filter(isNearlyConfig)) {
    const message = `${quote(name)} is not the name of skillc's settings file, so skillc does not read it`;
    const help = names.includes(configFileName)
      ? `skillc reads ${quote(configFileName)} instead: keep one of the two`
      : `rename it to ${quote(configFileName)}`;
    add("read/misnamed-config", name, message, help);
  }
  // A project with the default folder, or another one, may keep unrelated Cedar policies elsewhere.
  if (policies !== usualPolicies || names.includes(policies)) return;
  for (const name of await strayPolicies(root, entries)) {
    const message = `${quote(name)} is or contains a policy, but it is not in the folder of policies, so skillc does not read it`;
    const help = `put policies directly into ${quote(policies)}; \`policies:\` in ${configFileName} names another folder`;
    add("read/policy-not-read", name, message, help);
  }
}

function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/**
 * Matches `skillc.yml`, `skilc.yaml`, `.skillc.yaml`, `skillc.yaml.txt`, `skillc.config.json`.
 * Doesn't match `skillc.example.yaml`, which is a template, or `skills.yaml`, which belongs to
 * another tool.
 */
function isNearlyConfig(name: string): boolean {
  if (name === configFileName) return false;
  const found = /^\.?([\w-]+?)(?:[._-]?config)?\.([a-z0-9]+)(?:\.txt)?$/i.exec(name);
  const [, stem = "", ending = ""] = found ?? [];
  return isNearlySkillc(stem.toLowerCase()) && isConfigEnding(ending.toLowerCase());
}

function isNearlySkillc(stem: string): boolean {
  if (["skill", "skills"].includes(stem)) return false;
  return ["skillc", "skillcrc"].includes(stem) || isOneSlipFrom(stem, "skillc");
}

function isConfigEnding(ending: string): boolean {
  return (
    ["yml", "json", "jsonc", "json5", "toml", "txt", "conf", "cfg", "ini"].includes(ending) ||
    ending === "yaml" ||
    isOneSlipFrom(ending, "yaml")
  );
}

/**
 * Finds policies beside the expected folder, and folders with a similar name that contain policies.
 */
async function strayPolicies(root: string, entries: readonly Dirent[]): Promise<readonly string[]> {
  const near = entries.filter((entry) => entry.isDirectory() && isNearlyPolicies(entry.name));
  const holding = await Promise.all(
    near.map(async ({ name }) =>
      (await entriesOf(join(root, name))).some(isPolicy) ? [name] : [],
    ),
  );
  return [...entries.filter(isPolicy).map(({ name }) => name), ...holding.flat()];
}

function isPolicy(entry: Dirent): boolean {
  return !entry.isDirectory() && /[^.].*\.cedar$/i.test(entry.name);
}

function isNearlyPolicies(name: string): boolean {
  const lower = name.toLowerCase();
  return ["policy", usualPolicies].some((each) => lower === each || isOneSlipFrom(lower, each));
}
