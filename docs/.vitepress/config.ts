import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { readReferenceLinks } from "./reference-links.js";
import {
  escapeBraces,
  githubAnchor,
  linkReference,
  markShortCode,
  showTitles,
  unlinkRepositoryFiles,
} from "./markdown.js";
import { sidebarOf } from "./sidebar.js";

const docs = fileURLToPath(new URL("..", import.meta.url));
const build = fileURLToPath(new URL("../../.build/", import.meta.url));

export default defineConfig({
  title: "skillc",
  description: "Compiles the tools of a SKILL.md into typed TypeScript functions.",
  head: [["link", { rel: "icon", href: "data:," }]], // browsers ask for /favicon.ico otherwise
  outDir: `${build}site`,
  cacheDir: `${build}vitepress`,
  markdown: {
    attrs: { disable: true }, // pages are plain Markdown: braces are text
    anchor: { slugify: githubAnchor },
    languageAlias: { cedar: "ts" }, // the highlighter does not know Cedar
    config(markdown) {
      markdown.use(escapeBraces);
      markdown.use(showTitles);
      markdown.use(markShortCode);
      markdown.use(unlinkRepositoryFiles);
      markdown.use(linkReference, readReferenceLinks(docs));
    },
  },
  vite: { build: { chunkSizeWarningLimit: 5000 } }, // the index of the local search is one file
  themeConfig: {
    nav: [
      { text: "Tutorial", link: "/start/tutorial" },
      { text: "Skills", link: "/skills/" },
      { text: "Runtime", link: "/runtime/" },
      { text: "Governance", link: "/governance/" },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    sidebar: sidebarOf(docs),
  },
});
