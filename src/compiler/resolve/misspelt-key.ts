import { entryOf, type MapEntry, textOf } from "../../core/syntax-node.js";
import { schemaTypes } from "../../schema/keywords.js";
import { plainWord } from "../../schema/other-words.js";
import { didYouMean } from "../../schema/suggestion.js";
import { isOnlyToolWord, toolWords } from "./other-words.js";

/** The types of the short form, which are JSON Schema's without null. */
export const typeNames: readonly string[] = schemaTypes.filter((name) => name !== "null");

/** The tool's own keys that hold mappings which could pass for a parameter's. */
const mappingKeys = ["parameters", "params", "returns", "binding"];

/** English words that are nearly `returns`, and may name a number or a flag. */
const ordinaryWords: ReadonlySet<string> = new Set(["return", "returned", "reruns", "retunes"]);

/**
 * Whether a key was most likely meant for one of the tool's own, though its value could pass for a parameter's.
 *
 * @param strays every key of the tool that is not its own
 */
export function isMisspeltKey(entry: MapEntry, strays: readonly MapEntry[]): boolean {
  const { key, value } = entry;
  if (value.kind !== "map") return false;
  const type = textOf(entryOf(value, "type")?.value);
  const holdsSchema = entryOf(value, "properties") !== undefined;
  const holdsBinding = type !== undefined && !typeNames.includes(type);
  return (
    ((holdsSchema || holdsBinding) && didYouMean(key.value, mappingKeys) !== undefined) ||
    isNearlyReturns(key.value, type) ||
    isOnlyToolWord(key.value) ||
    (holdsSchema && strays.length === 1 && isWordForParameters(key.value))
  );
}

/** A parameter's own name may end in `?`, or be a word; that of a list is hardly either. */
function isNearlyReturns(key: string, type: string | undefined): boolean {
  if (key.endsWith("?") || didYouMean(key, ["returns"]) === undefined) return false;
  return type === "array" || !ordinaryWords.has(key.toLowerCase());
}

/** The only parameter of a tool may be named `args`, but hardly describe properties of its own. */
function isWordForParameters(key: string): boolean {
  return toolWords.get(plainWord(key))?.some(([name]) => name === "parameters") ?? false;
}
