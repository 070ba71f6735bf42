/**
 * Builds before tests that need `dist`: they start threads and processes of the command line, or
 * read the types of the runtime's package. `SKILLC_BUILT` skips the build.
 */
import { execFileSync } from "node:child_process";

export default function buildOnce(): void {
  execFileSync("npm", ["run", "--silent", "build:once"], { stdio: "inherit" });
  process.env["SKILLC_BUILT"] = "1";
}
