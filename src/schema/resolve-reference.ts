import { posix } from "node:path";
import type { Report } from "../core/report.js";
import { entryOf, type ScalarNode, type SyntaxNode } from "../core/syntax-node.js";
import { absoluteUri, type Library, type Resource } from "./library.js";
import { stepsOf } from "./pointer.js";
import { didYouMean } from "./suggestion.js";

/** Target of a reference: a schema, and the resource that `#` means there. */
export interface Target {
  readonly node: SyntaxNode;
  readonly resource: Resource;
}

export type TextNode = ScalarNode & { readonly value: string };

/**
 * Follows a `$ref`. Undefined, with a report, if it has no target. Reads files only through the
 * library.
 */
export function resolveReference(
  reference: TextNode,
  from: Resource,
  library: Library,
  report: Report,
): Target | undefined {
  const hash = reference.value.indexOf("#");
  const uri = hash < 0 ? reference.value : reference.value.slice(0, hash);
  const resource = resourceOf(uri, reference, from, library, report);
  if (resource === undefined) return undefined;
  const fragment = decode(hash < 0 ? "" : reference.value.slice(hash + 1));
  const node = fragment === undefined ? undefined : nodeOf(fragment, resource);
  if (node === undefined) {
    reportMissing(reference, fragment ?? "", resource, report);
    return undefined;
  }
  return { node, resource: library.resourceOf(node) ?? resource };
}

function resourceOf(
  uri: string,
  reference: TextNode,
  from: Resource,
  library: Library,
  report: Report,
): Resource | undefined {
  if (uri === "") return from;
  const absolute = absoluteUri(uri, from.base);
  const known = absolute === undefined ? undefined : library.byId(absolute);
  if (known !== undefined) return known;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^\/\//.test(uri)) {
    report.add({
      code: "schema/remote-ref",
      span: reference.span,
      message: `\`${reference.value}\` is not in this skill`,
      help: "save the schema beside SKILL.md and refer to it as `./file.json`: skillc fetches nothing",
    });
    return undefined;
  }
  const path = posix.join(from.folder, decode(uri) ?? uri);
  if (leavesProject(path, uri, reference)) {
    report.add({
      code: "schema/ref-outside",
      span: reference.span,
      message: `\`${reference.value}\` leads out of the skills folder`,
      help: "move the file into the skill's folder and refer to it as `./file.json`",
    });
    return undefined;
  }
  return library.file(
    path.startsWith("..") ? path : `./${path}`,
    posix.dirname(path),
    reference,
    from.dialect,
  );
}

/**
 * Checks for a path that is absolute or leaves the project's root. `readFile` checks for paths that
 * leave the skills folder on the way.
 */
function leavesProject(path: string, uri: string, reference: TextNode): boolean {
  const depth = reference.span.file.split("/").length - 1;
  const climbs = path.split("/").filter((step) => step === "..").length;
  return uri.startsWith("/") || uri.includes("\\") || path.includes("\0") || climbs > depth;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function nodeOf(fragment: string, resource: Resource): SyntaxNode | undefined {
  if (fragment !== "" && !fragment.startsWith("/")) return resource.anchors.get(fragment);
  return stepsOf(fragment)?.reduce<SyntaxNode | undefined>(stepInto, resource.root);
}

function stepInto(node: SyntaxNode | undefined, step: string): SyntaxNode | undefined {
  if (node?.kind === "list")
    return /^(0|[1-9]\d*)$/.test(step) ? node.items[Number(step)] : undefined;
  return entryOf(node, step)?.value;
}

function reportMissing(
  reference: TextNode,
  fragment: string,
  resource: Resource,
  report: Report,
): void {
  const last = stepsOf(fragment)?.at(-1) ?? fragment;
  report.add({
    code: "schema/unresolved-ref",
    span: reference.span,
    message: `\`${reference.value}\` refers to nothing`,
    help: didYouMean(last, definitionNames(resource)),
  });
}

function definitionNames(resource: Resource): readonly string[] {
  return ["$defs", "definitions"].flatMap((key) => {
    const node = entryOf(resource.root, key)?.value;
    return node?.kind === "map" ? node.entries.map((each) => each.key.value) : [];
  });
}
