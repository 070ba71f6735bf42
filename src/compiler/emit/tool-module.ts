import { posix } from "node:path";
import type {
  AnswerMasks,
  BindingEmission,
  EmitInput,
  SchemaCode,
  View,
} from "../../kit/binding-emission.js";
import type { BindingKind } from "../../kit/binding.js";
import { contractDefaults } from "@skillc/runtime/internal";
import { usualTimeoutMs } from "../../kit/common-keys.js";
import { loadTemplate } from "../../kit/load-template.js";
import { neededCallerFields } from "../../kit/needed-caller-fields.js";
import {
  anyText,
  at,
  type Code,
  code,
  ident,
  imported,
  join,
  literal,
  literalUnion,
  nothing,
  toolDoc,
} from "../../core/code.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import type { JsonValue } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type {
  BindingModel,
  FileRules,
  Prerequisites,
  RetryModel,
  SchemaModel,
  ToolModel,
} from "../../core/skill-model.js";
import { defaultsOf } from "../../schema/defaults.js";
import { type EmittedTypes, emitTypes } from "../../schema/emit-types.js";
import { emitValidators, type ValidatorRequest } from "../../schema/emit-validators.js";
import type { SchemaForm } from "../../schema/form.js";
import { maskedPaths, pathsTogether } from "../../schema/masked-paths.js";
import { answerName, obligationsType } from "./obliged-type.js";
import { streamedType } from "./streamed-type.js";
import type { EmittedTool } from "./emitter.js";
import { frameModule } from "./frame-module.js";
import { acceptsNothing, filledNames } from "./parameters.js";
import { renderTemplate } from "./render-template.js";
import { rollbackView } from "./rollback.js";
import { referredValidator, takenSchemas } from "./shared-schema.js";
import { distinctUses, type SharedUse } from "./shared-use.js";
import { skillVersionName } from "./versions.js";

const toolTemplate = loadTemplate("tool");

/** Emits the module of one tool, and the module of its validators. */
export async function emitTool({
  kind,
  out,
  lowered,
  skill,
}: EmittedTool): Promise<readonly DraftFile[]> {
  const schemas = await emitSchemas(lowered, skill.folder, kind);
  const input: EmitInput<object> = {
    toolId: lowered.id,
    tool: lowered.tool,
    binding: lowered.tool.binding,
    config: lowered.tool.binding.config,
    typeStem: lowered.typeStem,
    ...(lowered.dependencies && { dependencies: lowered.dependencies }),
    argumentsType: schemas.arguments.type,
    params: schemas.params,
    ...(schemas.returns === undefined ? {} : { returns: schemas.returns }),
    schemas: schemas.others,
    companionModule: (suffix) => `./${lowered.file}.${suffix}.js`,
    runtime: (name) => runtimeName(kind, name, `${out}/${skill.folder}`),
  };
  const emission = kind.emit(input);
  const names = toolNames(lowered);
  const body = renderTemplate(toolTemplate, {
    ...toolView(lowered, skill, kind, schemas, emission, names),
    ...rollbackView({ kind, input, answer: names.answer }),
  });
  const own = emission.declarations?.map(({ name }) => name) ?? [];
  const declared = new Set([
    lowered.functionName,
    ...Object.values(names),
    ...schemas.typeNames,
    ...own,
  ]);
  const source = lowered.tool.span.file;
  const folder = skill.folder;
  const { companion } = emission;
  const verbatim = (suffix: string, text: Code): DraftFile => ({
    path: `${folder}/${lowered.file}.${suffix}.ts`,
    source,
    body: { kind: "verbatim", code: text },
  });
  return [
    {
      path: `${folder}/${lowered.file}.ts`,
      source,
      body: { kind: "typescript", code: frameModule(body, declared) },
    },
    ...(schemas.validators.length === 0
      ? []
      : [verbatim("validate", emitValidators(schemas.validators))]),
    ...(companion === undefined ? [] : [verbatim(companion.suffix, companion.code)]),
  ];
}

/**
 * @param folder folder of the importing module, relative to the project root like a kind's `./…`
 */
function runtimeName(kind: BindingKind, name: string, folder: string): Code {
  for (const entry of [kind.runtime, ...(kind.furtherRuntime ?? [])]) {
    const { values, types } = entry;
    const own = entry.module.startsWith("./");
    const module = own ? posix.relative(folder, entry.module) : entry.module;
    if (values.includes(name)) return imported(module, name);
    if (types.includes(name)) return imported(module, name, true);
  }
  throw new Error(`binding kind ${kind.type} requests ${name}, which its runtime does not export`);
}

interface ToolNames {
  readonly answer: string;
  readonly contract: string;
  readonly data: string;
  readonly result: string;
}

function toolNames(lowered: LoweredTool): ToolNames {
  return {
    // Result of the tool's handler. The name differs from the callers' result only if obligations
    // change the result.
    answer: answerName(lowered),
    contract: lowered.functionName === "contract" ? "toolContract" : "contract",
    data: `${lowered.typeStem}Data`,
    result: `${lowered.typeStem}Result`,
  };
}

interface ToolSchemas {
  readonly declarations: readonly Code[];
  /** Names of the declared types. */
  readonly typeNames: readonly string[];
  readonly params: SchemaCode;
  /** Type of the parameters after defaults were filled in. */
  readonly arguments: { readonly type: Code };
  readonly returns: SchemaCode | undefined;
  readonly others: Readonly<Record<string, SchemaCode>>;
  readonly validators: readonly ValidatorRequest[];
}

/** Makes a type and a validator for every schema of the tool. */
async function emitSchemas(
  lowered: LoweredTool,
  folder: string,
  kind: BindingKind,
): Promise<ToolSchemas> {
  const { tool, typeStem } = lowered;
  const own = `./${lowered.file}.js`;
  const declarations: Code[] = [];
  const typeNames: string[] = [];
  const validators: ValidatorRequest[] = [];
  const declare = async (schema: SchemaModel, name: string, form: SchemaForm) => {
    const { types: imports } = takenSchemas(schema, form, folder);
    const types: EmittedTypes = await emitTypes({ schema, name, form, imports });
    declarations.push(at(schema.span, types.declarations));
    typeNames.push(...types.names);
    return types.type;
  };
  const both = async (schema: SchemaModel, role: string, form: SchemaForm): Promise<SchemaCode> => {
    const name = `${typeStem}${role}`;
    const type = await declare(schema, name, form);
    const elsewhere = referredValidator(schema, form, folder);
    if (elsewhere) return { type, validator: imported(elsewhere.module, elsewhere.name) };
    const exportName = `validate${role === "Data" ? "Returns" : role}`;
    const { validators: imports } = takenSchemas(schema, form, folder);
    validators.push({ exportName, schema, form, type: imported(own, name, true), imports });
    return { type, validator: imported(`./${lowered.file}.validate.js`, exportName) };
  };
  const filledType = async (schema: SchemaModel, params: Code, name: string): Promise<Code> => {
    const names = filledNames(schema);
    if (names?.length === 0) return params;
    if (names === undefined) return declare(schema, name, "filled");
    const there = code`Required<Pick<${params}, ${literalUnion(names)}>>`;
    typeNames.push(name);
    declarations.push(at(schema.span, code`export type ${ident(name)} = ${params} & ${there};\n`));
    return ident(name);
  };
  const params = await both(tool.parameters, "Params", "input");
  const filled = await filledType(tool.parameters, params.type, `${typeStem}Arguments`);
  const returns = tool.returns && (await both(tool.returns, "Data", "stated"));
  const others: Record<string, SchemaCode> = {};
  for (const [role, schema] of Object.entries(kind.schemas(tool.binding.config))) {
    others[role] = await both(schema, role.charAt(0).toUpperCase() + role.slice(1), "stated");
  }
  return {
    declarations,
    typeNames,
    params,
    arguments: { type: filled },
    returns,
    others,
    validators,
  };
}

/** Shared schemas that a tool's modules import. */
export function usesOfTool({ tool }: LoweredTool, kind: BindingKind): readonly SharedUse[] {
  const of = (schema: SchemaModel, form: SchemaForm) => takenSchemas(schema, form, "").uses;
  const others = Object.values(kind.schemas(tool.binding.config));
  return distinctUses([
    ...of(tool.parameters, "input"),
    ...(defaultsOf(tool.parameters) ? of(tool.parameters, "filled") : []),
    ...(tool.returns ? of(tool.returns, "stated") : []),
    ...others.flatMap((each) => of(each, "stated")),
  ]);
}

function toolView(
  lowered: LoweredTool,
  skill: LoweredSkill,
  kind: BindingKind,
  schemas: ToolSchemas,
  emission: BindingEmission,
  names: ToolNames,
): Record<string, View> {
  const { tool } = lowered;
  const data = ident(names.data);
  const binding = renderTemplate(kind.template, emission.view);
  return {
    declarations: [
      ...schemas.declarations,
      ...(emission.declarations?.map((each) => each.code) ?? []),
    ],
    aliasesData: schemas.returns === undefined,
    isStream: kind.streams?.(tool.binding.config) !== undefined,
    data,
    dataType: emission.dataType,
    result: ident(names.result),
    resultType: resultTypeOf(lowered, kind, emission, data),
    ...obligedView(lowered, names),
    contract: ident(names.contract),
    defineTool: imported(runtimeEntry(), "defineTool"),
    ...pagesView(lowered, kind, ident(names.result), schemas.params.type),
    callTool: imported(runtimeEntry(), "callTool"),
    callOptions: imported(runtimeEntry(), "CallOptions", true),
    functionName: ident(lowered.functionName),
    doc: toolDoc(tool.description, tool.deprecated),
    params: schemas.params.type,
    arguments: schemas.arguments.type,
    mayBeEmpty: acceptsNothing(tool.parameters),
    skill: literal(skill.skill.name),
    name: literal(tool.name),
    skillVersion: imported("./versions.js", skillVersionName),
    bindingVersion: anyText(lowered.version.binding),
    manifestHash: anyText(lowered.version.manifest),
    effect: literal(tool.binding.effect),
    ...settingsView(tool.binding, kind),
    ...optional("Prerequisites", "prerequisites", prerequisitesJson(skill.skill.prerequisites)),
    validateParams: schemas.params.validator,
    ...optional("Defaults", "defaults", asJson(defaultsOf(tool.parameters))),
    ...optional(
      "MaskedParams",
      "maskedParams",
      someOf(
        pathsTogether([...maskedPaths(tool.parameters), ...(emission.maskedParameters ?? [])]),
      ),
    ),
    ...optional("Files", "files", filesJson(tool.files)),
    ...dataView(tool, schemas, emission, kind.streams?.(tool.binding.config) !== undefined),
    ...optional("Caller", "caller", neededCallerFields(tool)),
    binding: at(tool.binding.span, binding),
  };
}

const nothingMasked: AnswerMasks = { data: [], own: {}, errors: [] };

/**
 * The validator of the data, the statuses that the validator doesn't describe, and the parts of
 * results that the ledger must not record.
 */
function dataView(
  { returns }: ToolModel,
  schemas: ToolSchemas,
  { dataValidator, masks = nothingMasked, ownData = [] }: BindingEmission,
  isStream: boolean,
): Record<string, View> {
  const validator = schemas.returns?.validator ?? dataValidator;
  const data = pathsTogether([...(returns ? maskedPaths(returns) : []), ...masks.data]);
  const own = Object.keys(masks.own).length === 0 ? undefined : masks.own;
  // The status distinguishes a stream from other responses.
  const isSaid = isStream || validator !== undefined || data.length > 0;
  return {
    hasReturns: validator !== undefined,
    validateReturns: validator ?? nothing,
    ...optional("OwnData", "ownData", isSaid ? someOf(ownData) : undefined),
    ...optional("MaskedResult", "maskedResult", someOf(data)),
    ...optional("MaskedOwnData", "maskedOwnData", own),
    ...optional("MaskedErrors", "maskedErrors", someOf(masks.errors)),
  };
}

/** Type of all results of a call: those of its kind, and those of the call path. */
function resultTypeOf(
  { tool: { binding, parameters } }: LoweredTool,
  kind: BindingKind,
  emission: BindingEmission,
  data: Code,
): Code {
  const { effect } = binding;
  const given = streamedType(data, kind.streams?.(binding.config));
  const isPaged = kind.pages?.(binding.config, parameters) !== undefined;
  const answers = isPaged
    ? code`${imported(runtimeEntry(), "WithNext", true)}<${emission.answerType(given)}>`
    : emission.answerType(given);
  if (effect === "read") return answers;
  if (emission.shadowedType !== undefined) return code`${answers} | ${emission.shadowedType}`;
  const shadowed = imported(runtimeEntry(), "Shadowed", true);
  const recorded = emission.recordType ?? imported(runtimeEntry(), "JsonValue", true);
  return code`${answers} | ${shadowed}<${recorded}>`;
}

/** View of a function that returns pages. */
function pagesView(
  { tool }: LoweredTool,
  kind: BindingKind,
  result: Code,
  params: Code,
): Record<string, View> {
  const pages = kind.pages?.(tool.binding.config, tool.parameters);
  if (pages === undefined) return { isPaged: false };
  const optional = acceptsNothing(tool.parameters) ? code`?` : nothing;
  const steps = join(
    pages.items.map((step) => literal(step)),
    code`, `,
  );
  const path = pages.items.length === 0 ? nothing : code`, [${steps}]`;
  const item = code`${imported(runtimeEntry(), "PageItem", true)}<${result}${path}>`;
  const type = imported(runtimeEntry(), "PagedTool", true);
  return {
    isPaged: true,
    pagedTool: imported(runtimeEntry(), "pagedTool"),
    pagedType: code`${type}<[params${optional}: ${params}], ${result}, ${item}>`,
  };
}

/** Effect of the project's obligations on the callers' results. */
function obligedView(lowered: LoweredTool, names: ToolNames): Record<string, View> {
  const isObliged = names.answer !== names.result;
  return {
    isObliged,
    answer: ident(names.answer),
    obliged: isObliged ? imported(runtimeEntry(), "Obliged", true) : nothing,
    obligations: isObliged ? obligationsType(lowered) : nothing,
  };
}

/** Settings that differ from the defaults of `defineTool`. */
function settingsView(
  { mode, retry, timeoutMs }: BindingModel,
  kind: BindingKind,
): Record<string, View> {
  const usualMs = usualTimeoutMs(kind);
  const { maxAttempts, backoffMs, backoffMultiplier } = retry;
  const unusual = Object.entries({ maxAttempts, backoffMs, backoffMultiplier }).filter(
    // Each name is also a key of the defaults.
    ([name, value]) => contractDefaults[name as keyof RetryModel] !== value,
  );
  return {
    ...optional("Mode", "mode", mode === contractDefaults.mode ? undefined : mode),
    ...optional("Timeout", "timeoutMs", timeoutMs === usualMs ? undefined : timeoutMs),
    ...optional("Retry", "retry", unusual.length === 0 ? undefined : Object.fromEntries(unusual)),
  };
}

/** A member of the contract, which is left out without a value. */
function optional(flag: string, name: string, value: JsonValue | undefined): Record<string, View> {
  return {
    [`has${flag}`]: value !== undefined,
    [name]: value === undefined ? nothing : literal(value),
  };
}

/** Plain data in the shape of the runtime's `Defaults`. */
function asJson(defaults: ReturnType<typeof defaultsOf>): JsonValue | undefined {
  // The type has named properties instead of JsonValue's index signature, but the value contains
  // only JSON.
  return defaults as JsonValue | undefined;
}

function filesJson(files: FileRules | undefined): JsonValue | undefined {
  if (files === undefined) return undefined;
  const { at: places, folders = [], maxBytes } = files;
  return {
    at: places,
    ...(folders.length > 0 && { folders }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}

function someOf(list: readonly JsonValue[] = []): JsonValue | undefined {
  return list.length === 0 ? undefined : list;
}

function prerequisitesJson(wanted: Prerequisites): JsonValue | undefined {
  const some = Object.entries(wanted).filter(
    ([, names]: [string, readonly string[]]) => names.length > 0,
  );
  return some.length === 0 ? undefined : Object.fromEntries(some);
}
