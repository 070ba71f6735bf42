/** What the bundles of both packages have in common. */

/** Options of esbuild: modules for Node.js, with chunks for what several entry points share. */
export const usual = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
};

/** Packages that are loaded from where they are installed, with all that is below them. */
export function outside(names) {
  return names.flatMap((name) => [name, `${name}/*`]);
}
