import { findLink } from "@skillc/runtime/internal";
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { quote } from "../../core/names.js";
import { isOneSlipFrom } from "../../core/one-slip.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { nearestName, suggestion } from "../../schema/suggestion.js";
import { errorCode } from "./read-file.js";
import { joined } from "./walk-folder.js";

/** Maximum depth of folders to search below the policies folder. */
const maxFolders = 32;

/** Location of the policies. */
interface PoliciesFolder {
  /** Path relative to the project root, with `/`. */
  readonly name: string;
  /** Span of the setting in skillc.yaml; undefined if it isn't set. */
  readonly setting: Span | undefined;
  /** Paths of files that were read, or reported as unreadable. */
  readonly known: ReadonlySet<string>;
}

/**
 * Reports files that look like policies or tests of policies but aren't read. If skillc ignored a
 * policy silently, calls that it forbids would be allowed. An ignored test would check nothing.
 *
 * @param root the project's folder
 */
export async function reportUnreadPolicies(
  root: string,
  { known, name, setting }: PoliciesFolder,
  report: Report,
): Promise<void> {
  // The reader of policies has reported a link on the path already.
  if (findLink(root, name) !== undefined) return;
  const found = await stat(join(root, name)).catch(() => undefined);
  if (found?.isDirectory() === true) {
    await walk(root, { folder: posix.normalize(name), level: 1, known }, report);
  } else if (setting !== undefined) {
    // Without the setting, the folder is optional.
    const is = found === undefined ? "there is no folder" : "no folder of policies is";
    report.add({
      code: "read/no-policies-folder",
      span: setting,
      message: `${is} ${quote(name)} in the project`,
      help:
        (await nearFolder(root, name)) ?? "create it, or name the folder that the policies are in",
    });
  }
}

async function nearFolder(root: string, name: string): Promise<string | undefined> {
  const above = posix.dirname(name);
  const entries = await entriesOf(root, above).catch(() => []);
  const folders = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const nearest = nearestName(posix.basename(name), folders);
  return nearest === undefined ? undefined : suggestion(posix.join(above, nearest));
}

interface At {
  readonly folder: string;
  readonly level: number;
  readonly known: PoliciesFolder["known"];
}

async function walk(root: string, at: At, report: Report): Promise<void> {
  const entries = await entriesOf(root, at.folder).catch((error: unknown) => {
    report.add({
      code: "read/unreadable",
      span: { file: at.folder, start: 0, end: 0 },
      message: `the folder ${quote(at.folder)} can't be read: ${errorCode(error)}`,
    });
    return [];
  });
  for (const entry of entries) {
    const path = joined(at.folder, entry.name);
    const why = at.known.has(path) ? undefined : await whyUnread(root, path, entry, at);
    if (why !== undefined)
      report.add({ code: "read/policy-not-read", span: { file: path, start: 0, end: 0 }, ...why });
    else if (entry.isDirectory() && at.level <= maxFolders && !isOthers(entry.name))
      await walk(root, { ...at, folder: path, level: at.level + 1 }, report);
  }
}

function entriesOf(root: string, folder: string): Promise<readonly Dirent[]> {
  return readdir(join(root, folder), { withFileTypes: true });
}

/** A kind of file in the policies folder. */
interface Sought {
  /** Name with its article. */
  readonly what: string;
  /** File name extension. */
  readonly ending: string;
  /** Returns the stem of a name that was probably intended for this kind. */
  readonly stemOf: (name: string) => string | undefined;
}

const sought: readonly Sought[] = [
  { what: "a policy", ending: ".cedar", stemOf: beforeCedar },
  { what: "a test of policies", ending: ".test.yaml", stemOf: beforeTest },
];

/** Returns `a` for `a.CEDAR`, `a.ceder` and `a.cedar.txt`. Ignores pages about policies. */
function beforeCedar(name: string): string | undefined {
  const [first = "", ...endings] = name.split(".");
  const at = endings.findIndex((each) => {
    const ending = each.toLowerCase();
    return ending === "cedar" || isOneSlipFrom(ending, "cedar");
  });
  const isPage = /\.(?:md|markdown|html?)$/i.test(name);
  return at === -1 || isPage ? undefined : [first, ...endings.slice(0, at)].join(".");
}

/**
 * Returns `a` for `a.tests.yaml`, `a_test.yml`, `a.test.json`, `a.test.yalm` and `a.test.yaml.txt`.
 */
function beforeTest(name: string): string | undefined {
  const found = /(?:^|[._-])tests?\.(?:json|y[aml]{1,4})(?:\.\w+)?$/i.exec(name);
  return found === null ? undefined : name.slice(0, found.index);
}

/**
 * Returns the reason why an entry isn't read; undefined if it looks like neither a policy nor a
 * test.
 */
async function whyUnread(
  root: string,
  path: string,
  entry: Dirent,
  { folder, known, level }: At,
): Promise<{ readonly message: string; readonly help: string } | undefined> {
  const { name } = entry;
  const like = isNote(name, known, folder)
    ? undefined
    : sought.find(({ stemOf }) => stemOf(name) !== undefined);
  if (entry.isSymbolicLink() && (like !== undefined || (await isFolder(join(root, path)))))
    return {
      message: `${quote(path)} is a link, which skillc does not follow`,
      help: "put the file itself into the folder of policies",
    };
  if (like === undefined) return undefined;
  if (!entry.isFile())
    return {
      message: `${quote(path)} has the name of ${like.what}, but is not a file`,
      help: "put a file in its place, or rename it",
    };
  if (level > 1)
    return {
      message: `${quote(path)} is in a subfolder, where skillc reads ${like.what.replace("a ", "no ")}`,
      help: "move it up, directly into the folder of policies",
    };
  return {
    message: `${quote(name)} is not the name of ${like.what}, so skillc does not read it`,
    help: `rename it to ${quote(usualName(name, like))}`,
  };
}

/**
 * Checks for an auxiliary file of an editor or macOS (`.#a.cedar`, `._a.cedar`), which has the name
 * of a policy but not its content. A copy (`a.cedar~`, `a.cedar.orig`) counts only while the
 * original exists.
 */
function isNote(name: string, known: At["known"], folder: string): boolean {
  const original = name.replace(/^\.(?=.*\.sw\w$)|^#(?=.*#$)/, "").replace(copyEnding, "");
  return /^\.[#_]/.test(name) || (original !== name && known.has(joined(folder, original)));
}

/** Suffixes that editors, patch and git append to copies of earlier versions. */
const copyEnding = /(?:~|#|\.(?:bak|backup|old|orig|rej|save|tmp|sw\w))$/i;

/** Checks for a folder of another program, which may be large. */
function isOthers(name: string): boolean {
  return name === "node_modules" || name.startsWith(".");
}

function usualName(name: string, { ending, stemOf }: Sought): string {
  const stem = (stemOf(name) ?? "").replace(/^\.+/, "");
  return `${stem === "" ? "policies" : stem}${ending}`;
}

function isFolder(location: string): Promise<boolean> {
  return stat(location).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
