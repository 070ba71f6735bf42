/**
 * Measures whole runs of the built `skillc generate` on many skills, and of `tsc` on the generated
 * code.
 */
import type { Measurement } from "./measurement.js";
import { writeProject } from "./many-skills.js";
import { measureProject, removeProjects } from "./project-runs.js";

export async function measureScale(): Promise<readonly Measurement[]> {
  try {
    const thousand = measureProject("100x10", (folder) => writeProject(folder, 100, 10));
    const twoThousand = measureProject("200x10", (folder) => writeProject(folder, 200, 10));
    const cold = "a cold run over 1,000 tools of 100 skills";
    return [
      {
        name: "generate 1,000 tools, cold",
        value: thousand.coldMs,
        unit: "ms",
        baseline: "nothing: whole process",
      },
      ...thousand.stages.map(({ stage, ms }): Measurement => ({
        name: `  of it ${stage}`,
        value: ms / thousand.coldMs,
        unit: "×",
        baseline: cold,
      })),
      {
        name: "generate 2,000 tools, cold",
        value: twoThousand.coldMs / thousand.coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "generate after an edit to one skill of 100",
        value: thousand.editMs / thousand.coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "generate with nothing changed",
        value: thousand.idleMs / thousand.coldMs,
        unit: "×",
        baseline: cold,
      },
      {
        name: "tsc --noEmit, a tool",
        value: thousand.tscMs / 1000,
        unit: "ms",
        baseline: "whole process over 1,000 tools",
      },
      {
        name: "tsc --noEmit, memory",
        value: thousand.tscMegabytes,
        unit: "MB",
        baseline: "whole process over 1,000 tools",
      },
    ];
  } finally {
    removeProjects();
  }
}
