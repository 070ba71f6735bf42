import { posix } from "node:path";
import type { Report } from "../../core/report.js";
import { type SyntaxNode, textOf } from "../../core/syntax-node.js";

/**
 * Returns a folder of the project, normalized. Undefined if it is absent or, with a report, not
 * allowed.
 *
 * @param example a folder name to suggest to the author
 */
export function folderOf(
  node: SyntaxNode | undefined,
  example: string,
  report: Report,
): string | undefined {
  if (node === undefined) return undefined;
  const written = textOf(node);
  if (written === undefined) {
    report.add({
      code: "config/wrong-type",
      span: node.span,
      message: "a folder's path must be text",
    });
    return undefined;
  }
  const problem = pathProblem(written);
  if (problem === undefined) return withoutEndSlash(posix.normalize(written));
  const help = `name a folder below skillc.yaml, such as \`${example}\``;
  report.add({ code: "config/path", span: node.span, message: problem, help });
  return undefined;
}

/**
 * Checks if a folder belongs to another program or to skillc, which may run, delete or commit its
 * files. Folders that begin with a dot count (`.git`, `.github`, `.vscode`).
 */
function isTaken(part: string): boolean {
  return (part.startsWith(".") && part !== ".") || part.toLowerCase() === "node_modules";
}

/**
 * Returns an ordinary folder, which must not be inside a folder of another program.
 *
 * @param what description of the folder's files
 */
export function ownFolderOf(
  node: SyntaxNode | undefined,
  example: string,
  what: string,
  report: Report,
): string | undefined {
  const folder = folderOf(node, example, report);
  const keeper = folder?.split("/").find(isTaken);
  if (node === undefined || keeper === undefined) return folder;
  report.add({
    code: "config/path",
    span: node.span,
    message: `${what} can't be in \`${keeper}\``,
    help: `name a folder of their own, such as \`${example}\``,
  });
  return undefined;
}

/**
 * Returns the reason why a text is not a path below skillc.yaml on every system; undefined if it
 * is.
 */
export function pathProblem(path: string): string | undefined {
  if (path.trim() === "") return "the path is empty";
  if (/\p{Cc}/u.test(path)) return "the path holds a control character";
  if (path.includes("\\")) return "paths are written with `/`";
  const normal = posix.normalize(path);
  if (posix.isAbsolute(path) || /^[A-Za-z]:/.test(normal)) return "the path is absolute";
  if (normal === ".." || normal.startsWith("../")) return "the path leads out of the project";
  if (normal.startsWith("~")) return "`~` is not expanded";
  const part = normal.split("/").find(hasTwin);
  return part === undefined ? undefined : `on some systems \`${part}\` means another path`;
}

/** Names that Windows treats as a device, in any folder. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\.|$)/i;

/**
 * Checks if some file system reads a part of a path as another name. Windows drops trailing dots
 * and blanks, and has streams (`a:b`), devices and short names (`git~1` is `.git`). macOS ignores
 * invisible characters.
 */
function hasTwin(part: string): boolean {
  return (
    (/[. ]$/.test(part) && part !== "." && part !== "..") ||
    /[:*?"<>|]|~\d|\p{Default_Ignorable_Code_Point}|\p{Cf}/u.test(part) ||
    device.test(part)
  );
}

/** Checks if one folder equals or contains the other, ignoring case as some systems do. */
export function overlap(one: string, other: string): boolean {
  return isWithin(folded(one), folded(other)) || isWithin(folded(other), folded(one));
}

function folded(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}

/** Checks if a folder equals the other or is inside it, ignoring case. */
export function isInside(inner: string, outer: string): boolean {
  return isWithin(folded(inner), folded(outer));
}

function isWithin(inner: string, outer: string): boolean {
  return outer === "." || inner === outer || inner.startsWith(`${outer}/`);
}

function withoutEndSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, "") : path;
}
