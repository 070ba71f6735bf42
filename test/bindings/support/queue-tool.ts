import type { ResolvedBinding } from "../../../src/kit/binding.js";
import { queueBinding } from "../../../src/bindings/queue/index.js";
import type { QueueConfig } from "../../../src/bindings/queue/model.js";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import { createReport, type Report } from "../../../src/core/report.js";
import type { SchemaModel, ToolModel } from "../../../src/core/skill-model.js";
import { type SyntaxNode, textOf, valueOf } from "../../../src/core/syntax-node.js";
import { schemaDiagnosticEntries } from "../../../src/schema/diagnostics.js";
import { readSchema } from "../../../src/schema/read-schema.js";
import { jsonNode } from "../../support/parse.js";
import { yamlMap } from "./yaml-node.js";

export interface QueueTool {
  readonly diagnostics: readonly Diagnostic[];
  /** `line:column code [text] message (help)` for each diagnostic, 1-based. */
  readonly lines: readonly string[];
  /** Related places of each diagnostic, as text. */
  readonly related: readonly (readonly string[])[];
  readonly resolved: ResolvedBinding<QueueConfig> | undefined;
}

/**
 * Resolves and checks one tool, given as YAML with `parameters`, `binding`, and maybe `returns` and `unused`.
 *
 * @param files beside it, by name, without `./`
 */
export function queueTool(yaml: string, files: ProjectFiles = {}): QueueTool {
  const report = createReport({ ...schemaDiagnosticEntries, ...queueBinding.diagnostics });
  const node = yamlMap(yaml);
  const binding = valueOf(node, "binding");
  const readFile = (path: string) => {
    const [name, text] = [path.replace(/^\.\//, ""), files[path.replace(/^\.\//, "")]];
    return text === undefined ? undefined : { path: name, text };
  };
  const readTree = (path: string): SyntaxNode | undefined => {
    const file = readFile(path);
    return file && jsonNode(file.text, file.path).node;
  };
  const read = (schema: SyntaxNode | undefined): SchemaModel | undefined =>
    schema && readSchema(schema, { readFile: readTree, report });
  const parameters = read(valueOf(node, "parameters")) ?? nothingTaken(node);
  if (binding?.kind !== "map") throw new Error("no binding");
  const resolved = queueBinding.resolve({
    node: binding,
    parameters,
    readSchema: read,
    readFile,
    readTree,
    ownFiles: { readFile, readTree },
    report,
  });
  const returns = read(valueOf(node, "returns"));
  if (resolved) check(node, { parameters, ...(returns && { returns }) }, resolved, report);
  const diagnostics = report.diagnostics();
  const textAt = ({ file, start, end }: Diagnostic["span"]) =>
    (files[file] ?? yaml).slice(start, end);
  return {
    diagnostics,
    lines: diagnostics.map((each) => printed(each, files[each.span.file] ?? yaml)),
    related: diagnostics.map((each) => (each.related ?? []).map(({ span }) => textAt(span))),
    resolved,
  };
}

function nothingTaken(node: SyntaxNode): SchemaModel {
  return { kind: "schema", schema: { type: "object" }, span: node.span, places: {} };
}

function check(
  node: SyntaxNode,
  schemas: Pick<ToolModel, "parameters" | "returns">,
  resolved: ResolvedBinding<QueueConfig>,
  report: Report,
): void {
  const unused = valueOf(node, "unused");
  const tool: ToolModel = {
    kind: "tool",
    name: "announce-order",
    span: node.span,
    manifest: "",
    description: "Announces one order.",
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
      type: "queue",
      span: node.span,
      mode: "active",
      timeoutMs: 5000,
      retry: { maxAttempts: 1, backoffMs: 1000, backoffMultiplier: 2 },
      naturallyIdempotent: false,
      ...resolved,
    },
  };
  queueBinding.check(tool, resolved.config, report);
}

function printed({ code, message, help, span }: Diagnostic, text: string): string {
  const before = text.slice(0, span.start).split("\n");
  const place = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const shown = text.slice(span.start, span.end);
  return `${place} ${code} [${shown}] ${message}${help === undefined ? "" : ` (${help})`}`;
}
