import type { KindRegistry } from "../bindings/registry.js";
import type { AcceptedDiagnostic, Diagnostic } from "../core/diagnostic.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { OutputFile } from "../core/output.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { Style } from "../core/style.js";
import type { CompileCache } from "./compile-cache.js";
import type { EmittedGovernance } from "./emit/emitter.js";
import type { ScheduledRunner } from "./runner.js";
import type { Stopwatch } from "./stopwatch.js";
import type { TypeChecks } from "./type-checks.js";
import type { OutputComparison } from "./verify/compare-output.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

/** All that a compilation is made of. */
export interface CompileInput {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly kinds: KindRegistry;
  readonly style: Style;
  /** Files now in the output folder, by path below it. */
  readonly previous: ReadonlyMap<string, string>;
  readonly typeCheck: TypeCheckSettings;
  readonly cache?: CompileCache;
  /** Value of a `${NAME}` on this machine; nothing is set if absent. */
  readonly setting?: (name: string) => Promise<string | undefined>;
  readonly progress?: (event: Progress) => void;
  readonly stopwatch: Stopwatch;
}

/** The step that the compiler is at, for a person who waits. */
export interface Progress {
  readonly doing: string;
  readonly done: number;
  readonly of: number;
}

/** Numbers of skills and tools. */
export interface Counts {
  readonly skills: number;
  readonly tools: number;
  /** Skills compiled in this run, and skills taken from the cache. */
  readonly compiled: number;
  readonly reused: number;
}

export interface Compilation {
  /** In source order, without accepted ones. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics that authors accept, in source order. */
  readonly accepted: readonly AcceptedDiagnostic[];
  /** Every generated file; empty when there are errors. */
  readonly files: readonly OutputFile[];
  /** Differences between the output folder and `files`. */
  readonly comparison: OutputComparison;
  readonly lowered: readonly LoweredSkill[];
  /** Governance of the project; absent if it has none. */
  readonly governance?: EmittedGovernance;
  readonly counts: Counts;
  /** Packages that generated code loads: for each need the packages that satisfy it, best first. */
  readonly packages: readonly (readonly string[])[];
}

/** A run that is under way. */
export interface RunInput extends CompileInput {
  readonly runner: ScheduledRunner;
  readonly typeChecks: TypeChecks;
}
