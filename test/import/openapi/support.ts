import { onTestFinished } from "vitest";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { filesIn, makeProject, type Ran, skillc } from "../../cli/support/command-line.js";

/** A sound document with these paths, in YAML's flow style or as JSON. */
export function openApi(paths: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  const info = { title: "Shop", version: "1" };
  return JSON.stringify({ openapi: "3.0.3", info, paths, ...more });
}

export const ok = { responses: { 200: { description: "ok" } } };

export interface Told {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

export interface Imported extends Ran {
  readonly root: string;
  /** Skills, without the record of the import. */
  readonly files: Readonly<Record<string, string>>;
  readonly told: readonly Told[];
  readonly report: {
    readonly operations: readonly {
      readonly path: string;
      readonly method: string;
      readonly tool: string | null;
      readonly taken: string;
      readonly notes: readonly { readonly message: string; readonly pointer: string }[];
    }[];
    readonly settings: readonly { readonly name: string; readonly example?: string }[];
    readonly changes: { readonly verdict: string | null } | null;
  };
}

/** Imports `api.json` of a new project, or another one of its files. */
export async function importText(
  text: string,
  argv: readonly string[] = ["api.json"],
  files: Readonly<Record<string, string>> = {},
): Promise<Imported> {
  return importIn(makeProject({ "api.json": text, ...files }), argv);
}

export async function importIn(root: string, argv: readonly string[]): Promise<Imported> {
  const ran = await skillc(root, ["import", "openapi", ...argv, "--json"]);
  const printed = ran.stdout.startsWith("{") ? JSON.parse(ran.stdout) : { diagnostics: [] };
  // Without a source all that were imported are, in a list.
  const report = printed.imports?.[0] ?? printed;
  return { ...ran, root, files: skillsIn(root), told: report.diagnostics, report };
}

export function skillsIn(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filesIn(root)).filter(([path]) => /^skills\/[^.]/.test(path)),
  );
}

/** A web server of this test's own. */
export async function serve(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  // A server that listens on a port has one.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
