import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { shown } from "../../../core/names.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { hasLikeItems, lookUp, propertyNames } from "../../../schema/look-up.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { typeWords } from "../../../kit/type-words.js";
import type { PathModel, PathStep } from "../model.js";

/** Place to which a response path leads in the schema of a body. */
export type Followed =
  /** The schema describes the place. 0 stands for every item if all items have one schema. */
  | { readonly kind: "place"; readonly at: readonly (string | number)[] }
  /** The schema allows the place, but doesn't describe it. */
  | { readonly kind: "open" }
  /** The schema has no such place. */
  | { readonly kind: "missing"; readonly diagnostic: UnratedDiagnostic };

/** Follows a path through a schema, as far as the schema describes it. No path: the whole body. */
export function followPath(schema: SchemaModel, path: PathModel | undefined): Followed {
  const at: (string | number)[] = [];
  const followed: PathStep[] = [];
  for (const step of path?.steps ?? []) {
    const next = follow({ schema, at, container: containerWords(followed) }, step);
    if (next.kind === "open") return next;
    if (next.kind === "missing") return { kind: "missing", diagnostic: missingField(step, next) };
    at.push(next.step);
    followed.push(step);
  }
  return path?.complete === false ? { kind: "open" } : { kind: "place", at };
}

interface From {
  readonly schema: SchemaModel;
  readonly at: readonly (string | number)[];
  /** Words for the value at `at`, for messages. */
  readonly container: string;
}

type Next =
  | { readonly kind: "step"; readonly step: string | number }
  | { readonly kind: "open" }
  | { readonly kind: "missing"; readonly message: string; readonly help?: string | undefined };

function missingField(
  { span }: PathStep,
  { message, help }: Next & { kind: "missing" },
): UnratedDiagnostic {
  return { code: "http/unknown-response-field", span, message, help };
}

function follow(from: From, { at: step }: PathStep): Next {
  if (typeof step === "string") return followName(from, step);
  const { types } = lookUp(from.schema, from.at, "stated");
  if (!types.includes("array") && types.length > 0) {
    if (typeof step !== "number" && types.includes("object")) return { kind: "open" };
    return {
      kind: "missing",
      message: `${from.container} is ${typeWords(types)} by its schema, which has no items`,
    };
  }
  if (hasLikeItems(from.schema, from.at, "stated")) return { kind: "step", step: 0 };
  // Leave a negative index, and each of several unlike items, to the type checker.
  return typeof step === "number" && step >= 0 ? { kind: "step", step } : { kind: "open" };
}

function followName({ schema, at, container }: From, name: string): Next {
  const names = propertyNames(schema, at, "stated");
  const facts = lookUp(schema, [...at, name], "stated");
  const isSaid = facts.known && facts.presence !== "never";
  if (names.includes(name) || isSaid) return { kind: "step", step: name };
  const { types } = lookUp(schema, at, "stated");
  if (types.length > 0 && !types.includes("object")) {
    const message = `${container} is ${typeWords(types)} by its schema, which has no fields`;
    const help = "write `[*]` for every item, or `[0]` for the first";
    return { kind: "missing", message, help: types.includes("array") ? help : undefined };
  }
  if (names.length === 0) return { kind: "open" };
  const message = `${container} has no field \`${shown(name)}\` by its schema`;
  return { kind: "missing", message, help: suggestField(name, names) };
}

/** Suggests a similar name, and lists the names if there are few. */
function suggestField(name: string, names: readonly string[]): string {
  const near = didYouMean(name, names);
  if (near !== undefined && (names.length === 1 || names.length > maxListed)) return near;
  const listed = names.slice(0, maxListed).map((each) => `\`${shown(each)}\``);
  const all = `${listed.join(", ")}${names.length > maxListed ? ", …" : ""}`;
  return near === undefined ? `it has ${all}` : `${near} it has ${all}`;
}

const maxListed = 8;

/** `` `data.items[*]` `` */
function containerWords(steps: readonly PathStep[]): string {
  return steps.length === 0 ? "the body" : `\`${shown(placeText(steps.map(({ at }) => at)))}\``;
}

/** Writes steps as a reader does: `data.items[*].id`. */
export function placeText(steps: readonly PathStep["at"][]): string {
  return steps
    .map((step, index) => {
      if (typeof step === "string") return index === 0 ? step : `.${step}`;
      return typeof step === "number" ? `[${step}]` : "[*]";
    })
    .join("");
}
