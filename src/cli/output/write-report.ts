import { writeFileSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { writeOwnFile, readRegularFile, systemCode } from "@skillc/runtime/internal";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";

export interface Report {
  /** Absolute path of the file to write. */
  readonly path: string;
  /** How the user calls it. */
  readonly written: string;
  readonly text: string;
  /** Whether an earlier run wrote this text: a file that holds another is somebody's. */
  readonly isOurs: (text: string) => boolean;
}

/**
 * Writes a file that the user named. Below the project it is a place of ours like any other;
 * elsewhere it is the user's to say where it leads (`/dev/stdout`). Only an earlier report, or an
 * empty file, is replaced.
 *
 * @throws CommandFailure
 */
export function writeReport(root: string, report: Report): void {
  const { path, text } = report;
  const below = relative(root, path).split(sep).join("/");
  const isBelow = below !== "" && !isAbsolute(below) && !/^\.\.(?:\/|$)/.test(below);
  if (isBelow) {
    orSayWhatIsInTheWay(() => {
      refuseForeign(report);
      writeOwnFile(root, below, text);
    });
    return;
  }
  refuseForeign(report);
  writeFileSync(path, text);
}

function refuseForeign({ path, written, isOurs }: Report): void {
  const before = textOf(path);
  if (before === "" || isOurs(before)) return;
  throw CommandFailure.input(
    `\`${written}\` is there already, and is no report of skillc`,
    "name another file, or remove this one",
  );
}

/** Empty for what is no file: nothing in it can be lost. */
function textOf(path: string): string {
  try {
    return readRegularFile(path).toString("utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}
