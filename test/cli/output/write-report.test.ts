import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isReportHtml, renderReportHtml } from "../../../src/cli/ledger/report/html/page.js";
import { writeReport } from "../../../src/cli/output/write-report.js";
import { filesIn, makeProject } from "../support/command-line.js";

const page = renderReportHtml([], { made: new Date(0) });

function write(root: string, path: string): void {
  writeReport(root, { path, written: path, text: page, isOurs: isReportHtml });
}

test("a report replaces an earlier one and an empty file, inside and outside of the project", () => {
  const root = makeProject({ "project/empty.html": "" });
  const project = join(root, "project");
  for (const path of ["project/empty.html", "project/new/report.html", "outside.html"]) {
    write(project, join(root, path));
    write(project, join(root, path));
    expect(readFileSync(join(root, path), "utf8")).toBe(page);
  }
});

test("a report replaces no other file", () => {
  const files = { "project/README.md": "mine", "notes.txt": "mine" };
  const root = makeProject(files);
  for (const path of Object.keys(files))
    expect(() => write(join(root, "project"), join(root, path))).toThrow("skillc did not write it");
  expect(filesIn(root)).toEqual(files);
});

test("a report follows no link below the project, not even to nothing", () => {
  const root = makeProject({ "project/x": "", "victim/x": "" });
  symlinkSync("../victim/new.html", join(root, "project/report.html"));
  symlinkSync("../victim", join(root, "project/reports"));
  for (const path of ["report.html", "reports/new.html"])
    expect(() => write(join(root, "project"), join(root, "project", path))).toThrow("is a link");
  expect(filesIn(root)).toEqual({ "project/x": "", "victim/x": "" });
});

test("a report may go to a device outside the project", () => {
  expect(() => write(makeProject(), "/dev/null")).not.toThrow();
});
