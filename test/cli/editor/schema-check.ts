import { posix } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import type { KindRegistry } from "../../../src/bindings/registry.js";
import { editorSchemas } from "../../../src/cli/editor/editor-schemas.js";
import { schemaFiles } from "../../../src/cli/editor/schema-files.js";
import { ignored } from "../../../src/compiler/config/parse-config.js";
import { metadataNames } from "../../../src/compiler/skill-folders.js";
import { splitFrontMatter } from "../../../src/compiler/parse/front-matter.js";
import { parseTree } from "../../../src/compiler/parse/parse-json.js";
import { parseYaml } from "../../../src/compiler/parse/parse-yaml.js";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { toJson } from "../../../src/core/syntax-node.js";

/**
 * Checks a project's files with the editor schemas, and returns `path pointer message` for each
 * fault.
 */
export function editorCheck(kinds: KindRegistry): (files: ProjectFiles) => readonly string[] {
  // Strict mode reports a misspelt keyword, or one that draft-07 lacks.
  const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false });
  const validators = Object.fromEntries(
    Object.entries(editorSchemas(kinds)).map(([name, schema]) => [name, ajv.compile(schema)]),
  );
  return (files) =>
    Object.entries(files).flatMap(([path, text]) => faultsIn({ path, text }, validators));
}

interface File {
  readonly path: string;
  readonly text: string;
}

function faultsIn(
  file: File,
  validators: Readonly<Record<string, ValidateFunction>>,
): readonly string[] {
  const schema = schemaFor(file.path);
  if (schema === undefined) return [];
  const parts = splitFrontMatter(file.text);
  const isSkill = schema === schemaFiles.frontMatter;
  if (isSkill && parts.kind === "absent") return [];
  const tree =
    isSkill && parts.kind === "present"
      ? parseYaml(file, parts, ignored)
      : parseTree(file, ignored);
  if (tree === undefined) return [`${file.path} can't be parsed`];
  const validate = validators[schema];
  if (validate === undefined) throw new Error(`no schema ${schema}`);
  if (validate(toJson(tree))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${file.path} ${instancePath} ${message}`,
  );
}

/** Returns the schema that an editor applies to a file; undefined if there is none. */
function schemaFor(path: string): string | undefined {
  const name = posix.basename(path);
  if (name === "SKILL.md" || name === "skill.md") return schemaFiles.frontMatter;
  if (metadataNames.includes(name)) return schemaFiles.metadata;
  if (name === "overrides.yaml") return schemaFiles.overrides;
  return path === "skillc.yaml" ? schemaFiles.config : undefined;
}
