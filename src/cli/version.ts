import { readFileSync } from "node:fs";

interface PackageFacts {
  readonly version: string;
}

let known: string | undefined;

/** This package's version, as its package.json says. */
export function packageVersion(): string {
  return (known ??= readVersion());
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  // Our own package.json, which npm refuses to publish without a version.
  const facts = JSON.parse(text) as PackageFacts;
  return facts.version;
}
