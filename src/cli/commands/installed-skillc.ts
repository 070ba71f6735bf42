import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whether a package.json in the folder or above it names skillc, so that generated code finds `skillc/runtime`. */
export function dependsOnSkillc(folder: string): boolean {
  return (
    namesSkillc(join(folder, "package.json")) ||
    (dirname(folder) !== folder && dependsOnSkillc(dirname(folder)))
  );
}

const places: ReadonlySet<string> = new Set([
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
]);

function namesSkillc(file: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof manifest !== "object" || manifest === null) return false;
    const entries = Object.entries(manifest);
    return entries.some(
      ([key, value]) =>
        (key === "name" && value === "skillc") ||
        (places.has(key) && typeof value === "object" && value !== null && "skillc" in value),
    );
  } catch {
    // None, or one that npm will complain of.
    return false;
  }
}
