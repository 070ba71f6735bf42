/** The data that a generated module of a file tool hands over, and the types of its answers. */
import type { BoundCaller } from "../../../runtime/caller.js";
import type { CredentialReference, CredentialText } from "../../../runtime/values/text.js";
import type { FilePath } from "./file-path.js";

/** Default maximum size of a content that a call reads or writes, in bytes. */
export const usualFileBytes = 1024 * 1024;

/** Default maximum number of entries of a list. */
export const usualEntries = 1000;

/** Statuses without data that an operation can have. */
export const statusesOf = {
  read: ["not_found", "wrong_kind", "not_text"],
  list: ["not_found", "wrong_kind"],
  stat: ["not_found"],
  write: ["not_found", "exists", "wrong_kind"],
  append: ["not_found", "wrong_kind", "too_large", "conflict"],
  move: ["not_found", "exists", "wrong_kind"],
  delete: ["not_found", "wrong_kind"],
  patch: ["not_found", "wrong_kind", "too_large", "not_text", "conflict"],
  temporary: [],
} as const;

/** What a file tool does. */
export type FileOperation = keyof typeof statusesOf;

/** Operations that change nothing that lasts. */
export const readOperations: readonly FileOperation[] = ["read", "list", "stat", "temporary"];

/** Form of a content: text in UTF-8, or base64. */
export type FileEncoding = "utf-8" | "base64";

/** Literal text, with settings in it. */
export type SettingText = string | CredentialReference | CredentialText;

/** A folder, relative to the project's folder. A function if it has a field of the caller. */
export type Folder = SettingText | ((caller: BoundCaller) => SettingText);

/** A file tool as its module declares it. */
export type FileContract<Arguments> = {
  readonly [Operation in FileOperation]: FileRules & {
    readonly operation: Operation;
    /** Builds the request of a call. */
    readonly request: (args: Arguments, caller: BoundCaller) => FileRequests[Operation];
  };
}[FileOperation];

/** The parts of a contract that are the same for every call. */
export interface FileRules {
  /** Folders below which the paths must be. */
  readonly allowed: readonly Folder[];
  /** Set if paths may also be in a temporary folder of the call's plan, parent or trace. */
  readonly temporary?: true;
  /** Folders of skillc.yaml (`files`) outside of which no path may be; no such limit if absent. */
  readonly within?: readonly string[];
  /** Form of the content; `utf-8` if absent. */
  readonly encoding?: FileEncoding;
  /** Maximum size of a content in bytes; `usualFileBytes` if absent. */
  readonly maxBytes?: number;
  /** Set if records must not show the digest of the content, because the content is sensitive. */
  readonly hidesDigest?: true;
}

/** The request of each operation. */
export interface FileRequests {
  readonly read: ReadRequest;
  readonly list: ListRequest;
  readonly stat: { readonly path: FilePath };
  readonly write: WriteRequest;
  readonly append: AppendRequest;
  readonly move: MoveRequest;
  readonly delete: { readonly path: FilePath };
  readonly patch: { readonly path: FilePath; readonly patch: string };
  /** Size in bytes; `usualTemporaryBytes` if absent. */
  readonly temporary: { readonly sizeBytes?: number | null | undefined };
}

/** Asks for a file, or for a part of one. */
export interface ReadRequest {
  readonly path: FilePath;
  /** Offset of the first byte; 0 if absent. */
  readonly offset?: number | null | undefined;
  /** Maximum number of bytes; the tool's limit if absent. */
  readonly length?: number | null | undefined;
}

/** Asks for the entries of a folder. */
export interface ListRequest {
  readonly path: FilePath;
  /** Pattern of the entries' paths below the folder, such as `*.md`; all entries if absent. */
  readonly glob?: string | null | undefined;
  /** Levels of folders: 1, the default, lists the entries of the folder itself. */
  readonly maxDepth?: number | null | undefined;
  /** Maximum number of entries; `usualEntries` if absent. */
  readonly maxFiles?: number | null | undefined;
}

/** Asks for a file with this content. */
export interface WriteRequest {
  readonly path: FilePath;
  readonly content: string;
  /** `true` replaces a file. */
  readonly overwrite?: boolean | null | undefined;
  /** `true` creates missing folders. */
  readonly createDirectories?: boolean | null | undefined;
}

/** Asks for more content at the end of a file. */
export interface AppendRequest {
  readonly path: FilePath;
  readonly content: string;
  /** `true` creates missing folders. */
  readonly createDirectories?: boolean | null | undefined;
}

/** Asks for another name of a file. */
export interface MoveRequest {
  readonly path: FilePath;
  readonly to: FilePath;
  /** `true` replaces a file. */
  readonly overwrite?: boolean | null | undefined;
  /** `true` creates missing folders. */
  readonly createDirectories?: boolean | null | undefined;
}

/** Facts of the content that a read returns. */
export interface FileContent {
  /** Number of bytes that were read. */
  readonly bytes: number;
  /** SHA-256 of these bytes in hexadecimal. */
  readonly sha256: string;
  /** True if the file has more bytes after these. */
  readonly more: boolean;
}

/** Content of a file as text. */
export interface FileText extends FileContent {
  readonly text: string;
}

/** Content of a file in base64. */
export interface FileBase64 extends FileContent {
  readonly base64: string;
}

/** A file that a call wrote, moved or deleted. */
export interface ChangedFile {
  /** Path of the file, relative to the project's folder if it is in there. */
  readonly path: string;
  /** Size of the whole file in bytes. */
  readonly bytes: number;
  /** SHA-256 of the whole file in hexadecimal. */
  readonly sha256: string;
}

/** A temporary folder. */
export interface TemporaryFolder {
  /** Absolute path. */
  readonly path: string;
  /** Maximum size of everything in the folder, in bytes. */
  readonly size_bytes: number;
  /** Time at which the folder is removed at the latest (RFC 3339, UTC). */
  readonly expires: string;
}

/** Kind of an entry. A link is never followed. */
export type EntryKind = "file" | "folder" | "link" | "other";

/** An entry of a folder. */
export interface FileEntry {
  /** Path of the entry, relative to the project's folder if it is in there. */
  readonly path: string;
  readonly kind: EntryKind;
  /** Size in bytes; 0 for anything but a file. */
  readonly bytes: number;
  /** Time of the last change (RFC 3339, UTC). */
  readonly modified: string;
}

/** What every answer without data carries. */
export interface FileFault {
  readonly error: {
    /** The reason in words. It contains no path and no content. */
    readonly reason: string;
  };
}

/** A list of entries. */
export interface FileList<Data> {
  readonly status: "success";
  readonly data: Data;
  /** True if there are more entries than `data` contains. */
  readonly truncated: boolean;
}

/** The request of a file tool, as shadow mode records it. It never contains content. */
export interface FileRecord {
  readonly operation: FileOperation;
  /** Path as the caller wrote it, with `${NAME}` in place of settings. */
  readonly path?: string;
  /** New path of a move. */
  readonly to?: string;
  /** Size of the content in bytes. */
  readonly bytes?: number;
  /** SHA-256 of the content in hexadecimal. */
  readonly sha256?: string;
  /** Other values of the request, such as `overwrite`. */
  readonly options?: { readonly [name: string]: boolean | number | string };
}
