import { type BoundCaller, callerFields } from "../../../runtime/caller.js";
import { callerRoot } from "../../../runtime/call/refused-value.js";
import { pointerStep, stepsOf } from "../../../runtime/json/pointer.js";
import { foremostProblem, RefusedValue } from "../../../runtime/executor.js";
import type { Given, MessageEncoder, QueueContract } from "../contract.js";

/**
 * The bytes of the message that arguments make.
 *
 * @throws RefusedValue at the parameter that doesn't fit, where one alone is what doesn't
 */
export function encodeMessage<Arguments, Message>(
  { encode, message: validator, publish }: QueueContract<Arguments, Message, object>,
  args: Given<Arguments>,
  message: unknown,
): Uint8Array {
  const problem = validator && foremostProblem(validator, message);
  const refuse = (pointer: string, keyword: string, problem: string) =>
    valueError({ pointer, keyword, problem }, parameterAt(publish, args, pointer));
  if (problem !== undefined) throw refuse(problem.pointer, problem.keyword, problem.message);
  try {
    // The validator has just said so; without one, any value is a message.
    return encode.encode(message as Message);
  } catch (error) {
    // A problem without a place in the message is one of the parameters.
    if (!(error instanceof RefusedValue) || error.pointer === "") throw error;
    throw refuse(error.pointer, error.keyword, error.message);
  }
}

/** What is wrong with a message, and where in it. */
interface MessageProblem {
  readonly pointer: string;
  readonly keyword: string;
  readonly problem: string;
}

function valueError(
  { problem, keyword, pointer }: MessageProblem,
  parameter: string | undefined,
): RefusedValue {
  const place = pointer === "" ? "it" : pointer;
  if (parameter === undefined) {
    const text = `the message built from the arguments doesn't fit its schema: ${place} ${problem}`;
    return new RefusedValue("", keyword, text);
  }
  const field = parameter === pointer ? "" : `, to be ${place} of the message`;
  return new RefusedValue(parameter, keyword, `${problem}${field}`);
}

/**
 * The parameter, or field of the caller, whose complete value stands at a place in the message, as a pointer; undefined for
 * what the author wrote, and for text around parameters. It is found by building the message again,
 * from arguments of which each has a different value.
 */
function parameterAt<Arguments, Message>(
  publish: QueueContract<Arguments, Message, object>["publish"],
  args: Given<Arguments>,
  pointer: string,
): string | undefined {
  const marks = new Map<unknown, string>();
  try {
    // The same arguments but for their scalars: they are only looked at.
    const { message } = publish(
      marked(args, "", marks) as Given<Arguments>,
      marked(anyCaller, callerRoot, marks) as BoundCaller,
    );
    return follow(message, stepsOf(pointer), marks);
  } catch {
    return undefined;
  }
}

const anyCaller = Object.fromEntries(callerFields.map((field) => [field, field]));

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

/**
 * Steps down to where the message is a parameter, or part of one; what is left is the same there.
 */
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

/**
 * A parameter whose schema was found to fit its field's, which its type can't say. The message's
 * validator looks at it in each call.
 */
export function fitted(value: unknown): never {
  // Of no type at all, it is taken for a value of any.
  return value as never;
}

/** Messages as JSON, in UTF-8. Absent properties are left out. */
export function json<Message>(): MessageEncoder<Message> {
  return {
    contentType: "application/json",
    // Literals and copied arguments: nothing that JSON can't say.
    encode: (message) => Buffer.from(JSON.stringify(message)),
  };
}
