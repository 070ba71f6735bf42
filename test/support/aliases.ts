/**
 * Aliases that make tests load the source of the runtime's package. Tests and tested code then
 * share one copy.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Source of each specifier of this repository's packages. */
export const aliases = [
  ...runtimeEntries(),
  { find: "skillc/binding", replacement: source("src/bindings/public.ts") },
];

function runtimeEntries() {
  const manifest = readFileSync(source("packages/runtime/package.json"), "utf8");
  const { exports } = JSON.parse(manifest) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(exports).flatMap(([key, target]) =>
    typeof target === "string"
      ? []
      : [
          {
            find: new RegExp(`^@skillc/runtime${key.slice(1)}$`),
            replacement: source(
              target.types.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts"),
            ),
          },
        ],
  );
}
