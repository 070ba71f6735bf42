import type { Finding } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import { entryOf, type MapEntry, type SyntaxNode, textOf } from "../../core/syntax-node.js";
import { didYouMean } from "../../schema/suggestion.js";
import { block, settingKeys } from "./settings-schema.js";

/** Tools where nothing looks for them: without a word about it the skill would have none. */
export interface MisplacedTools {
  readonly findings: readonly Finding[];
  /** The keys of the front matter that this is about. */
  readonly entries: ReadonlySet<MapEntry>;
}

/** The keys that tools stand under. */
export const toolsKeys: readonly string[] = ["tools", "tools_schema"];

/** Keys of the front matter, of its `metadata`, and of the metadata file, that read like tools, or like one, and are in no place of theirs. */
export function misplacedTools({ frontMatter, metadata }: SkillSyntax): MisplacedTools {
  const top = foreignKeys(frontMatter);
  const below = foreignKeys(entryOf(frontMatter, "metadata")?.value);
  const misnamed = [...top, ...below].filter(holdsTools);
  const beside = foreignKeys(metadata?.root);
  const loose = top.filter(({ value }) => isBound(value));
  return {
    findings: [
      ...misnamed.map(misnamedKey),
      ...loose.slice(0, 1).map(looseTool),
      ...beside.filter(clearlyHoldsTools).map(misnamedKey),
      ...beside
        .filter(({ value }) => isBound(value))
        .slice(0, 1)
        .map(looseTool),
    ],
    entries: new Set([...misnamed, ...loose]),
  };
}

/** Keys that mean something; what is wrong below them is reported by their own rules. */
const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
  ...toolsKeys,
  ...settingKeys,
  block,
]);

function foreignKeys(node: SyntaxNode | undefined): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries.filter(({ key }) => !known.has(key.value)) : [];
}

/** A mapping whose values are mappings with what a tool has. A key that isn't nearly `tools` must hold more than descriptions. */
function holdsTools({ key, value }: MapEntry): boolean {
  if (value.kind !== "map") return false;
  const parts = ["binding", "parameters", "params", "returns", "description"];
  const readsLikeTool = (node: SyntaxNode) =>
    isToolsName(key.value)
      ? parts.some((part) => entryOf(node, part) !== undefined)
      : isBound(node);
  return value.entries.some((each) => readsLikeTool(each.value));
}

/** Other publishers keep data of their own in a file of that name: descriptions alone are no tools there, nor are schemas under any key. */
function clearlyHoldsTools({ key, value }: MapEntry): boolean {
  if (value.kind !== "map") return false;
  const isTool = (node: SyntaxNode) =>
    ["binding", "parameters", "params"].some((part) => entryOf(node, part)?.value.kind === "map");
  return value.entries.some((each) =>
    isToolsName(key.value) ? isTool(each.value) : isBound(each.value),
  );
}

function isBound(node: SyntaxNode): boolean {
  return textOf(entryOf(entryOf(node, "binding")?.value, "type")?.value) !== undefined;
}

/** `tool`, `toolsSchema`, `Tools-Schema` */
function isToolsName(name: string): boolean {
  return (
    /^tools?([-_ ]?(schemas?|list|map|definitions?))?$/i.test(name) || nearly(name) !== undefined
  );
}

function nearly(name: string): string | undefined {
  return didYouMean(name, toolsKeys);
}

function misnamedKey({ key }: MapEntry): Finding {
  return {
    code: "skill/misplaced-tools",
    span: key.span,
    message: `${quote(key.value)} holds tools, and no tools are looked for there`,
    help: nearly(key.value) ?? "name the key `tools_schema` or `tools`",
  };
}

function looseTool({ key }: MapEntry): Finding {
  return {
    code: "skill/misplaced-tools",
    span: key.span,
    message: `${quote(key.value)} reads like a tool, and does not stand in \`tools\``,
    help: "put it below the key `tools_schema` or `tools`, indented deeper",
  };
}
