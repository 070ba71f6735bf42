import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface SidebarItem {
  readonly text: string;
  /** Address of a page on the site. */
  readonly link?: string;
  /** VitePress wants an array that it could change. */
  readonly items?: SidebarItem[];
  readonly collapsed?: boolean;
}

/**
 * The sidebar of the site: a group for the pages right in docs, and a group for each folder. The
 * text of a page is its title. Pages and groups stand in the order in which index.md links to them;
 * the others follow by name.
 */
export function sidebarOf(docs: string): SidebarItem[] {
  const folders = entriesOf(docs, "").filter((name) => !name.endsWith(".md"));
  return [
    { text: "Overview", items: itemsOf(docs, "", (name) => name.endsWith(".md")) },
    ...folders.map((folder) => groupOf(docs, folder)),
  ];
}

function groupOf(docs: string, folder: string): SidebarItem {
  return {
    text: titleOf(docs, `${folder}/index.md`) ?? capitalized(posix.basename(folder)),
    collapsed: true,
    items: itemsOf(docs, folder, () => true),
  };
}

function itemsOf(docs: string, folder: string, isWanted: (name: string) => boolean): SidebarItem[] {
  return entriesOf(docs, folder)
    .filter(isWanted)
    .map((name) => {
      const path = posix.join(folder, name);
      return name.endsWith(".md") ? pageOf(docs, path) : groupOf(docs, path);
    });
}

function pageOf(docs: string, path: string): SidebarItem {
  const isIndex = posix.basename(path) === "index.md";
  const link = isIndex ? path.slice(0, -"index.md".length) : path.slice(0, -".md".length);
  return {
    text: isIndex ? "Introduction" : (titleOf(docs, path) ?? posix.basename(path, ".md")),
    link: `/${link}`,
  };
}

/** Pages and folders of a folder, in the order of its index.md, which is first. */
function entriesOf(docs: string, folder: string): readonly string[] {
  const entries = readdirSync(join(docs, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .filter((entry) => entry.isDirectory() || entry.name.endsWith(".md"))
    .map(({ name }) => name);
  const linked = linksOf(docs, posix.join(folder, "index.md"));
  const rank = (name: string): number => {
    if (name === "index.md") return -1;
    const found = linked.findIndex((link) => link === name || link.startsWith(`${name}/`));
    return found === -1 ? linked.length : found;
  };
  return entries.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function linksOf(docs: string, page: string): readonly string[] {
  const links = textOf(docs, page).matchAll(/\]\(([^)#\s]+)/g);
  return [...links].map(([, link = ""]) => link);
}

function titleOf(docs: string, page: string): string | undefined {
  return /^# (.+)$/m.exec(textOf(docs, page))?.[1]?.replaceAll("`", "");
}

/** The text of a page, or no text if there is no such page. */
function textOf(docs: string, page: string): string {
  const path = join(docs, page);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
