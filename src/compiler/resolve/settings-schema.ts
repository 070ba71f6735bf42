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
    risk_level: {
      description: "How grave a call is, for every tool that doesn't say.",
      enum: riskLevels,
    },
    requires_confirmation: {
      description:
        "Whether a person is to be asked before a call, for every tool that doesn't say. Asking is the agent's.",
      type: "boolean",
    },
    prerequisites: {
      description: "What must be there: a skill without them is not offered, and refuses calls.",
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
    accept: {
      description: "Findings that may stay: the code of each, and why.",
      type: "object",
    },
    owlclaw: {
      description: "Settings of a skill of that runtime: skillc reads those that it knows.",
      type: ["object", "null"],
    },
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
