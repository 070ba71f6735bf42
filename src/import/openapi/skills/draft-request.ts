/**
 * Derives the parameters of a tool and their places in the request: outside the body
 * (`draft-parameters.ts`), and in it (`draft-body.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import { type JsonSchema, setOwn } from "../../../core/json.js";
import type { Operation } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import { withoutFixedNames } from "./fixed-names.js";
import type { AuthDraft } from "./draft-auth.js";
import { draftBody, type BodyDraft } from "./draft-body.js";
import { createTakenSchemas, type DraftContext } from "./draft-context.js";
import { type PlacedParameter, placeParameters } from "./draft-parameters.js";
import type { ToolParameter } from "./tool-parameter.js";

export interface RequestDraft {
  readonly placed: readonly PlacedParameter[];
  readonly body?: BodyDraft;
  /** Names of the components that the parameters refer to. */
  readonly uses: ReadonlySet<string>;
  readonly broken?: Note;
}

export function draftRequest(
  operation: Operation,
  auth: AuthDraft,
  context: DraftContext,
): RequestDraft {
  // A name can be only one parameter, whatever its place.
  const names = new Set<string>();
  const schemas = createTakenSchemas(context);
  const take = (part: Part | undefined): JsonSchema =>
    part === undefined ? {} : schemas.take(part);
  const { placed: all, broken: unsendable } = placeParameters(operation, context, names, take);
  const placed = withoutFixedNames(all.filter(hasValues), operation, auth, context);
  const { body, broken: unsendableBody } = operation.body
    ? draftBody(operation.body, operation, { context, names, take })
    : {};
  const broken =
    unsendable ??
    unsendableBody ??
    schemas.broken() ??
    impossibleIn([...placed, ...fieldsIn(body)], operation, context);
  return { placed, uses: schemas.uses, ...(body && { body }), ...(broken && { broken }) };
}

/** Checks if an optional parameter has a possible value; if not, a note explains why. */
function hasValues({ isRequired, schema }: PlacedParameter): boolean {
  return isRequired || typeof schema === "boolean" || !isDeepStrictEqual(schema["not"], {});
}

/** Returns the tool's parameters for parts of a body. */
export function fieldsIn(body: BodyDraft | undefined): readonly ToolParameter[] {
  if (body === undefined) return [];
  return "fields" in body ? body.fields : [body.value];
}

/** Finds a required parameter that has no possible value, so that no call can be made. */
function impossibleIn(
  parameters: readonly ToolParameter[],
  { at }: Operation,
  { components, folder }: DraftContext,
): Note | undefined {
  const needed = parameters.filter(({ isRequired }) => isRequired);
  if (needed.length === 0) return undefined;
  const properties: Record<string, JsonSchema> = {};
  for (const { schema, wire } of needed) setOwn(properties, wire, schema);
  const all = { type: "object", required: needed.map(({ wire }) => wire), properties };
  const why = components.whyNoValue(all, folder);
  const message = `no value fits the required parameters: ${why}`;
  return why === undefined ? undefined : { code: "import/operation-left-out", at, message };
}
