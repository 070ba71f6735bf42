import { spawn } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

const programs = {
  skillc: join(root, "dist/cli/bin.js"),
  tsc: join(root, "node_modules/typescript/bin/tsc"),
};

export interface RunOptions {
  /** True if the program should fail, because it should find a mistake. */
  readonly fails?: boolean;
}

/** Runs a program of this project, with output to this terminal. */
export async function run(
  program: keyof typeof programs,
  args: readonly string[],
  { fails = false }: RunOptions = {},
): Promise<void> {
  const child = spawn(process.execPath, [programs[program], ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const failed = code !== 0;
  if (failed !== fails) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
}
