/** States of files, folders and links, as copies and changes of them contain. */
import type { BigIntStats } from "node:fs";

/** Facts that files, folders and links have in common. */
interface Attributes {
  /** Permissions, with the bits for set-user-id and the like. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Time of the last change, in nanoseconds since 1970. Text, because a number would round it. */
  readonly modified: string;
}

/** A regular file. */
export interface FileState extends Attributes {
  readonly kind: "file";
  readonly bytes: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  /** Number of names of the file, if there are several. A restored file has one name. */
  readonly names?: number;
}

/** A folder, without its entries. */
export interface FolderState extends Attributes {
  readonly kind: "folder";
}

/** A symbolic link, which nobody follows. */
export interface LinkState extends Attributes {
  readonly kind: "link";
  readonly target: string;
}

/** The state of one path. `other`: something that can't be copied, or can't be read. */
export type EntryState =
  | FileState
  | FolderState
  | LinkState
  | { readonly kind: "other"; readonly why: string }
  | { readonly kind: "absent" };

/** The state of a path without an entry. */
export const absent = { kind: "absent" } as const satisfies EntryState;

/** States of paths: absolute, without links in their parents. A folder comes before its entries. */
export type Tree = ReadonlyMap<string, EntryState>;

/** Returns the attributes of an entry. */
export function attributesOf({ gid, mode, mtimeNs, uid }: BigIntStats): Attributes {
  return {
    mode: Number(mode) & 0o7777,
    uid: Number(uid),
    gid: Number(gid),
    modified: String(mtimeNs),
  };
}

/** Checks if two states have the same kind and the same content, whatever their attributes are. */
export function sameBody(one: EntryState, other: EntryState): boolean {
  if (one.kind === "file") return other.kind === "file" && one.sha256 === other.sha256;
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  return one.kind === other.kind;
}

/**
 * Checks if two states have the same content and permissions. Times and owners may differ, so
 * replacing one by the other loses nothing of value.
 */
export function sameContent(one: EntryState, other: EntryState): boolean {
  if (!sameBody(one, other)) return false;
  return one.kind === "link" || !("mode" in one) || !("mode" in other) || one.mode === other.mode;
}

/** Checks if two states are equal in everything that can be restored. */
export function sameState(one: EntryState, other: EntryState): boolean {
  if (!sameContent(one, other)) return false;
  if (!("modified" in one) || !("modified" in other)) return true;
  return one.uid === other.uid && one.gid === other.gid && sameTime(one.modified, other.modified);
}

/** Node.js sets times in microseconds: the rest of a time is lost. */
const microsecond = 1000n;

/** Compares two times in nanoseconds, as far as Node.js can set them. */
export function sameTime(one: string, other: string): boolean {
  const difference = BigInt(one) - BigInt(other);
  return difference < microsecond && difference > -microsecond;
}

/** Returns a time in seconds, as Node.js sets times. */
export function secondsOf(modified: string): number {
  // Node.js cuts off what is less than a microsecond, and the division may round down.
  return (Number(BigInt(modified) / microsecond) + 0.5) / 1e6;
}
