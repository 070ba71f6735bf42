import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { SqlConfig } from "../model.js";
import type { ToolForm } from "../../binding.js";
import type { KnownDatabase } from "../database/open-database.js";

/** A tool whose statement is analyzed. */
export interface StatementInput {
  readonly tool: ToolModel;
  readonly config: SqlConfig;
  /** Absent when it can't be had, which is reported: then the statement is only parsed. */
  readonly database: KnownDatabase | undefined;
  readonly report: Report;
  /** `plain`: as a template of its own text, whatever Kysely has words for. */
  readonly form: ToolForm;
}
