import type { Code } from "../core/code.js";
import type { Diagnostic } from "../core/diagnostic.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { Acceptance } from "../core/skill-model.js";
import type { OutputFile } from "../core/output.js";
import type { CatalogEntry } from "./emit/catalog-data.js";
import type { CacheEntry } from "./compile-cache.js";

/**
 * Contribution of one skill to a compilation. Without `fresh` it is plain data, so that it can be
 * cached.
 */
export interface Unit {
  readonly folder: string;
  /** Absent if the skill has errors. */
  readonly lowered?: LoweredSkill;
  /** The skill's part of the catalog; absent with `lowered`. */
  readonly catalog?: CatalogEntry;
  readonly files: readonly OutputFile[];
  /** Files that it needs and that other skills may need too. */
  readonly shared: readonly OutputFile[];
  /** Fingerprints of what its tools were analyzed with, by binding kind. */
  readonly sessions: { readonly [type: string]: string };
  /** All diagnostics, including accepted ones. */
  readonly diagnostics: readonly Diagnostic[];
  /** The author's valid acceptances. */
  readonly acceptances: readonly Acceptance[];
  /**
   * Every file that was looked at, by path, with the hash of its text; null for one that was not
   * there.
   */
  readonly reads: { readonly [path: string]: string | null };
  /** The modules made in this run; absent when the unit comes from the cache. */
  readonly fresh?: readonly PrintedModule[];
  /** Further entries of this run to cache; absent if the unit comes from the cache. */
  readonly made?: readonly CacheEntry[];
  /** Keys of entries that are to be kept as long as the unit is. */
  readonly keys: readonly string[];
  /** Hash of the code of its tools that modules of other skills are type-checked with. */
  readonly types: string;
}

/** A module with the rope that it was printed from: the type check reports problems through it. */
export interface PrintedModule {
  readonly file: OutputFile;
  readonly draft: Code;
  /**
   * Hash of other modules that affect the type check; absent for a module that imports nothing from
   * the output.
   */
  readonly environment?: string;
  /**
   * Set on those of a skill with a custom kind: they import code of the user's own, which may
   * change without a trace.
   */
  readonly importsOwnCode?: true;
}
