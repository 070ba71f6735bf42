import { type Step, stepInto } from "../../../runtime/values/pick.js";

/** More fields than a reader would look through. */
const mostListed = 8;
/** Characters of a field's name. */
const longestName = 60;

/** The first step of a path that finds nothing in a body, and the names that are there instead; undefined when every step finds something. */
export function missingStep(body: unknown, steps: readonly Step[]): string | undefined {
  let at = body;
  for (const [index, step] of steps.entries()) {
    const next = stepInto(at, step);
    if (next === undefined) return `${placeOf(steps.slice(0, index))} ${lackOf(at, step)}`;
    at = next;
  }
  return undefined;
}

function placeOf(steps: readonly Step[]): string {
  if (steps.length === 0) return "the body";
  const texts = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return `\`${shown(texts.join("").replace(/^\./, ""))}\``;
}

function lackOf(value: unknown, step: Step): string {
  if (Array.isArray(value)) {
    return typeof step === "number"
      ? `has no item ${step}: it has ${value.length}`
      : `is a list, which has no \`${shown(step)}\``;
  }
  const lack = `has no ${typeof step === "number" ? `item ${step}` : `\`${shown(step)}\``}`;
  if (typeof value !== "object" || value === null) return `${lack}: it is ${kindOf(value)}`;
  const names = Object.keys(value);
  if (names.length === 0) return `${lack}: it is empty`;
  if (names.length > mostListed) return lack;
  return `${lack}: it has ${names.map((name) => `\`${shown(name)}\``).join(", ")}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

/** A name comes from a server: it stays one short line of plain characters. */
function shown(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return plain.length > longestName ? `${plain.slice(0, longestName)}…` : plain;
}
