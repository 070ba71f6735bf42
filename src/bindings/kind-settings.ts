import type { JsonObject } from "../core/json.js";
import type { ProjectConfig } from "../core/project.js";
import type { Report } from "../core/report.js";
import type { MapNode } from "../core/syntax-node.js";
import type { BindingKind, KindSettings } from "../kit/binding.js";
import { sqlSettings } from "./sql/settings.js";

/**
 * The keys of skillc.yaml that are a kind's own, one line each. They stand apart from the registry:
 * reading skillc.yaml loads no kind.
 */
const kindSettings: readonly KindSettings[] = [sqlSettings];

/** All of these keys, each with the JSON Schema of its value. */
export const settingsSchemas: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  kindSettings.flatMap(({ beside = {}, key, schema }) => [
    [key, schema],
    ...Object.entries(beside),
  ]),
);

/** What a kind reads of skillc.yaml; undefined for a kind that has no settings. */
export function readSettings(kind: BindingKind, config: ProjectConfig, report: Report): unknown {
  const { beside = {} } = kind.settings ?? {};
  const found = Object.keys(beside).flatMap((key) => {
    const node = config.settings[key];
    return node === undefined ? [] : [[key, node] as const];
  });
  return kind.settings?.read(settingsNode(kind, config), report, Object.fromEntries(found));
}

/** What skillc.yaml says to a kind, under its own key. */
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
