/**
 * Measures whole runs of the built `skillc generate` on many SQL tools, and of `tsc` on the
 * generated code. A run includes the start of PostgreSQL.
 */
import type { Measurement } from "./measurement.js";
import { writeSqlProject } from "./many-sql-tools.js";
import { measureProject, removeProjects } from "./project-runs.js";

const skills = 20;
const toolsEach = 10;

export async function measureSqlScale(): Promise<readonly Measurement[]> {
  try {
    const times = measureProject("sql", (folder) => writeSqlProject(folder, skills, toolsEach));
    const { coldMs, stages } = times;
    const cold = "a cold run over 200 SQL tools of 20 skills";
    const whole = "nothing: whole process";
    return [
      { name: "generate 200 SQL tools, cold", value: coldMs, unit: "ms", baseline: whole },
      ...stages.map(({ stage, ms }): Measurement => ({
        name: `  of it ${stage}`,
        value: ms / coldMs,
        unit: "×",
        baseline: cold,
      })),
      {
        name: "generate after an edit to one SQL skill of 20",
        value: times.editMs,
        unit: "ms",
        baseline: "PostgreSQL from its kept image",
      },
      {
        name: "generate after an edit to one SQL skill of 20",
        value: times.editMs / coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "generate with nothing changed",
        value: times.idleMs / coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "tsc --noEmit, a SQL tool",
        value: times.tscMs / (skills * toolsEach),
        unit: "ms",
        baseline: "whole process over 200 SQL tools",
      },
      {
        name: "tsc --noEmit, memory",
        value: times.tscMegabytes,
        unit: "MB",
        baseline: "whole process over 200 SQL tools",
      },
    ];
  } finally {
    removeProjects();
  }
}
