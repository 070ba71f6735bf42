import { posix } from "node:path";
import type { BindingKind, NamedFiles } from "../../kit/binding.js";
import { canonicalJson, canonicalObject } from "../../core/canonical-json.js";
import { sha256 } from "../../core/hash.js";
import { getOwn, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import type { RiskLevel } from "../../core/skill-model.js";
import {
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
} from "../../core/syntax-node.js";
import type { SkillFiles } from "./context.js";

/** The files that a tool reads, with their contents. */
export interface ReadFiles {
  readonly files: SkillFiles;
  /** Content of each file, by its path in the project: the text, or the tree if it was parsed. */
  readonly contents: ReadonlyMap<string, string | SyntaxNode>;
}

/** Wraps files, and remembers the contents of all requested ones. */
export function remembered(files: SkillFiles): ReadFiles {
  const contents = new Map<string, string | SyntaxNode>();
  const reading = ({ readFile, readTree }: NamedFiles): NamedFiles => ({
    readFile(path, from) {
      const file = readFile(path, from);
      if (file !== undefined && !contents.has(file.path)) contents.set(file.path, file.text);
      return file;
    },
    readTree(path, from) {
      const tree = readTree(path, from);
      if (tree !== undefined) contents.set(tree.span.file, tree);
      return tree;
    },
  });
  return { files: { ...reading(files), own: reading(files.own) }, contents };
}

/** A tool in the author's words. */
export interface WrittenTool {
  readonly name: string;
  /** All keys of the tool except `accept`, which doesn't affect the tool. */
  readonly node: MapNode;
  /** Effective value of the key, possibly from the skill. The next key is also effective. */
  readonly riskLevel: RiskLevel;
  readonly requiresConfirmation: boolean;
  /** True if the word for the risk requires approval of every call. */
  readonly asksApproval: boolean;
  /** True if the word for the risk makes calls reads; absent if the kind ignores the word. */
  readonly isReadByRisk?: boolean;
  readonly kind: BindingKind;
  /** Folder of the skill, relative to the project. */
  readonly folder: string;
  readonly contents: ReadFiles["contents"];
}

/** Version of these rules. A change invalidates everything that was granted to a manifest. */
export const manifestRules = 1;
const rules = `skillc manifest ${manifestRules}`;

/**
 * Hashes the tool's manifest with SHA-256: the author's text and the files that it names. The hash
 * is the same for every version of skillc with these rules. Comments, layout, key order and
 * positions don't count. Key order does count in parts that are sent.
 */
export function manifestHash(tool: WrittenTool): string {
  const said: Record<string, JsonValue> = {};
  for (const entry of tool.node.entries) {
    const name = entry.key.value === "params" ? "parameters" : entry.key.value;
    if (!repeated.has(name)) setOwn(said, name, entryValue(entry, tool.kind));
  }
  const manifest: JsonObject = {
    rules,
    name: tool.name,
    risk_level: tool.riskLevel,
    asks_approval: tool.asksApproval,
    requires_confirmation: tool.requiresConfirmation,
    ...(tool.isReadByRisk === undefined ? {} : { read_by_risk: tool.isReadByRisk }),
    said,
  };
  const texts = Object.entries(manifest).map(([key, value]) => [key, canonicalJson(value)]);
  return sha256(canonicalObject({ ...Object.fromEntries(texts), files: filesOf(tool) }));
}

/** Keys whose effective values are hashed separately. */
const repeated: ReadonlySet<string> = new Set(["risk_level", "requires_confirmation"]);

function entryValue({ key, value }: MapEntry, kind: BindingKind): JsonValue {
  if (key.value !== "binding" || value.kind !== "map") return toJson(value);
  const binding: Record<string, JsonValue> = {};
  for (const entry of value.entries) setOwn(binding, entry.key.value, bindingValue(entry, kind));
  return binding;
}

function bindingValue(
  { key, value }: MapEntry,
  { orderedKeys = [], withoutLayout = {} }: BindingKind,
): JsonValue {
  const text = textOf(value);
  if (text !== undefined) return getOwn(withoutLayout, key.value)?.(text) ?? text;
  return orderedKeys.includes(key.value) ? inOrder(value) : toJson(value);
}

/** Converts a mapping to a list of its entries. */
function inOrder(node: SyntaxNode): JsonValue {
  return node.kind === "map"
    ? node.entries.map(({ key, value }) => [key.value, toJson(value)])
    : toJson(node);
}

/** Returns the contents of the files as canonical JSON. */
function filesOf({ contents, folder, kind }: WrittenTool): string {
  const files: Record<string, string> = {};
  for (const [path, content] of contents) {
    const said =
      typeof content === "string"
        ? canonicalJson(kind.significantText?.(path, content) ?? content.replaceAll("\r\n", "\n"))
        : canonicalTree(content);
    setOwn(files, posix.relative(folder, path), said);
  }
  return canonicalObject(files);
}

const canonical = new WeakMap<SyntaxNode, string>();

/** Returns canonical JSON of a tree, cached because many tools read the same file. */
function canonicalTree(tree: SyntaxNode): string {
  const known = canonical.get(tree) ?? canonicalJson(toJson(tree));
  canonical.set(tree, known);
  return known;
}
