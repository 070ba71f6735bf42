import { pointerStep, stepsOf } from "../../../../runtime/pointer.js";
import type { Given, QueueContract } from "../../contract.js";

/**
 * The pointer of the parameter that a place in the message takes its value from, whole; undefined for what the author wrote, and for text around parameters.
 * It is found by building the message once more, of arguments that can be told apart.
 */
export function parameterAt<Arguments, Message>(
  publish: QueueContract<Arguments, Message>["publish"],
  args: Given<Arguments>,
  pointer: string,
): string | undefined {
  const marks = new Map<unknown, string>();
  try {
    // The same arguments but for their scalars: they are only looked at.
    const { message } = publish(marked(args, "", marks) as Given<Arguments>);
    return follow(message, stepsOf(pointer), marks);
  } catch {
    return undefined;
  }
}

/** A copy in which each part is of its own, and known by its pointer. */
function marked(value: unknown, pointer: string, marks: Map<unknown, string>): unknown {
  const copy = copyOf(value, pointer, marks);
  marks.set(copy, pointer);
  return copy;
}

function copyOf(value: unknown, pointer: string, marks: Map<unknown, string>): unknown {
  if (value === undefined) return undefined;
  // No text of a message can be the same: nothing else is marked so.
  if (typeof value !== "object" || value === null) return `\0${pointer}`;
  if (Array.isArray(value))
    return value.map((each: unknown, index) => marked(each, `${pointer}/${index}`, marks));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      marked(each, pointer + pointerStep(name), marks),
    ]),
  );
}

/** Steps down to where the message is a parameter, or part of one; what is left is the same there. */
function follow(
  value: unknown,
  steps: readonly string[],
  marks: ReadonlyMap<unknown, string>,
): string | undefined {
  const found = marks.get(value);
  if (found !== undefined && value !== undefined) return found + steps.map(pointerStep).join("");
  const [name, ...rest] = steps;
  if (name === undefined || typeof value !== "object" || value === null) return undefined;
  // An object's own property, of whatever kind.
  return Object.hasOwn(value, name)
    ? follow((value as Readonly<Record<string, unknown>>)[name], rest, marks)
    : undefined;
}
