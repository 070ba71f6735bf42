import type { KindRegistry } from "../bindings/registry.js";
import type { AcceptedDiagnostic, Diagnostic } from "../core/diagnostic.js";
import type { McpData } from "@skillc/runtime/mcp";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { OutputFile } from "../core/output.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { Span } from "../core/span.js";
import type { Style } from "../core/style.js";
import type { CompileCache } from "./compile-cache.js";
import type { EmittedGovernance } from "./emit/emitter.js";
import type { ScheduledRunner } from "./runner.js";
import type { Stopwatch } from "./stopwatch.js";
import type { TypeChecks } from "./type-checks.js";
import type { OutputComparison } from "./verify/compare-output.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

/** Everything that determines a compilation. */
export interface CompileInput {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly kinds: KindRegistry;
  readonly style: Style;
  /** Current files of the output folder, by path below it. */
  readonly previous: ReadonlyMap<string, string>;
  readonly typeCheck: TypeCheckSettings;
  readonly cache?: CompileCache;
  /** Returns the value of a `${NAME}` on this machine. Without it, nothing is set. */
  readonly setting?: (name: string) => Promise<string | undefined>;
  readonly progress?: (event: Progress) => void;
  readonly stopwatch: Stopwatch;
}

/** Current step of the compiler, for a person who waits. */
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
  /** Diagnostics in source order, without accepted ones. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics that authors accept, in source order. */
  readonly accepted: readonly AcceptedDiagnostic[];
  /** All generated files; empty if there are errors. */
  readonly files: readonly OutputFile[];
  /** Differences between the output folder and `files`. */
  readonly comparison: OutputComparison;
  readonly lowered: readonly LoweredSkill[];
  /** Governance of the project; absent if it has none. */
  readonly governance?: EmittedGovernance;
  readonly counts: Counts;
  /** The skills as clients see them; absent without `linked` files of the project, and after errors. */
  readonly published?: Published;
  /**
   * Packages that generated code loads. Each requirement has the packages that satisfy it, best
   * first.
   */
  readonly packages: readonly (readonly string[])[];
}

/** Data and files that the project publishes to clients of its MCP server. */
export interface Published {
  readonly data: McpData;
  /** Linked files that are left out, with the reason. */
  readonly left: readonly UnpublishedFile[];
}

/** A file that a skill links to, but doesn't publish. */
export interface UnpublishedFile {
  readonly skill: string;
  /** Path below the skill's folder. */
  readonly path: string;
  /** Reason in words that follow the file's name. */
  readonly problem: string;
  /** The link, in SKILL.md. */
  readonly span: Span;
}

/** A run that is under way. */
export interface RunInput extends CompileInput {
  readonly runner: ScheduledRunner;
  readonly typeChecks: TypeChecks;
}
