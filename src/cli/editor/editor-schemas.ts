import type { KindRegistry } from "../../bindings/registry.js";
import { configSchema } from "../../compiler/config/config-schema.js";
import { toolsKeys } from "../../compiler/resolve/misplaced.js";
import { agentSkillsSchema } from "../../compiler/resolve/portable.js";
import { block } from "../../core/skill-syntax.js";
import type { JsonObject } from "../../core/json.js";
import { overridesSchema } from "../../core/overrides-schema.js";
import { metaschemas } from "../../schema/dialect.js";
import { inDraft07 } from "./in-draft-07.js";
import { schemaFiles } from "./schema-files.js";
import {
  defined,
  propertiesOf,
  settingsBlock,
  skillDefinitions,
  skillSettings,
} from "./skill-definitions.js";

/** Comment that identifies a file as skillc's own. */
export const schemaComment =
  "Written by `skillc init`, from the schemas by which the compiler checks.";

/**
 * Makes JSON Schemas (draft-07) for skillc.yaml, SKILL.md's front matter, the metadata file and
 * overrides of imports, by file name. They join the compiler's own schemas. They accept everything
 * that compiles, and reject the mistakes that a schema alone can detect.
 */
export function editorSchemas(kinds: KindRegistry): Readonly<Record<string, JsonObject>> {
  return {
    // The schema contains no JSON Schema of an author.
    [schemaFiles.config]: document("skillc.yaml", inDraft07(configSchema, "#", "#")),
    [schemaFiles.frontMatter]: document("Front matter of a SKILL.md.", {
      type: "object",
      properties: {
        ...formatKeys(),
        ...toolsProperties(),
        ...skillSettings(),
        [block]: settingsBlock(),
      },
      definitions: skillDefinitions(kinds),
    }),
    [schemaFiles.metadata]: document("The metadata.json or metadata.yaml of a skill.", {
      type: ["object", "null"],
      properties: {
        $schema: { description: "The schema by which editors check this file.", type: "string" },
        ...toolsProperties(),
        ...skillSettings(),
      },
      definitions: skillDefinitions(kinds),
    }),
    [schemaFiles.overrides]: document(
      "overrides.yaml, the choices for single operations of an import.",
      inDraft07(overridesSchema, "#", "#"),
    ),
  };
}

function document(title: string, schema: JsonObject): JsonObject {
  return { $schema: metaschemas["draft-07"], $comment: schemaComment, title, ...schema };
}

function toolsProperties(): JsonObject {
  return Object.fromEntries(toolsKeys.map((key) => [key, defined("tools")]));
}

/**
 * Keys of the Agent Skills format. Portability problems are warnings of the compiler, not errors in
 * an editor.
 */
function formatKeys(): JsonObject {
  const { metadata, ...others } = propertiesOf(agentSkillsSchema);
  const texts = Object.entries(others).map(([key, { description = "" }]) => [key, { description }]);
  return {
    ...Object.fromEntries(texts),
    metadata: { description: metadata?.["description"] ?? "", properties: toolsProperties() },
  };
}
