/**
 * What a call of an operation takes, and where it goes in the request: beside the body
 * (`plan-parameters.ts`), and in it (`plan-body.ts`).
 */
import type { JsonSchema } from "../../../core/json.js";
import type { Operation } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import { planBody, type PlannedBody } from "./plan-body.js";
import { createTakenSchemas, type PlanContext } from "./plan-context.js";
import { type PlacedParameter, placeParameters } from "./plan-parameters.js";

export interface PlannedRequest {
  readonly placed: readonly PlacedParameter[];
  readonly body?: PlannedBody;
  /** Names of the components that the parameters refer to. */
  readonly uses: ReadonlySet<string>;
  readonly broken?: Note;
}

export function planRequest(operation: Operation, context: PlanContext): PlannedRequest {
  // One name is one parameter, wherever it stands.
  const names = new Set<string>();
  const schemas = createTakenSchemas(context);
  const take = (part: Part | undefined): JsonSchema =>
    part === undefined ? {} : schemas.take(part);
  const { placed, broken: unsendable } = placeParameters(operation, context, names, take);
  const body = operation.body && planBody(operation.body, operation, { context, names, take });
  const broken = unsendable ?? schemas.broken();
  return { placed, uses: schemas.uses, ...(body && { body }), ...(broken && { broken }) };
}
