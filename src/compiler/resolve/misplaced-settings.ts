import { bindingSchema } from "../../kit/common-keys.js";
import { handlerBinding } from "../../bindings/handler/index.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { entryOf, type MapEntry, textOf } from "../../core/syntax-node.js";
import { fitsShape } from "../../schema/check-shape.js";
import { governanceKeySchemas } from "../config/governance-schema.js";
import { governanceSchema } from "./resolve-governance.js";

/** A place for settings, other than the top level of a skill. */
interface SettingOwner {
  /** Its name in messages, with an article. */
  readonly name: string;
  readonly help: string;
}

const tool: SettingOwner = { name: "a tool", help: "write it below the tool's name" };
const governance: SettingOwner = {
  name: "a tool's `governance`",
  help: "write it under `governance` of the tool",
};
const binding: SettingOwner = { name: "a binding", help: "write it under `binding` of the tool" };
const project: SettingOwner = { name: "the project", help: "write it in skillc.yaml" };

/** A correctly named setting in a place that skillc does not read. */
interface MisplacedSetting {
  readonly owner: SettingOwner;
  /** True if the setting protects calls and its value is valid. */
  readonly isCertain: boolean;
}

/** A key of an owner, with the values that the owner accepts. */
interface OwnedKey {
  readonly key: string;
  readonly owner: SettingOwner;
  readonly schema: JsonObject;
}

/** Settings that protect calls: authorization, approval, limits, and the data that is sent. */
const protecting: readonly OwnedKey[] = [
  { key: "governance", owner: project, schema: governanceKeySchemas.governance },
  { key: "governance", owner: tool, schema: governanceSchema },
  ...["scopes", "approval", "limits", "idempotency", "concurrency"].map((key) => ({
    key,
    owner: governance,
    schema: propertyOf(governanceSchema, key),
  })),
  // The tool's own schema accepts any text, and the check of the text needs the binding.
  { key: "capabilities", owner: governance, schema: governanceKeySchemas.capabilities },
  // `active` is the default, so only `shadow` protects calls.
  { key: "mode", owner: binding, schema: { const: "shadow" } },
  { key: "effect", owner: binding, schema: propertyOf(bindingSchema(handlerBinding), "effect") },
  ...(["grants", "quotas", "obligations"] as const).map((key) => ({
    key,
    owner: project,
    schema: { ...governanceKeySchemas[key], minItems: 1 },
  })),
];

/** Names with hardly another meaning than the setting. A value of another type may be a mistake. */
const ownWords: ReadonlySet<string> = new Set(["governance", "approval", "scopes", "limits"]);

/** Other settings. Their names are ordinary words, so their values must have the setting's form. */
const others: readonly OwnedKey[] = [
  { key: "retry", owner: binding, schema: propertyOf(bindingSchema(handlerBinding), "retry") },
  { key: "idempotency", owner: binding, schema: { const: "natural" } },
  { key: "deprecated", owner: tool, schema: { enum: [true] } },
  ...["parameters", "params", "returns"].map((key) => ({
    key,
    owner: tool,
    schema: { anyOf: [{ required: ["type"] }, { required: ["properties"] }], type: "object" },
  })),
];

/**
 * Finds a setting of a tool, its governance, its binding, or the project. Common words (`mode`,
 * `url`, `query`) count only if skillc's setting accepts the value.
 */
export function misplacedSetting(
  entry: MapEntry,
  kinds: KindRegistry,
): MisplacedSetting | undefined {
  const certain = protectingSetting(entry);
  if (certain !== undefined) return { owner: certain, isCertain: true };
  const name = entry.key.value;
  const doubtful =
    (ownWords.has(name) ? protecting.find(({ key }) => key === name) : undefined)?.owner ??
    others.find((each) => fits(entry, each))?.owner ??
    (isBinding(entry, kinds) ? tool : undefined) ??
    (isLongBindingKey(name, kinds) ? binding : undefined);
  return doubtful && { owner: doubtful, isCertain: false };
}

/** Returns the owner of a setting that protects calls, if the value is valid. */
export function protectingSetting(entry: MapEntry): SettingOwner | undefined {
  return protecting.find((each) => fits(entry, each))?.owner;
}

/** Returns the owner of a setting that protects calls, unless the owner is a binding. */
export function settingBesideBinding(entry: MapEntry): SettingOwner | undefined {
  return protecting.find((each) => each.owner !== binding && fits(entry, each))?.owner;
}

function fits({ key, value }: MapEntry, owned: OwnedKey): boolean {
  return key.value === owned.key && fitsShape(value, owned.schema);
}

function isBinding({ key, value }: MapEntry, { types }: KindRegistry): boolean {
  const type = textOf(entryOf(value, "type")?.value);
  return key.value === "binding" && type !== undefined && types.includes(type);
}

/**
 * Checks for a key of several words, such as `timeout_ms` and `read_only`, which rarely belongs to
 * another program.
 */
function isLongBindingKey(name: string, { all }: KindRegistry): boolean {
  if (!name.includes("_")) return false;
  return all.some((kind) => Object.hasOwn(propertiesOf(bindingSchema(kind)), name));
}

function propertyOf(schema: JsonObject, key: string): JsonObject {
  return objectOf(getOwn(propertiesOf(schema), key));
}

function propertiesOf(schema: JsonObject): JsonObject {
  return objectOf(schema["properties"]);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
