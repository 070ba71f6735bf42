// Bundles a module with rollup, in both forms: node roll.mjs INPUT OUTPUT, which gives OUTPUT.mjs and OUTPUT.cjs.
import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import resolve from "@rollup/plugin-node-resolve";
import { rollup } from "@rollup/wasm-node";

const [input, output] = process.argv.slice(2);
const bundle = await rollup({
  input,
  external: [
    /^node:/,
    /^@cedar-policy\/cedar-wasm/,
    "@electric-sql/pglite",
    "@opentelemetry/api",
    "pg-native",
  ],
  plugins: [
    resolve({ preferBuiltins: true, exportConditions: ["node"] }),
    // undici asks for it where there is one.
    commonjs({ ignore: ["node:sqlite"] }),
    json(),
  ],
  // Circles in libraries.
  onwarn: () => {},
});
const banner =
  'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);';
await bundle.write({ file: `${output}.mjs`, format: "es", inlineDynamicImports: true, banner });
await bundle.write({ file: `${output}.cjs`, format: "cjs", inlineDynamicImports: true });
