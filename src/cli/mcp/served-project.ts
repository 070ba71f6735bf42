import type { Caller } from "@skillc/runtime";
import type { McpServerOptions } from "@skillc/runtime/mcp";
import type { ProjectConfig } from "../../core/project.js";
import type { ModuleSources } from "../project/module-sources.js";

/** The project that is served. */
export interface ServedProject {
  /** Path of the project's folder. */
  readonly root: string;
  readonly settings: ProjectConfig;
  readonly sources: ModuleSources;
  readonly caller: Caller;
  /** Path of a module that exports `handlers`. */
  readonly handlers?: string | undefined;
  readonly outputSchemas?: "none" | undefined;
  /** Who may call over HTTP; undefined over stdio. */
  readonly auth: McpServerOptions["auth"] | undefined;
}
