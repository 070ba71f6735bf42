import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  freePort,
  isListening,
  kill,
  startServer,
  until,
} from "../../queue/support/server-process.js";

/** The reason why tests can't start nginx; undefined if it is installed. */
export const absenceOfNginx = ((): string | undefined => {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "there is no nginx on PATH; on Debian: `apt-get install nginx`";
  }
})();

/** An nginx for one test. */
export interface Nginx {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts nginx with these locations of one server. nginx decodes and resolves a path. A
 * `proxy_pass` with a path forwards the result.
 */
export async function startNginx(locations: string): Promise<Nginx> {
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), "skillc-nginx-"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((each) => `${each}_temp_path ${home}/${each};`)
    .join(" ");
  const config = `
    daemon off; master_process off; pid ${home}/pid; error_log ${home}/errors;
    events { worker_connections 64; }
    http { access_log off; ${paths} server { listen 127.0.0.1:${port}; ${locations} } }`;
  await writeFile(join(home, "nginx.conf"), config);
  const files = ["-c", join(home, "nginx.conf"), "-e", join(home, "errors")];
  const server = startServer("nginx", files);
  await until("nginx", async () => {
    if (server.exitCode !== null) throw new Error(await readFile(join(home, "errors"), "utf8"));
    return isListening(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await kill(server);
      await rm(home, { recursive: true, force: true });
    },
  };
}
