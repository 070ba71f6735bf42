import {
  fileKey,
  functionName,
  isDeviceName,
  isPlainName,
  isReservedWord,
  plainName,
  portableName,
  quote,
} from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";

/** A name in the author's file, and what it is the name of. */
export interface Named {
  readonly name: string;
  readonly span: Span;
  readonly what: "skill" | "tool";
  /** A word that makes a reserved name harmless when it is put behind. */
  readonly addition: string;
}

/** Whether a name can be a function, a file and a part of a model's name. */
export function checkName(
  { name, span, what, addition }: Named,
  identifier: string,
  report: Report,
): boolean {
  if (!isPlainName(name)) {
    // A skill's name has stricter readers than skillc.
    const better = free(what === "skill" ? portableName(name) : plainName(name), addition);
    report.add({
      code: "name/bad-characters",
      span,
      message: `the ${what} name ${quote(name)} has other characters than letters, digits, \`-\` and \`_\``,
      help: better === undefined ? "use ASCII letters and digits" : renameTo(better),
    });
    return false;
  }
  const reason = whyReserved(name, identifier);
  if (reason === undefined) return true;
  const help = renameTo(`${name}-${addition}`);
  report.add({ code: "name/reserved", span, message: `${quote(name)} ${reason}`, help });
  return false;
}

/** The name itself, or with the addition when it is reserved. */
function free(name: string | undefined, addition: string): string | undefined {
  const isFree = name === undefined || whyReserved(name, functionName(name)) === undefined;
  return isFree ? name : `${name}-${addition}`;
}

function whyReserved(name: string, identifier: string): string | undefined {
  if (isReservedWord(identifier))
    return `would be the identifier \`${identifier}\`, which JavaScript reserves`;
  if (isDeviceName(name)) return "names a device on Windows, which can hold no such file";
  return undefined;
}

/** The names so far: the first of each identifier, and of each file name as a file system without letter case sees it. */
export interface Seen {
  readonly identifiers: Map<string, Named>;
  readonly files: Map<string, Named>;
}

export function seenNothing(): Seen {
  return { identifiers: new Map(), files: new Map() };
}

/** Reports a name that would be the same identifier or file as one before. */
export function checkCollision(named: Named, identifier: string, seen: Seen, report: Report): void {
  const file = fileKey(named.name);
  const sameIdentifier = seen.identifiers.get(identifier);
  const first = sameIdentifier ?? seen.files.get(file);
  if (first === undefined) {
    seen.identifiers.set(identifier, named);
    seen.files.set(file, named);
    return;
  }
  const clash =
    sameIdentifier === undefined ? "the same file on some file systems" : `\`${identifier}\``;
  report.add({
    code: "name/collision",
    span: named.span,
    message: `${quote(first.name)} and ${quote(named.name)} would both be ${clash}`,
    help: "rename one of the two, by more than letter case or separators",
    related: [{ span: first.span, message: `${quote(first.name)} is here` }],
  });
}

function renameTo(name: string): string {
  return `rename it, for example to ${quote(name)}`;
}
