import type { Needles } from "./needles.js";

/** Looks for needles in values, in keys and texts at any depth. Texts may be JSON or YAML. */
export function leaksIn(values: readonly unknown[], needles: Needles): readonly string[] {
  const keys = new Set<string>();
  const texts = new Set<string>();
  for (const value of values) collect(value, { keys, texts });
  const all = [...keys, ...texts].join("\n");
  const words = [...needles.credentials, ...needles.urls, ...needles.sql, "${"];
  return [
    ...words.filter((word) => all.includes(word)),
    ...needles.keys.filter((key) => keys.has(key) || new RegExp(`^[\\s-]*${key}:`, "m").test(all)),
  ];
}

interface Collected {
  readonly keys: Set<string>;
  readonly texts: Set<string>;
}

function collect(value: unknown, collected: Collected): void {
  if (typeof value === "string") collectText(value, collected);
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (!Array.isArray(value)) collected.keys.add(key);
    collect(each, collected);
  }
}

function collectText(text: string, collected: Collected): void {
  collected.texts.add(text);
  if (!/^[[{]/.test(text)) return;
  try {
    collect(JSON.parse(text), collected);
  } catch {
    // The text is no JSON, and was added as it is.
  }
}
