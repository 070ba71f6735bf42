/**
 * Attempts of a process to leave its sandbox. Each prints `out` if it succeeds, and harms nothing
 * then.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { value } from "../../../../src/bindings/command/run/arguments.js";
import { sandboxOptions } from "../../../../src/bindings/command/run/executors/sandbox.js";
import { absenceOf, describeUnless } from "../../../support/service.js";
import { bubblewrap, type Params, projectWith } from "./support.js";

/** Shell scripts that run in the project's folder, with `in` to read. */
const attempts: Readonly<Record<string, string>> = {
  "mounting a read-only folder again": "mount -o remount,rw,bind $PWD/in && touch in/x && echo out",
  "mounting the system again": "mount -o remount,rw,bind /usr && echo out",
  "unmounting a folder": "umount $PWD/in && echo out",
  "mounting a file system": "mount -t tmpfs none /tmp && echo out",
  "a new user namespace": "unshare -Urm true && echo out",
  "a device": "mknod /tmp/sda b 8 0 && echo out",
  "the disks of this machine": "ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmsg && echo out",
  "writing the system": "touch /usr/x || touch /etc/x && echo out",
  "writing beside the mounts": "touch /x || mkdir /home/x || touch /dev/x && echo out",
  "writing a folder to read": "touch in/x || chmod 777 in || mv in other && echo out",
  "a link to a file outside": 'ln -s "$OUTSIDE" /tmp/l && cat /tmp/l && echo out',
  "a hard link to a file outside": 'ln "$OUTSIDE" /tmp/l && echo out',
  "the root of another process": "ls /proc/[0-9]*/root/home /proc/1/root/root && echo out",
  "the environment of another process": "cat /proc/*/environ | grep -aq VITE[S]T && echo out",
  "signals to this process": 'kill -0 "$OUTER" && echo out',
  "settings of the kernel": "cat /proc/sys/kernel/sysrq > /proc/sys/kernel/sysrq && echo out",
  "another root folder": "chroot /usr /bin/true && echo out",
  "the name of this machine": "hostname x && echo out",
  "the passwords of this machine": "cat /etc/shadow && echo out",
  "home folders": "ls -A /root /home/* && echo out",
  "files of the project beside its folders": "cat skillc.yaml && echo out",
  "sockets of this machine": "ls /run /var/run /tmp/.X11-unix && echo out",
  "another clock": 'date -s "$(date)" > /dev/null && echo out',
  "more privileges by a program of root": "su -c true || sudo -n true && echo out",
};

describeUnless(await absenceOf(bubblewrap), "escapes from the sandbox", () => {
  test.each(Object.entries(attempts))("a process can't leave by %s", async (_name, script) => {
    const { call, put } = projectWith({
      argv: (p: Params) => ["sh", "-c", script, "sh", value("/x", Number(p["x"] ?? 0))],
      read: ["in"],
      env: { OUTER: String(process.pid), OUTSIDE: "/etc/hostname" },
      exitCodes: {
        "1": "held",
        "2": "held",
        "32": "held",
        "125": "held",
        "126": "held",
        "127": "held",
      },
    });
    put("in/keep", "kept");
    put("skillc.yaml", "secrets: { TOKEN: x }");
    expect(JSON.stringify(await call())).not.toContain("out\\n");
  });

  test("a process neither reads the project's credentials nor changes its ledger", async () => {
    const { call, directory, put } = projectWith({
      argv: () => [
        "sh",
        "-c",
        "cat .env; echo x > .env; rm -f .env; echo x > .skillc/ledger/a; rm -rf .skillc; ls -A .skillc; echo y > other",
      ],
      effect: "write",
      write: ["."],
    });
    put(".env", "TOKEN=s3cret");
    put(".skillc/ledger/a", "record");
    expect(await call()).toEqual({ status: "success", data: "" });
    expect(readFileSync(join(directory, ".env"), "utf8")).toBe("TOKEN=s3cret");
    expect(readFileSync(join(directory, ".skillc/ledger/a"), "utf8")).toBe("record");
    expect(readFileSync(join(directory, "other"), "utf8")).toBe("y\n");
  });

  test("a process creates no records for a project that has none", async () => {
    const { call, directory, put } = projectWith({
      argv: () => ["sh", "-c", "mkdir -p .skillc/approvals; echo > .skillc/a; echo done > b"],
      write: ["."],
      effect: "write",
    });
    put(".env", "");
    await call();
    expect(readFileSync(join(directory, "b"), "utf8")).toBe("done\n");
    expect(readdirSync(join(directory, ".skillc"))).toEqual([]);
  });

  test.each(["missing", "a link", "a link to a missing file", "a pipe"])(
    "no process starts that could create the credentials of a project: .env is %s",
    async (kind) => {
      const { directory, errorOf, put } = projectWith({
        argv: () => ["sh", "-c", "touch started; rm -f .env; echo TOKEN=mine > .env"],
        write: ["."],
        effect: "write",
      });
      put("other", "TOKEN=s3cret");
      if (kind === "a pipe") execFileSync("mkfifo", [join(directory, ".env")]);
      if (kind === "a link") symlinkSync("other", join(directory, ".env"));
      if (kind === "a link to a missing file") symlinkSync("away", join(directory, ".env"));
      expect(await errorOf()).toMatchObject({
        code: "PROVIDER.UNAVAILABLE",
        outcome: "not-done",
        message: expect.stringContaining("in the place of `.env` of the project"),
      });
      expect(readdirSync(directory)).not.toContain("started");
    },
  );

  test("no process starts that could create the file to which .env leads", async () => {
    const { directory, errorOf, put } = projectWith({
      argv: () => ["sh", "-c", "echo TOKEN=mine > folder/env"],
      write: ["folder"],
      effect: "write",
    });
    put("folder/keep", "");
    symlinkSync("folder/env", join(directory, ".env"));
    expect(await errorOf()).toMatchObject({ outcome: "not-done" });
    expect(readdirSync(join(directory, "folder"))).toEqual(["keep"]);
  });

  test("a process can't rename the folders around the project", async () => {
    const outer = realpathSync(mkdtempSync(join(tmpdir(), "skillc-around-")));
    const project = join(outer, "middle/project");
    mkdirSync(join(project, ".skillc"), { recursive: true });
    writeFileSync(join(project, ".env"), "");
    const script = `cd ${outer}; mv middle/project middle/p; mv middle m; touch middle/project/new; ls`;
    const { call } = projectWith(
      { argv: () => ["sh", "-c", script], write: [outer], effect: "write" },
      { directory: project },
    );
    expect(await call()).toMatchObject({ data: "middle\n" });
    expect(readdirSync(project).toSorted()).toEqual([".env", ".skillc", "new"]);
  });

  test("a process of a read can't write, even if its contract lists folders to write", async () => {
    const { call, directory, put } = projectWith({
      argv: () => ["sh", "-c", "touch folder/x || echo held"],
      effect: "read",
      write: ["folder"],
    });
    put("folder/keep", "");
    expect(await call()).toMatchObject({ data: "held\n" });
    expect(existsSync(join(directory, "folder/x"))).toBe(false);
  });

  test.each(["/", "/proc", "/proc/1", "/sys", "/dev"])(
    "the folder %s of this machine is not mounted",
    async (folder) => {
      const { errorOf } = projectWith({ argv: () => ["true"], read: [folder] });
      expect(await errorOf()).toMatchObject({
        code: "PROVIDER.UNAVAILABLE",
        outcome: "not-done",
        message: expect.stringContaining("processes or devices of this machine"),
      });
    },
  );

  test("a process fills only a limited part of the memory with files", async () => {
    const fill = (folder: string) => `head -c 400000000 /dev/zero > ${folder}/x; rm -f ${folder}/x`;
    const { call } = projectWith({
      argv: () => [
        "sh",
        "-c",
        `(${fill("/tmp")}; ${fill("/dev/shm")}) 2>&1 | grep -c "No space left"`,
      ],
    });
    expect(await call()).toMatchObject({ data: "2\n" });
  });

  test.skipIf(process.getuid?.() !== 0)(
    "the options confine a process of an ordinary user in the same way",
    () => {
      const placed = {
        program: "/bin/sh",
        shownProgram: "sh",
        args: [],
        directory: "/",
        cwd: "/tmp",
        read: [],
        write: [],
        temporary: { access: "read", places: [] },
        kept: [],
        network: "none",
        env: {},
        stdin: undefined,
        scripts: undefined,
        timeoutMs: 1000,
        callId: "c",
      } as const;
      const script = "id -u; touch /usr/x 2>/dev/null || unshare -Ur true 2>/dev/null || echo held";
      const user = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"];
      const limited = ["prlimit", "--nproc=512", "--", "sh", "-c", script];
      const options = sandboxOptions(placed, [], true);
      const printed = execFileSync("setpriv", [...user, "bwrap", ...options, "--", ...limited]);
      expect(printed.toString()).toBe("65534\nheld\n");
    },
  );
});
