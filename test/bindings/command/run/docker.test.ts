/** The executor `docker` with a program in place of Docker, which records how it is called. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CommandContract } from "../../../../src/bindings/command/run/contract.js";
import { type Params, projectWith } from "./support.js";

/** Puts a program `docker` first in PATH. */
function withDocker(
  script: string,
  contract: Partial<CommandContract<Params>> = {},
  options: { readonly timeoutMs?: number } = {},
) {
  const project = projectWith(
    {
      executor: "docker",
      docker: { image: "alpine@sha256:00" },
      argv: () => ["true"],
      effect: "write",
      ...contract,
    },
    options,
  );
  const bin = join(project.directory, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "docker"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "docker"), 0o755);
  const before = process.env["PATH"];
  process.env["PATH"] = `${bin}:${before}`;
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
  return project;
}

describe("the executor docker", () => {
  test("starts nothing and says so if no engine answers", async () => {
    const mark = "$(dirname $0)/../ran";
    const { directory, errorOf } = withDocker(`[ "$1" = version ] && exit 1; touch ${mark}`);
    expect(await errorOf()).toMatchObject({
      code: "PROVIDER.UNAVAILABLE",
      outcome: "not-done",
      message: expect.stringContaining("no engine of containers answers"),
    });
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  test("hands variables over by name, and reads the output of the container", async () => {
    const { call } = withDocker(
      '[ "$1" = version ] && exit 0; printf "%s\\n" "$@"; echo "TOKEN=$TOKEN"',
      { env: { TOKEN: "t0ken" }, output: "lines" },
    );
    const { data } = (await call()) as unknown as { data: readonly string[] };
    expect(data.at(-1)).toBe("TOKEN=t0ken");
    expect(data.slice(0, -1).join(" ")).not.toContain("t0ken");
    expect(data).toEqual(expect.arrayContaining(["run", "--rm", "--env", "TOKEN", "true"]));
  });

  test("kills the container of a call that reaches its time limit", async () => {
    const { directory, errorOf } = withDocker(
      'case "$1" in version) exit 0;; kill) echo "$2" > "$(dirname $0)/../killed"; exit 0;; esac; trap "" TERM; while :; do sleep 0.1; done',
      {},
      { timeoutMs: 500 },
    );
    expect(await errorOf()).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "unknown" });
    const killed = join(directory, "killed");
    await expect.poll(() => existsSync(killed), { timeout: 10_000 }).toBe(true);
    await expect.poll(() => readFileSync(killed, "utf8")).toMatch(/^skillc-[0-9a-f-]{36}\n$/);
  });
});
