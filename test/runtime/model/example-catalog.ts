import type { CatalogSkill, CatalogTool } from "../../../src/runtime/model/catalog.js";

/** A tool of the skill `desk`, which needs the credential `SET`. */
export const tool = (name: string, changes: Partial<CatalogTool> = {}): CatalogTool => ({
  id: `desk/${name}`,
  name,
  model_name: `desk_${name}`,
  function: name,
  description: `Does ${name}.`,
  input_schema: { type: "object", title: name },
  output_schema: null,
  kind: "http",
  needs_handler: false,
  side_effect: "read",
  mode: "active",
  risk_level: "low",
  requires_confirmation: false,
  manifest_hash: "t1",
  capabilities: [{ capability: "net.http:get https://api.example.com", credentials: ["SET"] }],
  tags: ["internal"],
  deprecated: false,
  ...changes,
});

/** A skill without tools, prerequisites or description. */
export const skill = (name: string, changes: Partial<CatalogSkill> = {}): CatalogSkill => ({
  name,
  description: "",
  body: "# Never part of an offer",
  file: `skills/${name}/SKILL.md`,
  prerequisites: {},
  tools: [],
  ...changes,
});
