import type { BindingKind, ResolvedBinding } from "../../kit/binding.js";
import {
  bindingSchema,
  commonDefaults,
  declaredEffect,
  isCommonKey,
  usualTimeoutMs,
} from "../../kit/common-keys.js";
import { callerFieldsIn } from "../../kit/caller-root.js";
import { checkRoots } from "../../kit/roots.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { BindingModel, RetryModel, SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  roundedScalars,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import { checkShape, fitsShape } from "../../schema/check-shape.js";
import { schemaMark } from "../../schema/editor-marks.js";
import { refuseFiles } from "../../schema/file-schema.js";
import { readSchema } from "../../schema/read-schema.js";
import { schemaReading, type SkillContext } from "./context.js";
import { helpForToolKey } from "./binding-keys.js";
import { wordsFor } from "./binding-words.js";
import { findKind } from "./find-kind.js";
import { numberOf } from "./read-values.js";

/**
 * Resolves the binding of a tool. Undefined, with a report, if it is invalid.
 *
 * @param parameters undefined if they are invalid; then only the shape of the binding is checked
 */
export function resolveBinding(
  tool: MapEntry,
  node: MapNode,
  parameters: SchemaModel | undefined,
  context: SkillContext,
): BindingModel | undefined {
  const entry = entryOf(node, "binding");
  if (entry === undefined) return parameters && resolveUnbound(tool, parameters, context);
  // The shape check has reported a wrong type.
  if (entry.value.kind !== "map") return undefined;
  const binding: BindingNode = { span: entry.key.span, node: entry.value };
  const kind = findKind(entry, context);
  if (kind === undefined) return undefined;
  const fits = checkBinding(binding, kind, context);
  reportRounded(binding.node, bindingSchema(kind), context);
  if (parameters === undefined || (!fits && !kind.readsMismatches)) return undefined;
  const resolved = resolveByKind({ node: binding.node, fits }, kind, parameters, context);
  return resolved && bindingModel(binding, kind, resolved, { parameters, context });
}

/** A binding's mapping, and the span for problems of the whole binding. */
interface BindingNode {
  readonly span: Span;
  readonly node: MapNode;
}

/** Resolves a tool without a binding. Its kind gets an empty mapping. */
function resolveUnbound(
  { key: { span } }: MapEntry,
  parameters: SchemaModel,
  context: SkillContext,
): BindingModel | undefined {
  const kind = context.kinds.unbound;
  const node: MapNode = { kind: "map", span, entries: [] };
  const resolved = resolveByKind({ node, fits: true }, kind, parameters, context);
  return resolved && bindingModel({ span, node }, kind, resolved, { parameters, context });
}

/**
 * Checks if the kind can read its part of the binding. Problems in common keys don't prevent that.
 */
function checkBinding(
  { span, node }: BindingNode,
  kind: BindingKind,
  { report }: SkillContext,
): boolean {
  const schema = bindingSchema(kind);
  const words = wordsFor(kind);
  const fits = checkShape(node, schema, report, {
    subject: `a binding of type ${quote(kind.type)}`,
    at: span,
    unknownKey: "binding/unknown-key",
    missingKey: "binding/missing-key",
    wrongType: "binding/wrong-type",
    wrongValue: "binding/wrong-value",
    otherKeys: words.keys,
    otherNames: words.values,
    helpForForeignKey: (entry) => helpForToolKey(entry, words.keys),
  });
  return (
    fits ||
    fitsShape(
      { ...node, entries: node.entries.filter(({ key }) => !isCommonKey(key.value, kind)) },
      schema,
    )
  );
}

/**
 * Reports integers that a call would send with other digits. Schemas in a binding are checked as
 * schemas.
 */
function reportRounded(
  node: SyntaxNode,
  schema: JsonValue | undefined,
  context: SkillContext,
): void {
  const forms = formsOf(schema);
  if (forms.some((form) => form[schemaMark] === true)) return;
  if (node.kind === "map") {
    for (const { key, value } of node.entries) {
      const inner = forms.flatMap((form) => {
        const { additionalProperties = {}, properties = {} } = form;
        const own = isJsonObject(properties) ? getOwn(properties, key.value) : undefined;
        return [own ?? additionalProperties];
      });
      reportRounded(value, { anyOf: inner }, context);
    }
    return;
  }
  for (const { span, value } of roundedScalars(node)) {
    const message = `this integer is read as ${String(value)}`;
    const help = "put it in quotes: digits as text are exact";
    context.report.add({ code: "binding/rounded-integer", span, message, help });
  }
}

/** Returns one of skillc's schemas, or the branches that it chooses from. */
function formsOf(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const branches = schema["anyOf"];
  return Array.isArray(branches) ? [schema, ...branches.flatMap(formsOf)] : [schema];
}

function resolveByKind(
  mapping: { readonly node: MapNode; readonly fits: boolean },
  kind: BindingKind,
  parameters: SchemaModel,
  context: SkillContext,
): ResolvedBinding<object> | undefined {
  const { files, report } = context;
  return kind.resolve({
    ...mapping,
    parameters,
    readSchema: (schema) => {
      const read = readSchema(schema, { ...schemaReading(context), isAnswer: true });
      if (read) refuseFiles(read, context.report);
      return read;
    },
    readFile: files.readFile,
    readTree: files.readTree,
    ownFiles: files.own,
    ...(kind.effectByRisk && { isReadByRisk: context.isReadByRisk === true }),
    ...(context.fileSettings?.folders && { fileFolders: context.fileSettings.folders }),
    report,
  });
}

function bindingModel(
  { span, node }: BindingNode,
  kind: BindingKind,
  resolved: ResolvedBinding<object>,
  {
    parameters,
    context: { report },
  }: { readonly parameters: SchemaModel; readonly context: SkillContext },
): BindingModel {
  const { effect: usual, effectSpan: shownAt, idempotent, roots = [], ...rest } = resolved;
  const meant = checkRoots(kind, roots, parameters, report);
  const caller = callerFieldsIn(roots);
  const declared = declaredEffect(node, kind);
  const effect = declared ?? usual;
  const effectSpan = declared === undefined ? shownAt : valueOf(node, "effect")?.span;
  const natural = textOf(valueOf(node, "idempotency")) === "natural";
  const repeatable = effect === "read" || idempotent || natural;
  const attempts = entryOf(valueOf(node, "retry"), "max_attempts");
  if (!repeatable && (numberOf(attempts?.value) ?? 1) > 1) {
    report.add({
      code: "retry/unsafe-write",
      span: attempts?.value.span ?? span,
      message: "a retry could repeat this write, and nothing says that a repeat is harmless",
      help: "set `max_attempts: 1`, or declare with `idempotency` why a repeat is harmless",
    });
  }
  return {
    ...rest,
    references: meant.length === 0 ? rest.references : [...rest.references, ...meant],
    ...(caller.length > 0 && { caller }),
    type: kind.type,
    span,
    effect,
    ...(effectSpan && { effectSpan }),
    mode: kind.modes.find((each) => each === textOf(valueOf(node, "mode"))) ?? commonDefaults.mode,
    timeoutMs: numberOf(valueOf(node, "timeout_ms")) ?? usualTimeoutMs(kind),
    retry: retryModel(valueOf(node, "retry"), repeatable),
    naturallyIdempotent: natural,
    idempotent: idempotent || natural,
  };
}

function retryModel(node: SyntaxNode | undefined, repeatable: boolean): RetryModel {
  return {
    maxAttempts:
      numberOf(valueOf(node, "max_attempts")) ??
      (repeatable ? commonDefaults.repeatableAttempts : commonDefaults.maxAttempts),
    backoffMs: numberOf(valueOf(node, "backoff_ms")) ?? commonDefaults.backoffMs,
    backoffMultiplier:
      numberOf(valueOf(node, "backoff_multiplier")) ?? commonDefaults.backoffMultiplier,
  };
}
