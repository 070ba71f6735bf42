import { at, type Code, code, literal, nothing } from "../../../core/code.js";
import { lookUp } from "../../../schema/look-up.js";
import type { EmitInput, View } from "../../binding.js";
import { accessCode, accessType, type Reachable } from "../../values/access.js";
import type { HttpConfig, PathModel } from "../model.js";

type Input = EmitInput<HttpConfig>;

/** What the template needs to lay out the functions that find `data` and `error`. */
export function responseView(input: Input): { readonly [name: string]: View } {
  const { config } = input;
  const response = input.schemas["response"];
  return {
    hasResponse: response !== undefined,
    responseType: response?.type,
    response: response?.validator,
    ...pathView("Data", config.dataPath, dataCode(input)),
    ...dataPathView(input),
    ...pathView("Error", config.errorPath, errorCode(input)),
  };
}

function pathView(
  name: "Data" | "Error",
  path: PathModel | undefined,
  found: Code | undefined,
): { readonly [name: string]: View } {
  const finder = path && found && at(path.span, found);
  return { [`has${name}`]: finder !== undefined, [name.toLowerCase()]: finder };
}

/** How `data` is found; undefined when it is the body itself. */
function dataCode(input: Input): Code | undefined {
  const { dataPath } = input.config;
  if (dataPath === undefined) return undefined;
  const { runtime } = input;
  if (!dataPath.singular) return selectorCode(dataPath, itemType(input, dataPath), runtime);
  return singular(dataPath, (steps) =>
    accessCode(code`body`, responseOf(input)?.from, steps, () => runtime("pick")),
  );
}

/** The body of a failure is never validated, so that its path is followed with care whatever `error_schema` says. */
function errorCode({ config: { errorPath }, runtime }: Input): Code | undefined {
  if (errorPath === undefined) return undefined;
  if (!errorPath.singular) return selectorCode(errorPath, undefined, runtime);
  return singular(errorPath, (steps) =>
    accessCode(code`body`, undefined, steps, () => runtime("pick")),
  );
}

function singular(
  path: PathModel,
  access: (steps: readonly (string | number)[]) => Code,
): Code | undefined {
  return path.steps.length === 0 ? undefined : code`(body) => ${access(stepsOf(path))}`;
}

function selectorCode(path: PathModel, type: Code | undefined, runtime: Input["runtime"]): Code {
  const argument = type === undefined ? nothing : code`<${type}>`;
  return code`${runtime("selector")}${argument}(${literal(path.text)})`;
}

/** The steps of `data`, where no validator has made sure that they lead somewhere. */
function dataPathView(input: Input): { readonly [name: string]: View } {
  const { dataPath } = input.config;
  const steps = dataPath?.singular === true ? stepsOf(dataPath) : [];
  const from = responseOf(input)?.from;
  const isThere = from !== undefined && lookUp(from.schema, steps, from.form).presence === "always";
  const isTold = dataPath !== undefined && steps.length > 0 && !isThere;
  return {
    hasDataPath: isTold,
    dataPath: isTold ? at(dataPath.span, literal(steps)) : undefined,
  };
}

/** As steps of a value: 0 stands for each item. */
function stepsOf(path: PathModel): readonly (string | number)[] {
  return path.steps.map(({ at: step }) => (typeof step === "object" ? 0 : step));
}

interface Response {
  readonly type: Code;
  readonly from: Reachable;
}

/** The validated body; undefined where nothing is known of it. */
function responseOf({ config, schemas }: Input): Response | undefined {
  const type = schemas["response"]?.type;
  const schema = config.response;
  return type && schema && { type, from: { schema, form: "stated" } };
}

/** The type of what a query finds that is not singular; undefined when the schema doesn't say. */
function itemType(input: Input, path: PathModel): Code | undefined {
  const response = responseOf(input);
  if (response === undefined || !path.complete) return undefined;
  const type = accessType(response.type, response.from, stepsOf(path));
  return type && at(path.span, type);
}

/** The type of `data` when the tool declares no `returns`. */
export function dataTypeOf(input: Input): Code {
  const { dataPath } = input.config;
  const response = responseOf(input);
  if (dataPath?.singular === false) return code`readonly ${itemType(input, dataPath) ?? unknown}[]`;
  if (response === undefined) return unknown;
  const steps = dataPath === undefined ? [] : stepsOf(dataPath);
  if (dataPath === undefined || steps.length === 0) return response.type;
  return at(dataPath.span, accessType(response.type, response.from, steps) ?? unknown);
}

const unknown = code`unknown`;
