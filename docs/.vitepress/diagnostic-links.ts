import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { githubAnchor } from "./markdown.js";

/** Folder of the generated pages of diagnostics, below docs. */
const folder = "diagnostics";

/** The address of each diagnostic's section on the site, by its code. */
export function readDiagnosticLinks(docs: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const name of readdirSync(join(docs, folder))) {
    const headings = readFileSync(join(docs, folder, name), "utf8").matchAll(/^## (\S+\/\S+)$/gm);
    for (const [, code = ""] of headings)
      links.set(code, `/${folder}/${basename(name, ".md")}#${githubAnchor(code)}`);
  }
  return links;
}
