import { onTestFinished } from "vitest";
import { gzipSync } from "node:zlib";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { filesIn, makeProject, put, type Ran, skillc } from "../../cli/support/command-line.js";

/** Makes a valid document with these paths, in YAML's flow style or as JSON. */
export function openApi(paths: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  const info = { title: "Shop", version: "1" };
  return JSON.stringify({ openapi: "3.0.3", info, paths, ...more });
}

/** Responses of an operation that returns any JSON. */
export const ok = {
  responses: { 200: { description: "ok", content: { "application/json": {} } } },
};

export interface ReportedDiagnostic {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

export interface Imported extends Ran {
  readonly root: string;
  /** Files of the skills, without the record of the import. */
  readonly files: Readonly<Record<string, string>>;
  readonly told: readonly ReportedDiagnostic[];
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

/** Imports `api.json`, or another file, in a new project. */
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
  // Without a source, the command reports a list of all imports.
  const report = printed.imports?.[0] ?? printed;
  return { ...ran, root, files: skillsIn(root), told: report.diagnostics, report };
}

export function skillsIn(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filesIn(root)).filter(([path]) => /^skills\/[^.]/.test(path)),
  );
}

/** Replaces the text that the import `shop` has of a file, such as `skills/x/metadata.yaml`. */
export function putBase(root: string, path: string, text: string): void {
  put(root, path.replace("skills", "skills/.import/shop/base").concat(".gz"), gzipSync(text));
}

/** Starts a web server for one test. */
export async function serve(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
