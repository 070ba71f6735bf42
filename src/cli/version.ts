import { readFileSync } from "node:fs";

interface PackageFacts {
  readonly version: string;
}

let known: string | undefined;

/** Returns the version in skillc's package.json. */
export function packageVersion(): string {
  return (known ??= readVersion());
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  // The file is skillc's package.json. npm refuses to publish it without a version.
  const facts = JSON.parse(text) as PackageFacts;
  return facts.version;
}
