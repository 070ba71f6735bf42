import { usualFileBytes } from "@skillc/runtime/internal";
import { settingsSchemas } from "../../bindings/kind-settings.js";
import type { JsonObject } from "../../core/json.js";
import type { ProjectConfig } from "../../core/project.js";
import { governanceKeySchemas } from "./governance-schema.js";
import { mcpKeySchema } from "./mcp-schema.js";
import { runSchemas } from "./runs-schema.js";

/** Default of each setting that is absent or invalid in skillc.yaml. */
export const defaultConfig: ProjectConfig = {
  skills: "skills",
  out: "generated",
  policies: "policies",
  secretNames: [],
  bindings: [],
  settings: {},
};

/** Names of secrets that `${…}` can refer to. */
export const secretName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Valid values of `type:` in a skill. */
export const bindingType = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

const folder = { type: "string", minLength: 1 } as const;
const mapping = { type: ["object", "null"] } as const;

/** JSON Schema (2020-12) of skillc.yaml. Each binding kind has a schema for its own key. */
export const configSchema = {
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    skills: {
      ...folder,
      description: "The folder of the skills, relative to this file.",
      default: defaultConfig.skills,
    },
    out: {
      ...folder,
      description: "The folder that generated modules are written to, relative to this file.",
      default: defaultConfig.out,
    },
    ...settingsSchemas,
    ...governanceKeySchemas,
    ...runSchemas,
    mcp: mcpKeySchema,
    files: {
      ...mapping,
      description: "Files that calls of tools may read and send.",
      additionalProperties: false,
      properties: {
        folders: {
          type: "array",
          items: folder,
          description:
            "Folders, relative to this file. A file's `path` must be below one of them. Without a folder, no `path` is allowed.",
        },
        max_bytes: {
          type: "integer",
          minimum: 1,
          maximum: 1_073_741_824,
          description: "Maximum total size of the files of one call, in bytes.",
          default: usualFileBytes,
        },
      },
    },
    rollback: {
      enum: ["required"],
      description:
        "`required` makes it an error if a write of high or critical risk does not say how it is undone.",
    },
    policies: {
      ...folder,
      description: "The folder of the policies (*.cedar) and their tests (*.test.yaml).",
      default: defaultConfig.policies,
    },
    secrets: {
      ...mapping,
      description:
        "Values for `${NAME}` on a developer's machine, used last. skillc warns if git does not ignore this file.",
      propertyNames: { pattern: secretName.source },
      additionalProperties: { type: "string", description: "The value of this `${NAME}`." },
    },
    bindings: {
      ...mapping,
      description: "The project's own binding kinds: the type that skills name, and its module.",
      propertyNames: { pattern: bindingType.source },
      additionalProperties: {
        type: "string",
        description: "A path below this file that starts with `./`, or a package's name.",
      },
    },
  },
} as const satisfies JsonObject;

/** Names of all settings. */
export const configKeys: readonly string[] = Object.keys(configSchema.properties);
