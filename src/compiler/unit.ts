import type { Code } from "../core/code.js";
import type { Diagnostic } from "../core/diagnostic.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { Acceptance } from "../core/skill-model.js";
import type { OutputFile } from "../core/output.js";
import type { CacheEntry } from "./compile-cache.js";

/**
 * Contribution of one skill to a compilation. Without `fresh` it is plain data, so that it can be
 * cached.
 */
export interface Unit {
  readonly folder: string;
  /** Absent if the skill has errors. */
  readonly lowered?: LoweredSkill;
  /** Set if other tools decide about some of its tools, and did not yet. Nothing is printed then. */
  readonly isUnlinked?: true;
  readonly files: readonly OutputFile[];
  /** Files that the skill needs and that other skills may need too. */
  readonly shared: readonly OutputFile[];
  /** Fingerprints of the sessions that analyzed its tools, by binding kind. */
  readonly sessions: { readonly [type: string]: string };
  /** All diagnostics, including accepted ones. */
  readonly diagnostics: readonly Diagnostic[];
  /** The author's valid acceptances. */
  readonly acceptances: readonly Acceptance[];
  /** Hash of the text of every accessed file, by path; null for one that did not exist. */
  readonly reads: { readonly [path: string]: string | null };
  /** Modules made in this run; absent if the unit comes from the cache. */
  readonly fresh?: readonly PrintedModule[];
  /** Further entries of this run to cache; absent if the unit comes from the cache. */
  readonly made?: readonly CacheEntry[];
  /** Keys of cache entries to keep as long as the unit. */
  readonly keys: readonly string[];
  /** Hash of its tools' code that affects type checks of modules of other skills. */
  readonly types: string;
}

/** A module with its draft, through which the type check finds places of problems. */
export interface PrintedModule {
  readonly file: OutputFile;
  readonly draft: Code;
  /**
   * Hash of other modules that affect the type check; absent for a module that imports nothing from
   * the output.
   */
  readonly environment?: string;
  /**
   * Set for modules of a skill with a custom kind. They import the user's code, which may change
   * unnoticed.
   */
  readonly importsOwnCode?: true;
}
