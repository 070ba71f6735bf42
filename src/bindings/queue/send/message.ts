import { type BoundCaller, callerFields } from "../../../runtime/caller.js";
import { callerRoot } from "../../../runtime/call/refused-value.js";
import { pointerStep, stepsOf } from "../../../runtime/json/pointer.js";
import { foremostProblem, RefusedValue } from "../../../runtime/executor.js";
import type { Given, MessageEncoder, QueueContract } from "../contract.js";

/**
 * Encodes the message that arguments make.
 *
 * @throws RefusedValue at the parameter that doesn't fit, if a single one is at fault
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
    // The validator has checked the type. Without a validator, any value is a message.
    return encode.encode(message as Message);
  } catch (error) {
    // Without a place in the message, no parameter can be found for the problem.
    if (!(error instanceof RefusedValue) || error.pointer === "") throw error;
    throw refuse(error.pointer, error.keyword, error.message);
  }
}

/** A problem of a message, and its place. */
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
 * Returns a pointer to the parameter or the caller's field whose complete value is at a place in
 * the message. Returns undefined for text that the author wrote, and for text around parameters. To
 * find the parameter, this builds the message again from arguments that all have different values.
 */
function parameterAt<Arguments, Message>(
  publish: QueueContract<Arguments, Message, object>["publish"],
  args: Given<Arguments>,
  pointer: string,
): string | undefined {
  const marks = new Map<unknown, string>();
  try {
    // Only the scalars differ from the real arguments, and the result is only inspected.
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

/** Copies a value so that each part is unique and maps to its pointer. */
function marked(value: unknown, pointer: string, marks: Map<unknown, string>): unknown {
  const copy = copyOf(value, pointer, marks);
  marks.set(copy, pointer);
  return copy;
}

function copyOf(value: unknown, pointer: string, marks: Map<unknown, string>): unknown {
  if (value === undefined) return undefined;
  // The NUL makes the mark differ from every text in the message.
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
 * Follows the steps until the value is a parameter or a part of one. The remaining steps then lead
 * into the parameter.
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
  // Only own properties count.
  return Object.hasOwn(value, name)
    ? follow((value as Readonly<Record<string, unknown>>)[name], rest, marks)
    : undefined;
}

/**
 * Passes a parameter whose schema fits the field's schema, although its type doesn't show that. The
 * message's validator checks the value in each call.
 */
export function fitted(value: unknown): never {
  // `never` is assignable to every type.
  return value as never;
}

/** Messages as JSON, in UTF-8. Absent properties are left out. */
export function json<Message>(): MessageEncoder<Message> {
  return {
    contentType: "application/json",
    // Messages consist of literals and copied arguments, so JSON can represent them.
    encode: (message) => Buffer.from(JSON.stringify(message)),
  };
}
