/**
 * Bundles the output of `tsc` into `dist/bundle`: the command line, and the module that users'
 * binding kinds import. Loading hundreds of small files takes longer than a whole run after an
 * edit. Each command still loads its own libraries only when it runs.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { outside, usual } from "./packages/runtime/bundling.js";
import { licencesOf } from "./packages/runtime/licences.js";

const here = fileURLToPath(new URL("./", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/**
 * Libraries to bundle. They consist of many files, and load neither files of their own nor optional
 * packages by path.
 */
const wanted = new Set(["ajv", "ajv-formats", "commander", "handlebars", "yaml"]);

const external = outside([
  ...Object.keys(manifest.dependencies).filter((name) => !wanted.has(name)),
  ...Object.keys(manifest.peerDependencies),
]);

/**
 * Makes `import.meta.url` the place where `tsc` put a module, because templates and workers are
 * next to that place.
 */
const ownPlaces = {
  name: "own-places",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const place = relative(here, path).split(sep).join("/");
      if (!place.startsWith("dist/")) return undefined;
      const url = `new URL(${JSON.stringify(posix.relative("dist/bundle", place))}, import.meta.url).href`;
      return { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", url) };
    });
  },
};

rmSync(new URL("dist/bundle", import.meta.url), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: {
    start: "dist/cli/start.js",
    binding: "dist/bindings/public.js",
    planner: "dist/planner/index.js",
  },
  outdir: "dist/bundle",
  chunkNames: "[name]-[hash]",
  ...usual,
  external,
  // CommonJS libraries load parts of Node.js by `require`.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
  plugins: [ownPlaces],
  metafile: true,
  logLevel: "warning",
});

const inside = new Set(
  Object.keys(metafile.inputs).flatMap((path) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return name === undefined ? [] : [name];
  }),
);
writeFileSync(
  new URL("dist/bundle/third-party-licenses.txt", import.meta.url),
  licencesOf([...inside].toSorted()),
);
