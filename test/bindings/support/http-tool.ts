import type { ResolvedBinding } from "../../../src/kit/binding.js";
import { declaredEffect } from "../../../src/kit/common-keys.js";
import { httpBinding } from "../../../src/bindings/http/index.js";
import type { HttpConfig } from "../../../src/bindings/http/model.js";
import { checkRoots } from "../../../src/kit/roots.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import { createReport, type Report } from "../../../src/core/report.js";
import type { SchemaModel, ToolModel } from "../../../src/core/skill-model.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../src/core/syntax-node.js";
import { withFiles } from "../../../src/schema/file-schema.js";
import { schemaDiagnosticEntries } from "../../../src/schema/diagnostics.js";
import { readSchema } from "../../../src/schema/read-schema.js";
import { yamlMap } from "./yaml-node.js";

export interface HttpTool {
  readonly diagnostics: readonly Diagnostic[];
  /** `line:column code message (help)` for each diagnostic, 1-based. */
  readonly lines: readonly string[];
  readonly resolved: ResolvedBinding<HttpConfig> | undefined;
  readonly tool: ToolModel | undefined;
}

/** Resolves and checks one tool, given as YAML with `parameters`, `binding`, and maybe `returns` and `unused`. */
export function httpTool(yaml: string): HttpTool {
  const report = createReport({ ...schemaDiagnosticEntries, ...httpBinding.diagnostics });
  const node = yamlMap(yaml);
  const binding = valueOf(node, "binding");
  const parameters = withFiles(
    read(valueOf(node, "parameters"), report) ?? nothingTaken(node),
    report,
  );
  if (binding?.kind !== "map") throw new Error("no binding");
  const resolved = httpBinding.resolve({
    node: binding,
    parameters,
    readSchema: (schema) => read(schema, report),
    readFile: () => undefined,
    readTree: () => undefined,
    ownFiles: { readFile: () => undefined, readTree: () => undefined },
    report,
  });
  const returns = read(valueOf(node, "returns"), report);
  checkRoots(httpBinding, resolved?.roots ?? [], parameters, report);
  const tool =
    resolved && toolOf(node, binding, { parameters, ...(returns && { returns }) }, resolved);
  if (tool) httpBinding.check(tool, resolved.config, report);
  const diagnostics = report.diagnostics();
  return { diagnostics, lines: diagnostics.map((each) => printed(each, yaml)), resolved, tool };
}

function read(node: SyntaxNode | undefined, report: Report): SchemaModel | undefined {
  return node && readSchema(node, { readFile: () => undefined, report });
}

function nothingTaken(node: SyntaxNode): SchemaModel {
  return { kind: "schema", schema: { type: "object" }, span: node.span, places: {} };
}

function toolOf(
  node: SyntaxNode,
  binding: MapNode,
  schemas: Pick<ToolModel, "parameters" | "returns">,
  resolved: ResolvedBinding<HttpConfig>,
): ToolModel {
  const unused = valueOf(node, "unused");
  return {
    kind: "tool",
    name: "handle-order",
    span: node.span,
    manifest: "",
    description: "Handles one order.",
    ...schemas,
    riskLevel: "low",
    requiresConfirmation: false,
    unused:
      unused?.kind === "list"
        ? unused.items.map((item) => ({ name: textOf(item) ?? "", span: item.span }))
        : [],
    tags: [],
    deprecated: false,
    binding: {
      type: "http",
      span: node.span,
      mode: "active",
      timeoutMs: 5000,
      retry: { maxAttempts: 1, backoffMs: 1000, backoffMultiplier: 2 },
      naturallyIdempotent: false,
      ...resolved,
      effect: declaredEffect(binding, httpBinding) ?? resolved.effect,
    },
  };
}

function printed({ code, message, help, span }: Diagnostic, text: string): string {
  const before = text.slice(0, span.start).split("\n");
  const place = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const shown = text.slice(span.start, span.end);
  return `${place} ${code} [${shown}] ${message}${help === undefined ? "" : ` (${help})`}`;
}
