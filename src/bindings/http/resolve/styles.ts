import type { Style } from "@skillc/runtime/internal/http";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type SyntaxNode, valueOf } from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { isValuePart, valueName } from "../../../kit/text-template.js";
import { checkLiteralName, readScalar } from "../../../kit/values/read-value.js";
import {
  type HttpEntry,
  httpTemplates,
  type HttpValuePart,
  type StyleModel,
  type UrlModel,
} from "../model.js";

export const queryStyles: readonly Style[] = [
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
];
export const pathStyles: readonly Style[] = ["simple", "label", "matrix"];

/** `{ value, style, explode, allow_reserved, allow_dot_segments }`; undefined for any other node. */
export function readStyled(
  node: SyntaxNode,
  styles: readonly Style[],
  report: Report,
): Required<Pick<HttpEntry, "value" | "style">> | undefined {
  const value = valueOf(node, "value");
  if (value?.kind !== "scalar") return undefined;
  const written = valueOf(node, "style");
  const name = styles.find((each) => written?.kind === "scalar" && written.value === each);
  const style = name ?? styles[0] ?? "form";
  const dots = valueOf(node, "allow_dot_segments");
  return {
    value: readScalar(value, { language: httpTemplates, report }),
    style: {
      name: style,
      explode: isTrue(valueOf(node, "explode")) ?? explodes(style),
      reserved: isTrue(valueOf(node, "allow_reserved")) ?? false,
      ...(dots && isTrue(dots) && { dots: dots.span }),
      span: (written ?? node).span,
    },
  };
}

/** Default of `explode` for a style. */
export function explodes(style: Style): boolean {
  return style === "form" || style === "deepObject";
}

function isTrue(node: SyntaxNode | undefined): boolean | undefined {
  return node?.kind === "scalar" && typeof node.value === "boolean" ? node.value : undefined;
}

/** An entry of `path:`, for a name in the braces of the URL. */
export interface PathEntry {
  readonly name: string;
  readonly part: HttpValuePart;
  readonly style: StyleModel;
}

/** Reads the `path:` mapping. Each value is one parameter, or one value of the caller. */
export function readPathEntries(
  node: SyntaxNode | undefined,
  report: Report,
): readonly PathEntry[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }) => {
    checkLiteralName(key.value, key.span, { language: httpTemplates, report });
    const entry = readStyled(value, pathStyles, report);
    if (entry === undefined) return [];
    const [part, ...others] = entry.value.kind === "template" ? entry.value.template.parts : [];
    if (part !== undefined && isValuePart(part) && others.length === 0)
      return [{ name: key.value, part, style: entry.style }];
    report.add({
      code: "http/bad-path-entry",
      span: valueOf(value, "value")?.span ?? value.span,
      message: "an entry of `path` must be exactly one parameter",
      help: `write \`value: "{${shown(key.value)}}"\`, and put other text into \`url\``,
    });
    return [];
  });
}

/** Reports entries of `path:` that the URL's path doesn't use. */
export function checkPathEntries(
  node: SyntaxNode | undefined,
  { path }: UrlModel,
  report: Report,
): void {
  if (node?.kind !== "map") return;
  const names = path.flatMap((piece) =>
    piece.kind === "segment"
      ? piece.values.map((value) => (value.kind === "styled" ? value.name : valueName(value)))
      : [],
  );
  for (const { key } of node.entries) {
    if (names.includes(key.value)) continue;
    report.add({
      code: "http/bad-path-entry",
      span: key.span,
      message: `\`{${shown(key.value)}}\` is not in the path of \`url\``,
      help:
        didYouMean(key.value, names) ??
        `write \`{${shown(key.value)}}\` in \`url\` where the value belongs`,
    });
  }
}
