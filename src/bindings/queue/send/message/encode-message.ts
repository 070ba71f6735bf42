import { foremostProblem, RefusedValue } from "../../../../runtime/sink.js";
import type { Given, QueueContract } from "../../contract.js";
import { parameterAt } from "./parameter-at.js";

/**
 * The bytes of the message that arguments make.
 *
 * @throws RefusedValue at the parameter that doesn't fit, where one alone is what doesn't
 */
export function encodeMessage<Arguments, Message>(
  { encode, message: validator, publish }: QueueContract<Arguments, Message>,
  args: Given<Arguments>,
  message: unknown,
): Uint8Array {
  const problem = validator && foremostProblem(validator, message);
  const refuse = (pointer: string, keyword: string, fault: string) =>
    refusal({ pointer, keyword, fault }, parameterAt(publish, args, pointer));
  if (problem !== undefined) throw refuse(problem.pointer, problem.keyword, problem.message);
  try {
    // The validator has just said so; without one, any value is a message.
    return encode.encode(message as Message);
  } catch (error) {
    // What is wrong with no place in particular is told of the parameters.
    if (!(error instanceof RefusedValue) || error.pointer === "") throw error;
    throw refuse(error.pointer, error.keyword, error.message);
  }
}

/** What is wrong with a message, and where in it. */
interface Fault {
  readonly pointer: string;
  readonly keyword: string;
  readonly fault: string;
}

function refusal({ fault, keyword, pointer }: Fault, parameter: string | undefined): RefusedValue {
  const place = pointer === "" ? "it" : pointer;
  if (parameter === undefined) {
    const text = `the message that they make doesn't fit its schema: ${place} ${fault}`;
    return new RefusedValue("", keyword, text);
  }
  const field = parameter === pointer ? "" : `, to be ${place} of the message`;
  return new RefusedValue(parameter, keyword, `${fault}${field}`);
}
