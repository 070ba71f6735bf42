import { runtimeEntry } from "../../core/runtime-entry.js";
import { type BindingKind, defineBinding } from "../../kit/binding.js";
import { callerRoot } from "../../kit/caller-root.js";
import { loadTemplate } from "../../kit/load-template.js";
import { httpAnswers } from "./answers.js";
import { httpDiagnosticEntries } from "./diagnostics.js";
import { httpCapabilities, httpCapabilityForm } from "./capabilities.js";
import { checkHttp } from "./check.js";
import { emitHttp } from "./emit.js";
import { httpSchemas } from "./emit/bodies.js";
import type { HttpConfig } from "./model.js";
import { httpPages } from "./pages.js";
import { resolveHttp } from "./resolve.js";
import { httpOtherWords, httpSchema } from "./schema.js";
import { httpSecrets } from "./secrets.js";
import { streamOf } from "./stream-of.js";
import { httpWriteHints } from "./write-hints.js";

/** Optional packages that the authenticators of a tool need. */
function httpPackages({ auth = [] }: HttpConfig): readonly (readonly string[])[] {
  return auth.flatMap(({ kind, words }) => {
    if (kind === "aws_sigv4") return [["aws4fetch"]];
    if (kind !== "oauth2") return [];
    return [["oauth4webapi"], ...(words["grant"] === "jwt_bearer" ? [["jose"]] : [])];
  });
}

/** The binding kind `type: http`: one request to an HTTP API, built from the parameters. */
export const httpBinding: BindingKind<HttpConfig> = defineBinding<HttpConfig>({
  type: "http",
  title: "HTTP API",
  schema: httpSchema,
  otherWords: httpOtherWords,
  roots: [callerRoot],
  modes: ["active", "shadow"],
  declaresEffect: true,
  needsHandler: false,
  takesFiles: true,
  diagnostics: httpDiagnosticEntries,
  runtime: {
    module: runtimeEntry("http"),
    values: [
      "basic",
      "bodyOf",
      "clientCertificate",
      "credential",
      "fieldParts",
      "filePart",
      "form",
      "http",
      "jsonPart",
      "multipart",
      "omit",
      "pick",
      "raw",
      "rawFile",
      "segment",
      "segmentOf",
      "styled",
      "text",
      "textPart",
    ],
    types: ["HttpFault", "HttpRecord", "SavedFile", "WithHeaders"],
  },
  furtherRuntime: [
    { module: runtimeEntry("json-path"), values: ["selector"], types: [] },
    { module: runtimeEntry("oauth2"), values: ["oauth2"], types: [] },
    { module: runtimeEntry("aws"), values: ["awsSigV4"], types: [] },
    { module: runtimeEntry("streams"), values: ["ndjson", "sse"], types: [] },
  ],
  packages: httpPackages,
  skillKeys: ["auth"],
  secrets: httpSecrets,
  int64Text: true,
  template: loadTemplate("http"),
  readsMismatches: true,
  orderedKeys: ["query", "cookies"],
  resolve: resolveHttp,
  check: checkHttp,
  capabilities: httpCapabilities,
  capabilityForms: [httpCapabilityForm],
  answerCap: ({ form, maxResponseBytes, maxResponseSpan }) =>
    streamOf(form) !== undefined && maxResponseSpan === undefined
      ? undefined
      : { bytes: maxResponseBytes, ...(maxResponseSpan && { span: maxResponseSpan }) },
  answers: httpAnswers,
  streams: ({ form }) => streamOf(form),
  dataSchema: ({ form }) => (form?.as === "text" ? { type: "string" } : undefined),
  shared: {
    addresses: ({ url: { origin } }) =>
      origin.kind === "credential" ? [{ ...origin, of: "an HTTP API" }] : [],
  },
  pages: httpPages,
  writeHints: httpWriteHints,
  hasOwnKey: ({ idempotency }) => idempotency?.key !== undefined,
  schemas: httpSchemas,
  emit: emitHttp,
});
