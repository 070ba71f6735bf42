import type { ProjectConfig } from "../core/project.js";
import type { MapNode } from "../core/syntax-node.js";
import type { BindingKind, KindSettings } from "./binding.js";
import { sqlSettings } from "./sql/settings.js";

/**
 * The keys of skillc.yaml that are a kind's own, one line each. They stand apart from the registry:
 * reading skillc.yaml loads no kind.
 */
export const kindSettings: readonly KindSettings[] = [sqlSettings];

/** What skillc.yaml says to a kind. */
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
