import { runtimeEntry } from "../../core/runtime-entry.js";
import { type BindingKind, defineBinding } from "../binding.js";
import { callerRoot } from "../caller-root.js";
import { loadTemplate } from "../load-template.js";
import { httpDiagnosticEntries } from "./diagnostics.js";
import { httpCapabilities, httpCapabilityForm } from "./capabilities.js";
import { checkHttp } from "./check.js";
import { emitHttp } from "./emit.js";
import { httpSchemas } from "./emit/bodies.js";
import type { HttpConfig } from "./model.js";
import { resolveHttp } from "./resolve.js";
import { httpOtherWords, httpSchema } from "./schema.js";

/** `type: http`: one request to an HTTP API, built from the parameters. */
export const httpBinding: BindingKind<HttpConfig> = defineBinding<HttpConfig>({
  type: "http",
  title: "HTTP API",
  schema: httpSchema,
  otherWords: httpOtherWords,
  roots: [callerRoot],
  modes: ["active", "shadow"],
  declaresEffect: true,
  needsHandler: false,
  diagnostics: httpDiagnosticEntries,
  runtime: {
    module: runtimeEntry("http"),
    values: [
      "bodyOf",
      "credential",
      "form",
      "http",
      "omit",
      "pick",
      "raw",
      "segment",
      "segmentOf",
      "styled",
      "text",
    ],
    types: ["HttpFault", "HttpRecord"],
  },
  furtherRuntime: [{ module: runtimeEntry("json-path"), values: ["selector"], types: [] }],
  template: loadTemplate("http"),
  readsMismatches: true,
  orderedKeys: ["query", "cookies"],
  resolve: resolveHttp,
  check: checkHttp,
  capabilities: httpCapabilities,
  capabilityForms: [httpCapabilityForm],
  answerCap: ({ maxResponseBytes, maxResponseSpan }) => ({
    bytes: maxResponseBytes,
    ...(maxResponseSpan && { span: maxResponseSpan }),
  }),
  shared: {
    addresses: ({ url: { origin } }) =>
      origin.kind === "credential" ? [{ ...origin, of: "an HTTP API" }] : [],
  },
  schemas: httpSchemas,
  emit: emitHttp,
});
