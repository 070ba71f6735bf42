import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a project with a number of skills, each with a number of HTTP tools of ordinary size. */
export function writeProject(folder: string, skills: number, toolsEach: number): void {
  const settings = { "skillc.yaml": "skills: skills\nout: generated\n" };
  writeSkills(folder, skills, toolsEach, settings, httpTool);
}

/**
 * Writes such a project with tools of any kind.
 *
 * @param files further files of the project, by path
 */
export function writeSkills(
  folder: string,
  skills: number,
  toolsEach: number,
  files: Readonly<Record<string, string>>,
  makeTool: (skill: number, tool: number) => object,
): void {
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    types: ["node"],
  };
  write(folder, "tsconfig.json", JSON.stringify({ compilerOptions, include: ["generated"] }));
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  for (let skill = 0; skill < skills; skill += 1) {
    const name = `skill-${skill}`;
    write(
      folder,
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: Skill ${skill} of many.\n---\n\n# Skill ${skill}\n`,
    );
    const tools = Array.from({ length: toolsEach }, (_, tool) => [
      `tool-${tool}`,
      makeTool(skill, tool),
    ]);
    const metadata = { tools_schema: Object.fromEntries(tools) };
    write(folder, `skills/${name}/metadata.json`, JSON.stringify(metadata, undefined, 2));
  }
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** An HTTP tool of ordinary size. */
export function httpTool(skill: number, tool: number): object {
  return {
    description: `Does thing ${tool} of skill ${skill}.`,
    parameters: {
      type: "object",
      additionalProperties: false,
      required: ["customer_id", "lines"],
      properties: {
        customer_id: { type: "string", format: "uuid" },
        note: { type: "string", maxLength: 200 },
        dry_run: { type: "boolean", default: false },
        priority: { enum: ["low", "normal", "high"] },
        lines: { type: "array", items: { $ref: "#/$defs/line" } },
      },
      $defs: {
        line: {
          type: "object",
          additionalProperties: false,
          required: ["sku", "quantity"],
          properties: { sku: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
        },
      },
    },
    returns: {
      type: "object",
      required: ["id", "status"],
      properties: {
        id: { type: "string" },
        status: { enum: ["open", "closed"] },
        total: { type: "number" },
      },
    },
    binding: {
      type: "http",
      method: tool % 2 === 0 ? "PUT" : "POST",
      url: `\${API_${skill}}/customers/{customer_id}/things/${tool}`,
      query: { dry_run: "{dry_run}" },
      headers: { Authorization: `Bearer \${TOKEN_${skill}}` },
      body_template: { lines: "{lines}", note: "{note}", priority: "{priority}" },
      response_mapping: {
        path: "$.data",
        error_path: "$.error.message",
        status_codes: { "201": "success", "404": "not_found", "409": "conflict" },
      },
    },
  };
}
