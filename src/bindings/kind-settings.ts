import type { JsonObject } from "../core/json.js";
import type { ProjectConfig } from "../core/project.js";
import type { Report } from "../core/report.js";
import type { MapNode } from "../core/syntax-node.js";
import type { BindingKind, KindSettings } from "../kit/binding.js";
import { commandSettings } from "./command/compile/settings.js";
import { sqlSettings } from "./sql/settings.js";

/**
 * Settings of kinds in skillc.yaml. They are separate from the registry, because reading
 * skillc.yaml loads no kind.
 */
const kindSettings: readonly KindSettings[] = [commandSettings, sqlSettings];

/** JSON Schemas of the settings, by key. */
export const settingsSchemas: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  kindSettings.flatMap(({ beside = {}, key, schema }) => [
    [key, schema],
    ...Object.entries(beside),
  ]),
);

/** Reads the settings of a kind in skillc.yaml; undefined if the kind has none. */
export function readSettings(kind: BindingKind, config: ProjectConfig, report: Report): unknown {
  const { beside = {} } = kind.settings ?? {};
  const found = Object.keys(beside).flatMap((key) => {
    const node = config.settings[key];
    return node === undefined ? [] : [[key, node] as const];
  });
  return kind.settings?.read(settingsNode(kind, config), report, Object.fromEntries(found));
}

/** Returns the value of a kind's key in skillc.yaml. */
export function settingsNode(kind: BindingKind, { settings }: ProjectConfig): MapNode | undefined {
  return kind.settings && settings[kind.settings.key];
}

/** Globs of the files that kinds' settings name, relative to skillc.yaml. */
export function filesOfSettings({ settings }: ProjectConfig): readonly string[] {
  return kindSettings.flatMap((each) => {
    const node = settings[each.key];
    return node === undefined ? [] : each.files(node);
  });
}
