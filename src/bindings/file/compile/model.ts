import type { FileEncoding, FileOperation } from "@skillc/runtime/internal/file";
import { statusesOf } from "@skillc/runtime/internal/file";
import type { JsonSchema } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { callerRoot } from "../../../kit/caller-root.js";
import type { TemplateLanguage, TextTemplate } from "../../../kit/text-template.js";
import type { ScalarModel } from "../../../kit/values/model.js";

/** Text of a path, a folder, or a content. */
export type FileText = TextTemplate<"caller">;

/** Template language of paths, folders and contents, which always have a value. */
export const fileTemplates: TemplateLanguage<"caller"> = { kind: "file", roots: [callerRoot] };

/** Template language of options: `{offset?}` leaves the option out. */
export const optionTemplates: TemplateLanguage<"caller"> = { ...fileTemplates, hasOptional: true };

/** Options of operations, with the types of their values. */
export const optionTypes = {
  offset: "integer",
  length: "integer",
  glob: "string",
  max_depth: "integer",
  max_files: "integer",
  overwrite: "boolean",
  create_directories: "boolean",
  size_bytes: "integer",
} as const;

export type OptionName = keyof typeof optionTypes;

/** An option as its author wrote it. */
export interface OptionModel {
  readonly name: OptionName;
  /** Span of the key. */
  readonly span: Span;
  readonly value: ScalarModel<"caller">;
}

/** A file tool as its author wrote it: plain data. */
export interface FileConfig {
  readonly operation: FileOperation;
  /** Span of the operation's name. */
  readonly span: Span;
  /** Keys of the binding that depend on the operation, as written. */
  readonly keys: readonly { readonly name: string; readonly span: Span }[];
  /** Absent for the operation `temporary`. */
  readonly path?: FileText;
  /** New path of a move. */
  readonly to?: FileText;
  /** Content to write, or a patch. */
  readonly content?: FileText;
  readonly options: readonly OptionModel[];
  /** Folders below which the paths must be. */
  readonly allowed: readonly FileText[];
  /** Set if paths may also be in a temporary folder. */
  readonly usesTemporary?: true;
  /** Outer bound of all paths, by skillc.yaml. */
  readonly within?: readonly string[];
  readonly encoding: FileEncoding;
  readonly maxBytes: number;
  /** False if a faulty placeholder hides which parameters the tool uses. */
  readonly whole: boolean;
}

/** The keys of every operation but `temporary`, beside those of `keysOf`. */
export const pathKeys: readonly string[] = ["path", "allowed_paths"];

/** The keys of an operation beside `operation`, `path` and `allowed_paths`. */
interface OperationKeys {
  readonly needs: readonly string[];
  readonly takes: readonly string[];
}

const writing: readonly string[] = ["content_b64", "encoding", "max_bytes", "create_directories"];

/** The keys of each operation. */
export const keysOf: Readonly<Record<FileOperation, OperationKeys>> = {
  read: { needs: [], takes: ["offset", "length", "encoding", "max_bytes"] },
  list: { needs: [], takes: ["glob", "max_depth", "max_files"] },
  stat: { needs: [], takes: [] },
  write: { needs: ["content"], takes: [...writing, "overwrite"] },
  append: { needs: ["content"], takes: writing },
  move: { needs: ["to"], takes: ["overwrite", "create_directories"] },
  delete: { needs: [], takes: [] },
  patch: { needs: ["patch"], takes: ["max_bytes"] },
  temporary: { needs: [], takes: ["size_bytes"] },
};

/** Returns the statuses of answers without data. */
export function failedStatuses({
  encoding,
  operation,
}: Pick<FileConfig, "encoding" | "operation">): readonly string[] {
  const all: readonly string[] = statusesOf[operation];
  // Base64 can hold any content.
  return encoding === "base64" ? all.filter((each) => each !== "not_text") : all;
}

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  };
}

const entrySchema = record({
  path: text,
  kind: { enum: ["file", "folder", "link", "other"] },
  bytes: count,
  modified: text,
});

/** Schema of the data of a success. */
export function dataSchemaOf({
  encoding,
  operation,
}: Pick<FileConfig, "encoding" | "operation">): JsonSchema {
  switch (operation) {
    case "read":
      return record({
        ...(encoding === "base64" ? { base64: text } : { text }),
        bytes: count,
        sha256: text,
        more: { type: "boolean" },
      });
    case "list":
      return { type: "array", items: entrySchema };
    case "stat":
      return entrySchema;
    case "temporary":
      return record({ path: text, size_bytes: count, expires: text });
    default:
      return record({ path: text, bytes: count, sha256: text });
  }
}
