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

/** Span of a parameter's declaration, or of the whole schema if that is unknown. */
export function placeOfParameter(parameters: SchemaModel, name: string): Span {
  return getOwn(parameters.places, below("/properties", name)) ?? parameters.span;
}

/** Checks that `unused` lists only parameters of the tool that the binding doesn't use. */
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
 * Parameters without any use. A parameter whose name is misspelt in a placeholder counts as used,
 * so that it is only reported once.
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

/** Reason why a parameter isn't used, if it is known. */
export interface WhyIdle {
  /** Reason, such as `\`:sku\` stands in quotes`. */
  readonly reason: string;
  readonly help: string;
}

/** Reports an unused parameter. */
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
    message: `\`${text}\` has no effect: ${why?.reason ?? "the binding never uses it"}`,
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

/** Texts between doubled braces in the parts, without surrounding spaces. */
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
