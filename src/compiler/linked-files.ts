/** Finds and reads the files that the bodies of skills link to, for those who publish skills. */
import { findLink, readUpTo } from "@skillc/runtime/internal";
import { join, posix } from "node:path";
import type { LinkedFile, Project } from "../core/project.js";
import type { SourceFile } from "../core/source-file.js";
import { bodyLinks } from "./parse/body-links.js";
import { splitFrontMatter } from "./parse/front-matter.js";
import { errorCode } from "./read/read-file.js";
import { metadataNames, skillFolders } from "./skill-folders.js";

/** Maximum size of one file, in bytes. */
const maxLinkedBytes = 1024 * 1024;
/** Maximum size of all files of a skill, in bytes. */
const maxSkillBytes = 8 * 1024 * 1024;
/** Maximum number of files of a skill. */
const maxLinked = 200;

/** Reads the files that each skill links to, by the skill's folder. */
export async function readLinkedFiles(
  root: string,
  project: Pick<Project, "files">,
): Promise<NonNullable<Project["linked"]>> {
  const linked = new Map<string, readonly LinkedFile[]>();
  for (const folder of skillFolders(project)) {
    const file = ["SKILL.md", "skill.md"]
      .map((name) => project.files.get(`${folder}/${name}`))
      .find((each) => each !== undefined);
    const found = file === undefined ? [] : await linkedFilesOf(root, folder, file);
    if (found.length > 0) linked.set(folder, found);
  }
  return linked;
}

async function linkedFilesOf(
  root: string,
  folder: string,
  { path: file, text }: SourceFile,
): Promise<readonly LinkedFile[]> {
  const parts = splitFrontMatter(text);
  if (parts.kind !== "present" && parts.kind !== "absent") return [];
  const links = await bodyLinks(text.slice(parts.bodyStart));
  const found = new Map<string, LinkedFile>();
  let left = maxSkillBytes;
  for (const { end, start, url } of links) {
    const path = pathOf(url);
    if (path === undefined || found.has(path)) continue;
    const span = { file, start: start + parts.bodyStart, end: end + parts.bodyStart };
    const read = found.size < maxLinked ? readLinked(root, folder, path) : tooMany;
    const bytes = "bytes" in read ? read.bytes : noBytes;
    const isTooMuch = bytes.length > left;
    if (!isTooMuch) left -= bytes.length;
    const problem = isTooMuch ? tooMuch : "problem" in read ? read.problem : undefined;
    found.set(path, {
      path,
      bytes: isTooMuch ? noBytes : bytes,
      span,
      ...(problem !== undefined && { problem }),
    });
  }
  return [...found.values()];
}

const noBytes = new Uint8Array();
const tooMany = { problem: `comes after ${maxLinked} other files` };
const tooMuch = `would make the skill larger than ${maxSkillBytes / 1024 / 1024} MiB`;

/**
 * Path of a relative link, below the skill's folder. Undefined for other links: another scheme, a
 * place of the body itself, an absolute path.
 */
function pathOf(url: string): string | undefined {
  const written = url.replace(/[?#].*$/s, "");
  if (written === "" || /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/|\\)/.test(written)) return undefined;
  try {
    return posix.normalize(decodeURIComponent(written));
  } catch {
    return undefined;
  }
}

type Read = { readonly bytes: Uint8Array } | { readonly problem: string };

function readLinked(root: string, folder: string, path: string): Read {
  const problem = problemOf(path);
  if (problem !== undefined) return { problem };
  const link = findLink(join(root, folder), path);
  if (link !== undefined) return { problem: `is behind the link \`${link}\`` };
  try {
    const bytes = readUpTo(join(root, folder, path), maxLinkedBytes, { links: false });
    return bytes === undefined
      ? { problem: `is larger than ${maxLinkedBytes / 1024 / 1024} MiB` }
      : { bytes };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: "does not exist" };
    return { problem: code === "ENOTFILE" ? "is not a file" : `can't be read: ${code}` };
  }
}

/** The reason why a path of the skill's folder is never published. */
function problemOf(path: string): string | undefined {
  const parts = path.split("/");
  if (parts[0] === "..") return "is outside of the skill's folder";
  if (/[\\:\p{Cc}]/u.test(path)) return "has a name that not every system allows";
  if (parts.some((part) => part.startsWith(".") || part === "node_modules"))
    return "is hidden, or in a hidden folder";
  // Some file systems find a file by a similar name too, such as one with U+017F in place of `s`.
  const own = path.normalize("NFKC").toLowerCase();
  return own === "skill.md" || metadataNames.includes(own) ? "has the skill's tools" : undefined;
}
