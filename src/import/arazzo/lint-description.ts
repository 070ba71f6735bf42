/**
 * Lints an Arazzo document with `@redocly/openapi-core`, an optional package: only this import needs
 * it, and it needs a newer Node than skillc.
 */
import { isNativeError } from "node:util/types";
import type * as redocly from "@redocly/openapi-core";
import { printable } from "../../core/names.js";
import type { Note } from "../openapi/note.js";
import type { ApiDocument } from "../openapi/read/document.js";

/** The package as a module. */
export type Linter = typeof redocly;

/** Maximum number of reported problems. */
const maxProblems = 20;

/** The package, or how a person gets it. */
export type LinterPackage =
  | { readonly kind: "loaded"; readonly linter: Linter }
  | { readonly kind: "missing"; readonly message: string; readonly help: string };

/** Checks that Node can `require` ES modules, as the package does. */
export function runsLinter(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
}

/** @param load imports the package */
export async function loadLinter(
  version: string,
  load: () => Promise<Linter>,
): Promise<LinterPackage> {
  if (!runsLinter(version))
    return {
      kind: "missing",
      message: `\`skillc import arazzo\` needs Node 20.19, 22.12 or newer, and this is Node ${version.replace(/^v/, "")}`,
      help: "install a newer Node; all other commands run on this one",
    };
  try {
    return { kind: "loaded", linter: await load() };
  } catch (error) {
    if (!isNativeError(error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND")
      throw error;
    return {
      kind: "missing",
      message: "`skillc import arazzo` needs the package `@redocly/openapi-core`",
      help: "run `npm install --save-dev @redocly/openapi-core`",
    };
  }
}

/** Problems of a document by the rules of its version. They never stop an import. */
export async function lintDescription(
  document: ApiDocument,
  linter: Linter,
): Promise<readonly Note[]> {
  const { BaseResolver, createConfig, lintDocument, ResolveError, Source } = linter;
  const isOwn = new Set([document.uri]);
  /** Reads nothing: the import decides which documents it reads. */
  class NoResolver extends BaseResolver {
    override loadExternalRef(): Promise<never> {
      return Promise.reject(new ResolveError(new Error("the import reads no other document")));
    }
  }
  const config = await createConfig({
    extends: ["spec"],
    // The import itself finds references and outputs, and knows more of them.
    rules: { "no-unresolved-refs": "off", "outputs-defined": "off" },
  });
  const problems = await lintDocument({
    // The linter gets the values that skillc has read within its limits.
    document: { source: new Source(document.uri, document.file.text), parsed: document.value },
    config,
    externalRefResolver: new NoResolver(config.resolve),
  }).catch((error: unknown) => (isNativeError(error) ? undefined : Promise.reject(error)));
  // Some rules throw if a list has null in place of an object.
  if (problems === undefined)
    return [
      {
        code: "import/invalid-document",
        at: { document, pointer: "" },
        message: "the document has a form that its linter does not expect",
      },
    ];
  return problems.slice(0, maxProblems).map(({ location, message }): Note => {
    const place = location.find(({ source }) => isOwn.has(source.absoluteRef));
    const pointer = place?.pointer?.replace(/^#/, "").replace(/\/$/, "") ?? "";
    return {
      code: "import/invalid-document",
      at: { document, pointer },
      message: printable(message.replace(/\.\s*$/, "")),
    };
  });
}
