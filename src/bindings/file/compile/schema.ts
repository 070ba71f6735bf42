import { maxTemporaryBytes, usualEntries, usualFileBytes } from "@skillc/runtime/internal/file";
import type { JsonObject } from "../../../core/json.js";
import type { OtherBindingWords } from "../../../kit/binding.js";
import { byteLimitSchema } from "../../../kit/byte-limit.js";
import { forEditors } from "../../../schema/editor-marks.js";
import { keysOf, pathKeys } from "./model.js";

const text = { type: "string" } as const;

function number(description: string): JsonObject {
  return { description, anyOf: [{ type: "integer", minimum: 0 }, text] };
}

function flag(description: string): JsonObject {
  return { description, anyOf: [{ type: "boolean" }, text] };
}

/** JSON Schema of the keys of a file tool. */
export const fileSchema: JsonObject = {
  required: ["operation"],
  // `check` reports them, because the operation `temporary` has neither.
  ...forEditors({
    if: { properties: { operation: { const: "temporary" } } },
    else: { required: pathKeys },
  }),
  properties: {
    operation: {
      description: "The operation that the tool performs.",
      enum: Object.keys(keysOf),
    },
    path: {
      ...text,
      description:
        "Path of the file or folder, relative to the project's folder, such as `./notes/{name}`. It may contain `${NAME}` and `{caller.tenant}`.",
    },
    to: { ...text, description: "New path of a file that is moved." },
    allowed_paths: {
      description:
        "Folders below which the paths must be. They may contain `${NAME}` and `{caller.tenant}`. `{temporary}` stands for the temporary folders of the plan, the parent call or the trace.",
      type: "array",
      minItems: 1,
      items: text,
    },
    content: { ...text, description: "Content to write, such as `{text}`." },
    content_b64: { ...text, description: "Content to write, in base64, in place of `content`." },
    patch: { ...text, description: "Unified diff of the file, such as `{patch}`." },
    encoding: {
      description: "Form of the content: text in UTF-8, or base64.",
      enum: ["utf-8", "base64"],
      default: "utf-8",
    },
    offset: number("Offset of the first byte to read, or a parameter: `{offset?}`."),
    length: number("Maximum number of bytes to read, or a parameter: `{length?}`."),
    glob: {
      ...text,
      description:
        "Pattern of the entries' paths below the folder, such as `*.md` or `**/*.md`; or a parameter: `{pattern?}`.",
    },
    max_depth: number("Levels of folders to list; 1 by default, the entries of the folder itself."),
    max_files: number(`Maximum number of entries to list; ${usualEntries} by default.`),
    overwrite: flag("`true` replaces an existing file. Without it, the status is `exists`."),
    create_directories: flag("`true` creates missing folders."),
    size_bytes: {
      description:
        "Maximum size of a temporary folder: a number of bytes, a size such as `16MiB` (the default), or a parameter: `{size?}`.",
      anyOf: [{ type: "integer", minimum: 1, maximum: maxTemporaryBytes }, text],
    },
    max_bytes: byteLimitSchema(
      "Maximum size of the content that a call reads or writes, in bytes.",
      usualFileBytes,
    ),
  },
};

/** Words that tool hubs and other programs use for these keys. */
export const fileOtherWords: OtherBindingWords = {
  keys: {
    operation: ["op", "action", "method"],
    path: ["file", "filename", "file_path", "source"],
    to: ["destination", "target", "new_path", "dest"],
    allowed_paths: ["allowed_dirs", "allowed_directories", "roots", "folders"],
    content: ["text", "data", "body", "contents"],
    content_b64: ["content_base64", "bytes_b64"],
    patch: ["diff"],
    length: ["len", "size"],
    size_bytes: ["quota", "capacity"],
    glob: ["pattern"],
    max_depth: ["depth", "recursive"],
    max_files: ["max_entries", "limit"],
    overwrite: ["force", "replace"],
    create_directories: ["parents", "mkdirs", "create_dirs"],
    max_bytes: ["max_size", "max_file_size"],
  },
  types: [{ words: ["fs", "files", "filesystem", "file_system"] }],
};
