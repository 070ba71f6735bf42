import { runtimeEntry } from "../../../core/runtime-entry.js";
import { successData } from "../../../kit/answers.js";
import { type BindingKind, defineBinding } from "../../../kit/binding.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { fileCapabilityForms } from "../../../kit/file-capabilities.js";
import { loadTemplate } from "../../../kit/load-template.js";
import { fileCapabilities } from "./capabilities.js";
import { checkFile } from "./check.js";
import { fileDiagnosticEntries } from "./diagnostics.js";
import { emitFile } from "./emit.js";
import { dataSchemaOf, failedStatuses, type FileConfig } from "./model.js";
import { resolveFile } from "./resolve.js";
import { fileOtherWords, fileSchema } from "./schema.js";

/** The binding kind `type: file`: one operation on a file or folder. */
export const fileBinding: BindingKind<FileConfig> = defineBinding<FileConfig>({
  type: "file",
  title: "file",
  schema: fileSchema,
  otherWords: fileOtherWords,
  roots: [callerRoot],
  modes: ["active", "shadow"],
  needsHandler: false,
  fileChanges: { namesFiles: true },
  diagnostics: fileDiagnosticEntries,
  runtime: {
    module: runtimeEntry("file"),
    values: ["below", "credential", "file", "given", "path", "pick", "segment", "text"],
    types: [
      "ChangedFile",
      "FileBase64",
      "FileEntry",
      "FileFault",
      "FileList",
      "FileRecord",
      "FileText",
      "TemporaryFolder",
    ],
  },
  packages: ({ operation }) => (operation === "patch" ? [["diff"]] : []),
  template: loadTemplate("file"),
  resolve: resolveFile,
  check: checkFile,
  answers: (tool, config) => [
    { status: "success", data: successData(tool, dataSchemaOf(config)) },
    ...failedStatuses(config).map((status) => ({ status })),
  ],
  capabilities: fileCapabilities,
  capabilityForms: fileCapabilityForms,
  dataSchema: dataSchemaOf,
  schemas: () => ({}),
  emit: emitFile,
});
