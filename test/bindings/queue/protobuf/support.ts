import { posix } from "node:path";
import protobuf from "protobufjs";
import { ts } from "ts-morph";
import { protobufDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/protobuf.js";
import type { MessageSchema } from "../../../../src/bindings/queue/message-schema.js";
import { readProtobuf } from "../../../../src/bindings/queue/protobuf/read-protobuf.js";
import * as runtime from "../../../../src/bindings/queue/send/protobuf/protobuf.js";
import type { Diagnostic } from "../../../../src/core/diagnostic.js";
import { createReport } from "../../../../src/core/report.js";
import { schemaDiagnosticEntries } from "../../../../src/schema/diagnostics.js";
import { skillDiagnosticEntries } from "../../../../src/compiler/resolve/diagnostics.js";

export interface Reading {
  readonly schema: MessageSchema | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** `code [file: text] message (help)` for each diagnostic. */
  readonly lines: readonly string[];
}

export interface Files {
  readonly [path: string]: string;
}

/**
 * Reads the message type `name` from files below the skills folder. The skill's own folder is
 * `shop`.
 */
export function readFiles(files: Files, name: string): Reading {
  const report = createReport({
    ...protobufDiagnosticEntries,
    ...schemaDiagnosticEntries,
    ...fileDiagnostics,
  });
  const node = {
    kind: "scalar",
    value: name,
    span: { file: "shop/SKILL.md", start: 0, end: 1 },
  } as const;
  const schema = readProtobuf(node, {
    report,
    readFile(path, from) {
      const located = posix.normalize(posix.join("shop", path));
      const text = files[located];
      if (text !== undefined) return { path: located, text };
      if (from !== undefined)
        report.add({ code: "file/not-found", span: from.span, message: `no \`${located}\`` });
      return undefined;
    },
  });
  const diagnostics = report.diagnostics();
  const lines = diagnostics.map(({ code, help, message, span }) => {
    const at = (files[span.file] ?? "").slice(span.start, span.end);
    const place = span.file === "shop/SKILL.md" ? "SKILL.md" : `${span.file.slice(5)}: ${at}`;
    return `${code} [${place}] ${message}${help === undefined ? "" : ` (${help})`}`;
  });
  return { schema, diagnostics, lines };
}

const { "file/not-found": notFound } = skillDiagnosticEntries;
const fileDiagnostics = { ...(notFound && { "file/not-found": notFound }) };

/** Reads the message of a single file. */
export function read(text: string, message = "acme.Order"): Reading {
  return readFiles({ "shop/order.proto": text }, `./order.proto#${message}`);
}

/** Makes a proto3 file with one message of these lines. */
export function order(...lines: readonly string[]): string {
  return ['syntax = "proto3";', "package acme;", ...imports, "message Order {", ...lines, "}"].join(
    "\n",
  );
}

const imports = ["timestamp", "duration", "struct", "wrappers", "field_mask", "empty", "any"].map(
  (name) => `import "google/protobuf/${name}.proto";`,
);

export function schemaOf(reading: Reading): MessageSchema {
  if (reading.schema === undefined) throw new Error(reading.lines.join("\n"));
  return reading.schema;
}

/** Returns the generated module's `encode`, with the runtime that it imports. */
export function encodeOf({ encoding }: MessageSchema): runtime.Encode {
  if (encoding.kind !== "protobuf") throw new Error("no Protobuf");
  const { outputText } = ts.transpileModule(encoding.code, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: false },
  });
  const body = outputText
    .replace(/^import \{(.*)\} from "@skillc\/runtime\/v1\/protobuf";$/m, "const {$1} = runtime;")
    .replace("export const encode", "const encode");
  // The test runs generated code.
  const make = new Function("runtime", `"use strict";${body};return encode;`) as (
    names: typeof runtime,
  ) => runtime.Encode;
  return make(runtime);
}

/** Returns the message type as the library itself reads it. */
export function reflected(text: string, message = "acme.Order"): protobuf.Type {
  const root = new protobuf.Root();
  const { imports = [] } = protobuf.parse(text, root, { keepCase: true });
  for (const name of imports) {
    const own = protobuf.common.get(name);
    if (own?.nested !== undefined) root.addJSON(own.nested);
  }
  root.resolveAll();
  return root.lookupType(`.${message}`);
}
