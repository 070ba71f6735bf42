import { at, type Code, code, literal } from "../../core/code.js";
import type { EmitInput, View } from "../binding.js";
import { accessCode, accessType } from "./access.js";
import type { HttpConfig, PathModel } from "./model.js";

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
function dataCode({ config, schemas, runtime }: Input): Code | undefined {
  const { dataPath, response } = config;
  if (dataPath === undefined) return undefined;
  if (!dataPath.singular) return selection(dataPath, runtime);
  const from = schemas["response"] && response && ({ schema: response, form: "input" } as const);
  return singular(dataPath, (steps) => accessCode(code`body`, from, steps, () => runtime("pick")));
}

/** The body of a failure is never validated, so that its path is followed with care whatever `error_schema` says. */
function errorCode({ config: { errorPath }, runtime }: Input): Code | undefined {
  if (errorPath === undefined) return undefined;
  if (!errorPath.singular) return selection(errorPath, runtime);
  return singular(errorPath, (steps) =>
    accessCode(code`body`, undefined, steps, () => runtime("pick")),
  );
}

function singular(
  path: PathModel,
  access: (steps: readonly (string | number)[]) => Code,
): Code | undefined {
  return path.steps.length === 0 ? undefined : code`(body) => ${access(plainSteps(path))}`;
}

/** The query is parsed once, when the module loads. */
function selection(path: PathModel, runtime: Input["runtime"]): Code {
  const query = code`${runtime("query")}(${literal(path.text)})`;
  return code`((path) => (body: unknown) => ${runtime("select")}(body, path))(${query})`;
}

/** Those of a singular query, which has no others. */
function plainSteps(path: PathModel): readonly (string | number)[] {
  return path.steps.flatMap(({ at: step }) => (typeof step === "object" ? [] : [step]));
}

/** The type of `data` when the tool declares no `returns`. */
export function dataTypeOf({ config, schemas }: Input): Code {
  const { dataPath, response } = config;
  if (dataPath?.singular === false) return code`readonly unknown[]`;
  const type = schemas["response"]?.type ?? code`unknown`;
  if (dataPath === undefined || dataPath.steps.length === 0) return type;
  const from = response && ({ schema: response, form: "input" } as const);
  return at(dataPath.span, accessType(type, from, plainSteps(dataPath)));
}
