/** Settings that the bundles of both packages share. */

/** esbuild options: modules for Node.js, with chunks for code that several entry points share. */
export const usual = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
};

/** Returns patterns for packages that stay outside the bundle, with their subpaths. */
export function outside(names) {
  return names.flatMap((name) => [name, `${name}/*`]);
}
