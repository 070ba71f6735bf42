import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { githubAnchor } from "./markdown.js";

/**
 * Addresses of the generated reference, by the inline code that pages write: the code of a
 * diagnostic, or a command with or without `--help`. Pages of the repository cannot link to the
 * reference, because a clone does not have it.
 */
export function readReferenceLinks(docs: string): ReadonlyMap<string, string> {
  const reference = join(docs, "reference");
  const links = new Map([
    ["skillc --help", "/reference/commands"],
    ["skillc COMMAND --help", "/reference/commands"],
    ["skillc explain", "/reference/diagnostics/"],
    ["skillc explain CODE", "/reference/diagnostics/"],
  ]);
  const add = (text: string, page: string, heading: string): void => {
    if (!links.has(text)) links.set(text, `/reference/${page}#${githubAnchor(heading)}`);
  };
  for (const command of headingsOf(join(reference, "commands.md")))
    for (const text of [command, `${command} --help`]) add(text, "commands", command);
  for (const name of readdirSync(join(reference, "diagnostics")))
    for (const heading of headingsOf(join(reference, "diagnostics", name)))
      if (heading.includes("/"))
        add(heading, `diagnostics/${name.slice(0, -".md".length)}`, heading);
  return links;
}

function headingsOf(page: string): readonly string[] {
  return [...readFileSync(page, "utf8").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
}
