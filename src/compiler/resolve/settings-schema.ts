import type { JsonObject } from "../../core/json.js";
import type { MapEntry } from "../../core/syntax-node.js";
import { acceptKey, isAcceptEntry } from "./acceptances.js";
import { riskLevels } from "./read-values.js";

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

/** What authors may call a system, in lower case. */
export const otherPlatformNames: ReadonlyMap<string, string> = new Map([
  ...["mac", "macos", "osx", "mac os"].map((name) => [name, "darwin"] as const),
  ...["win", "windows", "win64"].map((name) => [name, "win32"] as const),
]);

/** Settings and, of the `owlclaw:` block, that it is one. */
export const settingsSchema: JsonObject = {
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
    accept: { type: "object" },
    owlclaw: { type: ["object", "null"] },
  },
};

/** The key of the block in which skills of another runtime have their settings. */
export const block = "owlclaw";
export const settingKeys: readonly string[] = Object.keys(
  settingsSchema["properties"] ?? {},
).filter((key) => key !== block);

/** Whether an entry is one of skillc's settings; `accept` is one by its form only. */
export function isSetting(entry: MapEntry): boolean {
  const name = entry.key.value;
  return settingKeys.includes(name) && (name !== acceptKey || isAcceptEntry(entry));
}
