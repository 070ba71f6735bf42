/** Every regular expression that the runtime applies to input of callers, servers and brokers takes linear time. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { parsePattern, runsOfPattern } from "../../src/schema/pattern/matcher.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Enough for the longest, that of `uri-reference`. */
const maxWork = 20_000_000;

function literalsIn(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function verdictOf(literal: string): string {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
  const has = (flag: string) => flags.includes(flag);
  const tree = parsePattern(source, has("u"));
  if (typeof tree === "string") throw new Error(`${literal}: ${tree}`);
  const search = has("g") ? "all" : has("y") ? "sticky" : "test";
  return runsOfPattern(
    tree,
    { unicode: has("u"), ignoreCase: has("i"), dotAll: has("s"), multiline: has("m") },
    search,
    maxWork,
  ).kind;
}

const files = ["src/runtime", "src/bindings"].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .map((each) => `${folder}/${each.replaceAll("\\", "/")}`)
    .filter((each) => each.endsWith(".ts"))
    .filter(
      (each) =>
        folder === "src/runtime" ||
        /^src\/bindings\/[^/]+\/(?:providers\/[^/]+\/)?(?:names|send\/|execute|runtime)/.test(each),
    ),
);

test("no regular expression in the runtime's own files takes more than linear time", () => {
  const literals = files.flatMap((file) =>
    literalsIn(`${root}/${file}`).map((literal) => ({ file, literal })),
  );
  expect(literals.length).toBeGreaterThan(40);
  const others = literals.filter(({ literal }) => verdictOf(literal) !== "bounded");
  const unexplained = others.filter(({ file, literal }) => !isExplained(file, literal));
  expect(unexplained).toEqual([]);
  expect(others).toHaveLength(explained.length);
});

/** What the analysis does not prove, and why it can do no harm. */
const explained = [
  ["src/runtime/credentials/env-file.ts", "export", "asked of the application's own .env"],
  ["src/runtime/credentials/env-file.ts", "\\s#", "asked of the application's own .env"],
  ["src/bindings/sql/send/settings.ts", "search_path", "asked of the application's own setting"],
  ["src/bindings/queue/send/registry/address.ts", "+$", "asked of the application's own setting"],
  [
    "src/bindings/queue/providers/rabbitmq/send/failures.ts",
    " with message ",
    "AMQP's reply text has 255 bytes at most",
  ],
  [
    "src/bindings/queue/providers/rabbitmq/send/failures.ts",
    "'.*'",
    "AMQP's reply text has 255 bytes at most",
  ],
  [
    "src/bindings/sql/send/formats.ts",
    "(?<!",
    "the lookbehind lets it begin once in a run of backslashes",
  ],
] as const;

function isExplained(file: string, literal: string): boolean {
  return explained.some(([where, part]) => where === file && literal.includes(part));
}

describe("the regular expressions of ajv-formats", () => {
  const file = createRequire(import.meta.url).resolve("ajv-formats/dist/formats.js");
  const literals = literalsIn(file);

  test("the regular expressions of ajv-formats are linear except that of `url`, which the runtime replaces", () => {
    const slow = literals.filter((each) => verdictOf(lineByLine(each)) !== "bounded");
    expect(slow).toEqual([expect.stringContaining("https?|ftp")]);
  });

  /** `byte` is asked line by line: its classes hold no line end. */
  function lineByLine(literal: string): string {
    return literal.replace(/\/gm$/, "/");
  }
});
