import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { httpBinding } from "../../../../src/bindings/http/index.js";
import type { ProjectFiles } from "../../../../src/core/diagnostic-entry.js";
import { httpTool } from "../../support/http-tool.js";

interface Example {
  readonly [key: string]: unknown;
}

/** The one tool of an example, its short form written out. */
function toolOf(files: ProjectFiles): string {
  const metadata = parse(files["skills/order-desk/metadata.yaml"] ?? "") as {
    tools_schema: Record<string, Example>;
  };
  const {
    description: _,
    returns,
    unused,
    binding,
    ...short
  } = metadata.tools_schema["handle-order"] ?? {};
  const parameters = Object.entries(short).map(([name, type]) => ({
    name: name.replace(/\?$/, ""),
    required: !name.endsWith("?"),
    schema: typeof type === "string" ? { type } : type,
  }));
  return JSON.stringify({
    parameters: {
      type: "object",
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    },
    returns,
    unused,
    binding,
  });
}

/** Examples are turned into JSON here, where an empty value is written; the whole compiler's test reads this one as YAML. */
const onlyInYaml = new Set(["http/unquoted-placeholder"]);
const entries = Object.entries(httpBinding.diagnostics).filter(([code]) => !onlyInYaml.has(code));

describe.each(entries)("diagnostic %s", (code, entry) => {
  it("its example causes the diagnostic", () => {
    const { diagnostics } = httpTool(toolOf(entry.example));
    expect(diagnostics.map((each) => each.code)).toContain(code);
  });

  it("its fixed example causes no diagnostic", () => {
    expect(httpTool(toolOf(entry.fixed)).lines).toEqual([]);
  });
});
