import type { McpSkill, McpSkillFile } from "@skillc/runtime/mcp";
import { stringify } from "yaml";
import { canonicalJson } from "../../core/canonical-json.js";
import { sha256 } from "../../core/hash.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import { modelName } from "../../core/names.js";
import type { LinkedFile } from "../../core/project.js";

/**
 * Makes the skill that clients see, of the author's skill: the keys of the Agent Skills
 * specification, the body, and the files that the body links to. Its `metadata` has only keys of
 * skillc: the author's may hold bindings.
 *
 * https://agentskills.io/specification
 */
export function derivedSkill({
  files,
  lowered,
}: {
  readonly lowered: LoweredSkill;
  readonly files: readonly LinkedFile[];
}): McpSkill {
  const { name, description } = lowered.skill;
  const tools = lowered.tools.map(({ tool }) => modelName(name, tool.name));
  const manifests = lowered.tools.map(({ tool, version }) => [tool.name, version.manifest]);
  const manifest = sha256(canonicalJson(manifests));
  const text = skillText(lowered, tools, manifest);
  return {
    name,
    description,
    manifest,
    tools,
    files: [{ path: "SKILL.md", text, media_type: "text/markdown" }, ...files.map(asFile)],
  };
}

function skillText(
  { skill: { body, description, name, portable = {} } }: LoweredSkill,
  tools: readonly string[],
  manifest: string,
): string {
  const { allowedTools, compatibility, license } = portable;
  // Clients read a part of YAML: no lines of text that begin with spaces before the first word.
  const frontMatter = {
    name,
    description: description.trim(),
    ...(license !== undefined && { license: license.trim() }),
    ...(compatibility !== undefined && { compatibility: compatibility.trim() }),
    // The specification allows only text in `metadata`.
    metadata: {
      ...(tools.length > 0 && { "skillc.tools": tools.join(" ") }),
      "skillc.manifest": manifest,
    },
    ...(allowedTools !== undefined && { "allowed-tools": allowedTools }),
  };
  return `---\n${stringify(frontMatter, { lineWidth: 0 })}---\n${body}`;
}

function asFile({ bytes, path }: LinkedFile): McpSkillFile {
  const text = textOf(bytes);
  const media_type = mediaTypeOf(path, text !== undefined);
  return text === undefined
    ? { path, base64: Buffer.from(bytes).toString("base64"), media_type }
    : { path, text, media_type };
}

/** Decodes UTF-8; undefined for other bytes. Keeps a byte order mark, so that no byte is lost. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  py: "text/x-python",
  sh: "application/x-sh",
  svg: "image/svg+xml",
  webp: "image/webp",
  yaml: "application/yaml",
  yml: "application/yaml",
};

function mediaTypeOf(path: string, isText: boolean): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(mediaTypes, ending) ? mediaTypes[ending] : undefined;
  return known ?? (isText ? "text/plain" : "application/octet-stream");
}
