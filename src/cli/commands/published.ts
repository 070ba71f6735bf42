import { getOwn } from "../../core/json.js";
import type { McpAnnotations } from "@skillc/runtime/mcp";
import { reportPublished } from "../../compiler/find-mentions.js";
import type { Published } from "../../compiler/compilation.js";
import { modelName } from "../../core/names.js";
import { createReport, inSourceOrder } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { plural } from "../diagnostics/summary.js";
import type { CompiledProject } from "../project/compile-project.js";
import type { OpenProject } from "../project/open-project.js";

/** Facts that clients of the MCP server see, as `check --publish --json` prints them. */
export interface PublishedList {
  readonly skills: readonly {
    readonly name: string;
    readonly description: string;
    /** Keys of the front matter. */
    readonly keys: readonly string[];
    readonly files: readonly {
      readonly path: string;
      readonly mediaType: string;
      readonly bytes: number;
    }[];
    /** Files that the skill links to, and that are left out. */
    readonly leftOut: readonly { readonly path: string; readonly problem: string }[];
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly title: string | null;
    readonly description: string;
    readonly annotations: McpAnnotations;
    /** Length of the result schema, in characters of JSON. */
    readonly outputSchemaChars: number;
  }[];
}

/** Adds diagnostics about published texts. */
export function withPublishDiagnostics(
  compiled: CompiledProject,
  published: Published,
  { kinds }: OpenProject,
): CompiledProject {
  const { compilation } = compiled;
  if (compilation === undefined || kinds === undefined) return compiled;
  const sources = new Map([...compiled.sources, ...linkedTexts(compiled, published)]);
  const report = createReport(allDiagnosticEntries(kinds.registry));
  reportPublished(compilation.lowered, published, { kinds: kinds.registry, sources }, report);
  const diagnostics = inSourceOrder([...compiled.diagnostics, ...report.diagnostics()]);
  return { ...compiled, diagnostics, sources };
}

function linkedTexts(
  { compilation }: CompiledProject,
  { data }: Published,
): readonly (readonly [string, SourceFile])[] {
  return (compilation?.lowered ?? []).flatMap(({ skill }) => {
    const files = data.skills.find(({ name }) => name === skill.name)?.files ?? [];
    return files.flatMap(({ path, text }) => {
      const file = `${skill.folder}/${path}`;
      return path === "SKILL.md" || text === undefined
        ? []
        : [[file, { path: file, text }] as const];
    });
  });
}

export function publishedList(
  { compilation }: CompiledProject,
  { data, left }: Published,
): PublishedList {
  const tools = (compilation?.lowered ?? []).flatMap((lowered) =>
    lowered.tools.flatMap(({ id, tool }) => {
      const known = getOwn(data.tools, id);
      if (known === undefined) return [];
      return [
        {
          name: modelName(lowered.skill.name, tool.name),
          title: tool.governance?.displayName ?? null,
          description: tool.description,
          annotations: known.annotations,
          outputSchemaChars: JSON.stringify(known.output_schema).length,
        },
      ];
    }),
  );
  const skills = data.skills.map(({ description, files, name }) => ({
    name,
    description,
    keys: keysOf(files[0]?.text ?? ""),
    files: files.map(({ base64, media_type: mediaType, path, text }) => ({
      path,
      mediaType,
      bytes: Buffer.byteLength(text ?? base64 ?? "", text === undefined ? "base64" : "utf8"),
    })),
    leftOut: left
      .filter(({ skill }) => skill === name)
      .map(({ path, problem }) => ({ path, problem })),
  }));
  return { skills, tools };
}

/** Keys of front matter that skillc itself wrote, one a line. */
function keysOf(text: string): readonly string[] {
  const frontMatter = text.slice(4, text.indexOf("\n---\n") + 1);
  return [...frontMatter.matchAll(/^([a-z-]+):/gm)].map(([, key = ""]) => key);
}

export function printPublished({ io, out }: CommandContext, list: PublishedList): void {
  io.stdout.write(`\nClients of the MCP server see ${plural(list.skills.length, "skill")}:\n`);
  for (const { files, keys, name } of list.skills) {
    io.stdout.write(`  ${out.bold(visible(name))} ${out.dim(keys.join(", "))}\n`);
    for (const { bytes, path } of files)
      io.stdout.write(`    ${visible(path)} ${out.dim(plural(bytes, "byte"))}\n`);
  }
  io.stdout.write(`and ${plural(list.tools.length, "tool")}:\n`);
  for (const { annotations, description, name, title } of list.tools) {
    const hints = annotations.readOnlyHint
      ? "reads"
      : annotations.destructiveHint
        ? "may change or remove"
        : "adds";
    const titled = title === null ? "" : ` (${visible(title)})`;
    io.stdout.write(
      `  ${visible(name)}${titled} ${out.dim(hints)} ${visible(firstLine(description))}\n`,
    );
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
