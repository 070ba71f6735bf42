import { execFile } from "node:child_process";

/** Whether git leaves that file out of commits; undefined outside a repository or without git. */
export function gitIgnores(root: string, file: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    execFile(
      "git",
      ["check-ignore", "--quiet", "--", file],
      { cwd: root, timeout: 5000 },
      (error) => {
        if (error === null) resolve(true);
        else resolve(error.code === 1 ? false : undefined);
      },
    );
  });
}
