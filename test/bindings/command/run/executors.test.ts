import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { dockerArguments } from "../../../../src/bindings/command/run/executors/docker.js";
import type { PlacedCommand } from "../../../../src/bindings/command/run/executors/executor.js";
import {
  limitArguments,
  sandboxOptions,
} from "../../../../src/bindings/command/run/executors/sandbox.js";

const command: PlacedCommand = {
  program: "/usr/bin/git",
  shownProgram: "git",
  args: ["status", "--", "a b"],
  directory: "/project",
  cwd: "/project/workspace",
  read: ["/project/workspace"],
  write: ["/project/workspace/out"],
  temporary: { access: "read", places: [] },
  kept: [],
  network: "none",
  env: { TOKEN: "s3cret" },
  stdin: undefined,
  scripts: undefined,
  timeoutMs: 60_000,
  callId: "0f",
};

describe("the arguments of docker", () => {
  test("confine the container, and mount the allowed folders alone", () => {
    expect(dockerArguments(command, "alpine@sha256:00", "1000:1000")).toEqual([
      "run",
      "--rm",
      "--init",
      "--name",
      "skillc-0f",
      "--network",
      "none",
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--cap-drop",
      "ALL",
      "--security-opt",
      "no-new-privileges",
      "--user",
      "1000:1000",
      "--workdir",
      "/project/workspace",
      "--env",
      "TOKEN",
      "--mount",
      'type=bind,"source=/project/workspace","target=/project/workspace",readonly',
      "--mount",
      'type=bind,"source=/project/workspace/out","target=/project/workspace/out"',
      "alpine@sha256:00",
      "/usr/bin/git",
      "status",
      "--",
      "a b",
    ]);
  });

  test("contain no value of an environment variable", () => {
    expect(dockerArguments(command, "alpine", "0:0").join(" ")).not.toContain("s3cret");
  });

  test("quote commas and quotes of a path, which would begin another option", () => {
    const path = '/a",readonly=false,"x';
    const found = dockerArguments({ ...command, read: [path], write: [] }, "alpine", "0:0");
    expect(found).toContain(
      'type=bind,"source=/a"",readonly=false,""x","target=/a"",readonly=false,""x",readonly',
    );
  });

  test.each(["read", "write"] as const)("mount a temporary folder to %s it", (access) => {
    const temporary = { access, places: [{ path: "/tmp/t", bytes: 1, expiresMs: 1 }] };
    const found = dockerArguments({ ...command, temporary }, "alpine", "0:0");
    const end = access === "read" ? ",readonly" : "";
    expect(found).toContain(`type=bind,"source=/tmp/t","target=/tmp/t"${end}`);
  });

  test("keep standard input open and mount the scripts only if the command needs them", () => {
    const fed = dockerArguments({ ...command, stdin: "x", scripts: "/s" }, "alpine", "0:0");
    expect(fed).toContain("--interactive");
    expect(fed).toContain('type=bind,"source=/s","target=/skill",readonly');
  });
});

describe("the options of bubblewrap", () => {
  test("mount an inner folder after the one around it, and a read folder read-only", () => {
    const options = sandboxOptions(command, ["/opt/node"], true).join(" ");
    expect(options).toContain(
      "--ro-bind /opt/node /opt/node --ro-bind /project/workspace /project/workspace --bind /project/workspace/out /project/workspace/out --remount-ro /dev --remount-ro / --chdir /project/workspace",
    );
    expect(options).toContain("--die-with-parent --new-session --clearenv");
    expect(options).not.toContain("--share-net");
  });

  test.each([true, false])(
    "take all privileges of the process, whatever the version of bubblewrap (modern: %s)",
    (isModern) => {
      const options = sandboxOptions(command, [], isModern).join(" ");
      expect(options).toContain("--unshare-all");
      expect(options).toContain("--cap-drop ALL");
      expect(options.includes("--unshare-user --disable-userns")).toBe(isModern);
      expect(options.includes("--size")).toBe(isModern);
    },
  );

  test("cover the project's credentials and ledger, if they are below an allowed folder", () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "skillc-covered-")));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    mkdirSync(join(directory, ".skillc"));
    mkdirSync(join(directory, "inner"));
    writeFileSync(join(directory, ".env.local"), "");
    symlinkSync(".env.local", join(directory, ".env"));
    const optionsOf = (folder: string) => {
      const placed = { ...command, directory, read: [], write: [folder] };
      return {
        sandbox: sandboxOptions(placed, [], true).join(" "),
        docker: dockerArguments(placed, "alpine", "0:0").join(" "),
      };
    };
    const { docker, sandbox } = optionsOf(directory);
    expect(sandbox).toContain(
      `--bind ${directory} ${directory} --ro-bind-data 5 ${directory}/.env.local --tmpfs ${directory}/.skillc`,
    );
    expect(docker).toContain(
      `--mount type=bind,"source=/dev/null","target=${directory}/.env.local",readonly`,
    );
    expect(docker).toContain(`--mount type=tmpfs,"target=${directory}/.skillc"`);
    const inner = optionsOf(join(directory, "inner"));
    expect(`${inner.docker} ${inner.sandbox}`).not.toMatch(/\.skillc|\.env/);
  });

  test("share the network and the names of hosts only if the command asks for it", () => {
    const options = sandboxOptions({ ...command, network: "host" }, [], true);
    expect(options).toContain("--share-net");
    expect(options).toContain("/etc/resolv.conf");
    expect(sandboxOptions(command, [], true)).not.toContain("/etc/resolv.conf");
  });

  test("set an empty home folder, and the variables of the skill", () => {
    const options = sandboxOptions(command, [], true).join(" ");
    expect(options).toContain("--setenv HOME /tmp");
    expect(options).toContain("--setenv TOKEN s3cret");
  });
});

test("the limits of a process grow with its time limit", () => {
  expect(limitArguments({ timeoutMs: 1000 })[0]).toMatch(/^--cpu=\d+$/);
  expect(limitArguments({ timeoutMs: 1000 }).slice(1)).toEqual([
    "--data=4294967296",
    "--fsize=2147483648",
    "--core=0",
    "--",
  ]);
});
