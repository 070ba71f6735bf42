import type { CompileCache } from "../../compiler/compile-cache.js";
import { sha256 } from "../../core/hash.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import type { Project, ProjectConfig } from "../../core/project.js";
import type { Extent } from "../../core/source-file.js";
import type { ProjectKinds } from "./custom-kinds.js";

/** Folders in a skillc.yaml whose settings depend on no other file. */
export interface CachedSettings extends Pick<ProjectConfig, "skills" | "out" | "policies"> {
  /** Parts of skillc.yaml that nobody may see. */
  readonly hidden: readonly Extent[];
}

/** The parts of an open project that decide if its settings can be cached. */
interface Opened {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly kinds?: ProjectKinds;
  readonly diagnostics: readonly Diagnostic[];
}

/** @param text text of skillc.yaml; undefined if there is none */
export function cachedSettings(
  cache: CompileCache,
  text: string | undefined,
): CachedSettings | undefined {
  const kept = cache.get(keyOf(text));
  // The cache returns only what is stored below.
  return kept === undefined ? undefined : (JSON.parse(kept) as CachedSettings);
}

/**
 * Caches the settings of a project that was read without a problem. Skips a skillc.yaml that names
 * code or other files, or has secrets, because each run must check those.
 */
export function cacheSettings(
  { config, diagnostics, kinds, project }: Opened,
  cache: CompileCache,
): void {
  const { bindings, governance, mcp, out, policies, secretNames, settings, skills } = config;
  const asksForMore =
    governance !== undefined ||
    mcp !== undefined ||
    [bindings, secretNames, Object.keys(settings)].some((each) => each.length > 0);
  if (diagnostics.length > 0 || kinds === undefined || asksForMore) return;
  const { hidden = [], text } = project.configFile ?? {};
  const kept: CachedSettings = { skills, out, policies, hidden };
  cache.set(keyOf(text), JSON.stringify(kept));
}

function keyOf(text: string | undefined): string {
  return sha256(JSON.stringify(["skillc.yaml", text ?? null]));
}
