import { getOwn } from "../core/json.js";
import { shown } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SchemaModel, ToolModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { propertyNames } from "../schema/look-up.js";
import { below } from "../schema/pointer.js";
import { didYouMean } from "../schema/suggestion.js";
import { canBeNamed, noParameter } from "./reference-problems.js";
import type { TemplateRoot, TextPart } from "./text-template.js";

/** Where a parameter is declared, or the whole schema when that place is not known. */
export function placeOfParameter(parameters: SchemaModel, name: string): Span {
  return getOwn(parameters.places, below("/properties", name)) ?? parameters.span;
}

/** `unused` names parameters of the tool that the binding doesn't use. */
export function checkUnusedList(
  tool: ToolModel,
  uses: ReadonlyMap<string, Span>,
  kind: string,
  report: Report,
): void {
  const names = propertyNames(tool.parameters, []);
  for (const { name, span } of tool.unused) {
    const use = uses.get(name);
    if (!names.includes(name)) {
      const { message, help } = noParameter(tool, name, names);
      report.add({ code: `${kind}/unknown-unused`, span, message, help });
    } else if (use !== undefined) {
      report.add({
        code: `${kind}/not-unused`,
        span,
        message: `\`${shown(name)}\` is listed as unused, but the binding uses it`,
        help: "remove it from `unused`",
        related: [{ span: use, message: "used here" }],
      });
    }
  }
}

/**
 * The parameters that nothing uses. One whose name is written nearly right somewhere is used there:
 * that is one problem, not two.
 *
 * @param written names in placeholders that name no parameter
 */
export function idleParameters(
  tool: ToolModel,
  used: ReadonlySet<string>,
  written: readonly string[],
): readonly string[] {
  const unused = new Set(tool.unused.map(({ name }) => name));
  const isMeant = (name: string) => written.some((each) => didYouMean(each, [name]) !== undefined);
  return propertyNames(tool.parameters, []).filter(
    (name) => !used.has(name) && !unused.has(name) && !isMeant(name),
  );
}

interface IdleContext {
  readonly kind: string;
  readonly isBetweenBraces: boolean;
  readonly roots?: readonly TemplateRoot[];
  readonly written?: (name: string) => string;
  readonly whyIdle?: (name: string) => WhyIdle | undefined;
}

/** Why a parameter reaches nothing, where more can be told than that nothing uses it. */
export interface WhyIdle {
  /** `\`:sku\` stands in quotes`. */
  readonly reason: string;
  readonly help: string;
}

/** Says that a parameter is idle. */
export function reportIdle(
  tool: ToolModel,
  name: string,
  { kind, isBetweenBraces, roots = [], whyIdle, written = (each) => `{${each}}` }: IdleContext,
  report: Report,
): void {
  const text = shown(name);
  const why = whyIdle?.(name);
  report.add({
    code: `${kind}/unused-parameter`,
    span: placeOfParameter(tool.parameters, name),
    message: `\`${text}\` reaches nothing: ${why?.reason ?? "the binding never uses it"}`,
    help:
      why !== undefined
        ? why.help
        : !canBeNamed(name) || roots.some((root) => root.name === name)
          ? "no placeholder can name it: rename it, or list it under `unused` beside `binding`"
          : isBetweenBraces
            ? `\`{{\` is a literal brace: write \`{${text}}\``
            : `write \`${written(text)}\` where it belongs, or \`unused: [${text}]\` beside \`binding\``,
  });
}

/** What stands between doubled braces in the parts, space at its ends left out. */
export function betweenBracesIn(parts: readonly TextPart<string>[]): readonly string[] {
  const textAt = (index: number) => {
    const part = parts[index];
    return part?.kind === "literal"
      ? { ...part, isEscape: part.end - part.start === 2 }
      : undefined;
  };
  return parts.flatMap((_, index) => {
    const [before, inner, after] = [textAt(index - 1), textAt(index), textAt(index + 1)];
    const isOpened = before?.isEscape && before.text === "{";
    const isClosed = after?.isEscape && after.text === "}";
    return isOpened && isClosed && inner ? [inner.text.trim()] : [];
  });
}
