import { writeFileSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { writeOwnFile, readRegularFile, systemCode } from "@skillc/runtime/internal";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";

export interface Report {
  /** Absolute path of the file to write. */
  readonly path: string;
  /** Path as the user wrote it. */
  readonly written: string;
  readonly text: string;
  /** Checks if an earlier run wrote this text. Other content belongs to somebody else. */
  readonly isOurs: (text: string) => boolean;
}

/**
 * Writes a file that the user named. Below the project, it follows no links; elsewhere the user
 * decides where a path leads (`/dev/stdout`). It replaces only an earlier report or an empty file.
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
    `\`${written}\` exists already, and skillc did not write it`,
    "name another file, or remove this one",
  );
}

/** Reads a file. Returns no text if the path is not a file, because nothing can then be lost. */
function textOf(path: string): string {
  try {
    return readRegularFile(path).toString("utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}
