/** Keeps the result of each document in a file, so that a run can continue an earlier one. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Judged } from "./judged.js";
import { corpora } from "./packages.js";

const folder = join(corpora, "results");

const fileOf = (document: string) => join(folder, `${document.replaceAll("/", "~")}.json`);

export function resultOf(document: string): Judged | undefined {
  const file = fileOf(document);
  // `keepResult` wrote the file.
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Judged) : undefined;
}

export function keepResult(judged: Judged): void {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(judged.document);
  // Write atomically, because the run may end at any time.
  writeFileSync(`${file}.part`, JSON.stringify(judged, null, 2));
  renameSync(`${file}.part`, file);
}
