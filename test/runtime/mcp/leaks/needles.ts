/** Words of the example skills that no client may see, as the authors wrote them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../support/repository.js";

/** Words to look for. */
export interface Needles {
  /** Names of credentials. */
  readonly credentials: readonly string[];
  /** URLs of bindings, and their parts after the credential. */
  readonly urls: readonly string[];
  /** Lines of SQL statements. */
  readonly sql: readonly string[];
  /** Keys of bindings. */
  readonly keys: readonly string[];
}

type Mapping = Readonly<Record<string, unknown>>;

/** A value in a skill's front matter or metadata, with its path. */
interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Shorter words occur by chance. */
const minLength = 5;

/** Reads the skills of a folder. */
export function needlesOf(folder: string): Needles {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => /\.(?:md|ya?ml|json)$/.test(each.name))
    .map((each) => ({
      name: each.name,
      text: readFileSync(join(each.parentPath, each.name), "utf8"),
    }));
  const declared = files.flatMap(({ name, text }) => {
    const isDeclaration = /^(?:SKILL\.md|metadata\.\w+)$/.test(name);
    return isDeclaration ? leavesOf(declarationIn(name, text)) : [];
  });
  const schemas = files.filter(({ name }) => name.endsWith(".json") && name !== "metadata.json");
  const isPublic = publicKeys([
    ...declared.filter(({ path }) => !path.includes("binding")),
    ...schemas.flatMap(({ text }) => leavesOf(JSON.parse(text))),
  ]);
  const bound = declared.flatMap(({ path, value }) => {
    const start = path.indexOf("binding");
    return start < 0 ? [] : [{ path: path.slice(start + 1), value }];
  });
  const texts = bound.flatMap(({ path, value }) =>
    typeof value === "string" ? [{ path, value }] : [],
  );
  const isLong = (text: string) => text.length >= minLength;
  return {
    credentials: unique(
      files.flatMap(({ text }) => text.match(/(?<=\$\{)[A-Z][A-Z0-9_]*(?=\})/g) ?? []),
    ),
    urls: unique(texts.flatMap(({ path, value }) => urlsIn(path, value))).filter(isLong),
    sql: unique(texts.flatMap(({ path, value }) => sqlLines(path, value))).filter(isLong),
    keys: unique(bound.flatMap(({ path }) => path.slice(0, 1))).filter((key) => !isPublic(key)),
  };
}

/** The needles of the examples. */
export const exampleNeedles = needlesOf(join(repository, "skills"));

function declarationIn(name: string, text: string): unknown {
  const written = name === "SKILL.md" ? /^---\n([^]*?)\n---\n/.exec(text)?.[1] : text;
  return parse(written ?? "") as unknown;
}

function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  const inside = Object.entries(value as Mapping).flatMap(([key, each]) =>
    leavesOf(each, [...path, key]),
  );
  return [{ path, value: undefined }, ...inside];
}

/** Schemas publish their keywords and the names of properties. */
function publicKeys(leaves: readonly Leaf[]): (key: string) => boolean {
  const keys = new Set(leaves.flatMap(({ path }) => path));
  return (key) => keys.has(key);
}

function urlsIn(path: readonly string[], value: string): readonly string[] {
  const isUrl = value.includes("://") || value.includes("${") || path.at(-1) === "url";
  return isUrl ? [value, value.replace(/^.*?\$\{\w+\}/, "")] : [];
}

function sqlLines(path: readonly string[], value: string): readonly string[] {
  return path.length === 1 && path[0] === "query"
    ? value.split("\n").map((line) => line.trim())
    : [];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
