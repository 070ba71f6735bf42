import { getOwn, isJsonObject, type JsonValue } from "../../core/json.js";
import { listed, quote } from "../../core/names.js";
import { entryOf, type MapEntry } from "../../core/syntax-node.js";
import type { BindingKind } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { bindingSchema } from "../../kit/common-keys.js";
import { schemaMark } from "../../schema/editor-marks.js";
import { type OtherWords, plainWord } from "../../schema/other-words.js";
import { settingBesideBinding } from "./misplaced-settings.js";
import { acceptKey, mapsCodes } from "./skill-settings.js";
import { toolKeys } from "./tool-schema.js";

/**
 * Help for a key below `binding` that belongs to the tool, or to its governance.
 *
 * @param words words that also mean a key of the binding. If the key is such a word, it belongs to
 *   the tool only if its value looks like a JSON Schema.
 */
export function helpForToolKey(entry: MapEntry, words: OtherWords): string | undefined {
  const { key, value } = entry;
  const isToolKey =
    key.value === acceptKey
      ? mapsCodes(value)
      : toolKeys.includes(key.value) &&
        (!words.has(plainWord(key.value)) ||
          (entryOf(value, "type") ?? entryOf(value, "properties")) !== undefined);
  return isToolKey ? "it belongs to the tool, beside `binding`" : settingBesideBinding(entry)?.help;
}

const belowBinding = "write it under `binding` of the tool";

/** Help for a key beside `binding` that belongs below it. Without a known type, all kinds count. */
export function helpForBindingKey(
  name: string,
  bindingType: string,
  kinds: KindRegistry,
): string | undefined {
  const own = kinds.find(bindingType);
  const owners = own === undefined ? kindsWith(name, kinds) : kindsWith(name, { all: [own] });
  return owners.length > 0 ? belowBinding : undefined;
}

/** Help for a key beside `binding` that only bindings of other kinds have. */
export function helpForOtherKindsKey(
  name: string,
  bindingType: string,
  kinds: KindRegistry,
): string | undefined {
  const types = kindsWith(name, kinds).map(({ type }) => quote(type));
  if (types.length === 0) return undefined;
  return `it is a key of bindings of type ${listed(types)}, and this binding has the type ${quote(bindingType)}`;
}

/** Checks if the value of a binding's key is an author's JSON Schema, as of `error_schema`. */
export function isSchemaOfBinding(name: string, { all }: KindRegistry): boolean {
  return all.some((kind) => {
    const schema = keyOf(kind, name);
    return isJsonObject(schema) && schema[schemaMark] === true;
  });
}

function kindsWith(name: string, { all }: Pick<KindRegistry, "all">): readonly BindingKind[] {
  return all.filter((kind) => keyOf(kind, name) !== undefined);
}

/** Schema of a key of the kind's bindings. */
function keyOf(kind: BindingKind, name: string): JsonValue | undefined {
  const properties = bindingSchema(kind)["properties"];
  return isJsonObject(properties) ? getOwn(properties, name) : undefined;
}
