import { origins } from "@skillc/runtime/internal";
import {
  at,
  type Code,
  code,
  ident,
  imported,
  join,
  literal,
  literalUnion,
  member,
  memberKey,
  nothing,
  objectKey,
  templateText,
} from "../../../core/code.js";
import type { JsonValue } from "../../../core/json.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { LinkedPathStep, PathStep } from "../../../core/value-path.js";
import type { BindingEmission, EmitInput, View } from "../../../kit/binding-emission.js";
import { constantCode, pathCode } from "../../../kit/sources/source-code.js";
import type { SourceRoot } from "../../../kit/sources/source-path.js";
import { objectCode } from "../../../kit/values/emit-value.js";
import type {
  LinkedFields,
  LinkedParameter,
  LinkedPlan,
  LinkedStep,
  LinkedValue,
  PlanConfig,
} from "./model.js";
import { factsOfPlan } from "./plan-facts.js";

type Input = EmitInput<PlanConfig>;
type PathRead = Extract<LinkedValue, { readonly kind: "path" }>;

/** Emits a plan: an interface of all that its steps may read, and the list of its steps. */
export function emitPlan(input: Input): BindingEmission {
  const { config, runtime, typeStem } = input;
  const { linked } = config;
  if (linked === undefined) throw new Error("a plan is emitted before it is linked");
  const sources = `${typeStem}Sources`;
  const dataType = dataTypeOf(linked, input);
  return {
    declarations: [{ name: sources, code: sourcesCode(sources, linked, input) }],
    view: {
      plan: runtime("plan"),
      argumentsType: input.argumentsType,
      sources: ident(sources),
      dataType: input.returns?.type ?? ident(`${typeStem}Data`),
      steps: linked.steps.map((step) => stepView(step, input)),
      hasOutput: linked.output !== undefined,
      output: linked.output && outputCode(linked.output, input),
      ...some("OutputNeeds", "outputNeeds", linked.outputNeeds),
      ...some("OutputFrom", "outputFrom", linked.outputFrom),
      hasOutputFields: Object.keys(linked.outputFields).length > 0,
      outputFields: literal(linked.outputFields),
      ...some("InnerSteps", "innerSteps", linked.innerSteps),
      hasConcurrency: config.concurrency !== undefined,
      concurrency: literal(config.concurrency ?? null),
      facts: literal({ ...factsOfPlan(linked, input.toolId) }),
    },
    dataType,
    answerType: (data) => answerTypeOf(data, linked, input),
    shadowedType: runtime("ShadowedPlan"),
  };
}

/** A member of a step that is written only if the list has items. */
function some(flag: string, name: string, values: readonly JsonValue[]): Record<string, View> {
  return { [`has${flag}`]: values.length > 0, [name]: literal([...values]) };
}

function stepView(step: LinkedStep, input: Input): View {
  const { runtime } = input;
  const inferred = step.params.filter(({ value }) => isInferred(value));
  const usesItem = step.params.some(({ value }) => isRoot(value, "item"));
  const asked = inferred.flatMap(({ value }) => (value.kind === "path" ? [value] : []));
  return {
    call: runtime(step.isLoop ? "eachStep" : "step"),
    tool: toolCode(step),
    id: at(step.span, literal(step.id)),
    toolId: literal(step.toolId),
    manifest: literal(input.dependencies?.[step.toolId] ?? ""),
    effect: literal(step.effect),
    ...some("After", "after", step.after),
    ...some("Needs", "needs", step.needs),
    ...some("Reads", "reads", distinctReads(step)),
    hasOn: Object.keys(step.on).length > 0,
    on: literal({ ...step.on }),
    isRepeatable: step.isRepeatable !== false && step.effect === "write",
    repeatable: literal(step.isRepeatable),
    suspends: step.suspends,
    hasWhen: step.when !== undefined,
    when: step.when && conditionCode(step.when, input),
    hasList: step.list !== undefined,
    list: step.list && valueCode(step.list, input),
    hasMaxItems: step.maxItems !== undefined,
    maxItems: literal(step.maxItems ?? null),
    hasInfer: inferred.length > 0,
    inferParameters: parametersCode(
      asked,
      asked.some((each) => isRoot(each, "item")),
    ),
    infer: join(
      inferred.map((each) => inferredName(each, input)),
      code`, `,
    ),
    parameters: parametersCode(
      step.params.map(({ value }) => value),
      usesItem || (step.isLoop && inferred.length > 0),
      inferred.length > 0,
    ),
    params: objectCode(step.params.map((each) => memberCode(each, input))),
  };
}

/**
 * Parameters of a function that reads these values. Those that it doesn't use are left out, or named
 * with an underscore if others follow.
 */
function parametersCode(
  values: readonly LinkedParameter["value"][],
  hasItem: boolean,
  isGiven = false,
): Code {
  const usesItem = values.some((each) => isRoot(each, "item"));
  const usesFrom = values.some((each) => each.kind === "path" && !isRoot(each, "item"));
  const isLast = !hasItem && !isGiven;
  const from = usesFrom ? [code`from`] : isLast ? [] : [code`_from`];
  const item = hasItem ? [usesItem ? code`item` : code`_item`] : [];
  return join([from, item, isGiven ? [code`inferred`] : []].flat(), code`, `);
}

/** Checks if a planner may have to find a value. */
function isInferred(value: LinkedParameter["value"]): boolean {
  return (
    value.kind === "generated" || (value.kind === "path" && value.whenAbsent?.type === "infer")
  );
}

/** The name of a parameter for the planner, if the parameter has no value. */
function inferredName({ name, span, value }: LinkedParameter, { runtime }: Input): Code {
  const text = at(span, literal(name));
  if (value.kind !== "path" || value.whenAbsent?.type !== "infer") return text;
  const read = pathCode(rootCode(value), value.steps);
  const given = value.whenAbsent.null === "missing" ? code`${read} ?? undefined` : read;
  return code`...${runtime("missing")}(${text}, ${given})`;
}

/** A property of an object: a parameter, or a part of the output. */
function memberCode({ name, span, value }: LinkedParameter, input: Input): Code {
  if (value.kind === "generated") return code`${at(span, objectKey(name))}: ${inferredCode(name)}`;
  return isOmittable(value)
    ? code`...${input.runtime("given")}(${at(span, literal(name))}, ${valueCode(value, input)})`
    : code`${at(span, objectKey(name))}: ${valueCode(value, input, inferredCode(name))}`;
}

/** The value that a planner found for a parameter. */
function inferredCode(name: string): Code {
  return join([code`inferred`, member(name, false)]);
}

function isOmittable(value: LinkedValue): boolean {
  return value.kind === "path" && value.whenAbsent?.type === "omit";
}

function outputCode(output: LinkedValue | LinkedFields, input: Input): Code {
  if (output.kind !== "fields") return valueCode(output, input);
  // In parentheses, because the body of an arrow function is an object.
  return code`(${objectCode(output.fields.map((each) => memberCode(each, input)))})`;
}

function distinctReads({ reads }: LinkedStep): readonly JsonValue[] {
  return [...new Map(reads.map((each) => [JSON.stringify(each), [...each]])).values()];
}

function isRoot(value: LinkedParameter["value"], from: SourceRoot["from"]): boolean {
  return value.kind === "path" && value.root.from === from;
}

function toolCode({ functionName, module }: LinkedStep): Code {
  return imported(module, functionName);
}

/**
 * Code of a value: a property access on typed sources, with a fallback and text around it.
 *
 * @param inferred the value that a planner found if there is none
 */
function valueCode(value: LinkedValue, input: Input, inferred = nothing): Code {
  if (value.kind === "literal") return at(value.span, constantCode(value.value));
  const read = pathCode(rootCode(value), value.steps);
  const { around, dropsAbsent, fallback, whenAbsent } = value;
  const given = fallback ? code`${read} ?? ${constantCode(fallback.value)}` : read;
  const sure =
    whenAbsent?.type === "error"
      ? code`${input.runtime("needed")}(${given}, ${literal(whenAbsent.text)})`
      : given;
  const there = dropsAbsent ? code`${input.runtime("present")}(${sure})` : sure;
  const whole = around === undefined ? there : textCode(there, around);
  if (whenAbsent?.type !== "infer") return at(value.span, whole);
  if (around !== undefined) return at(value.span, code`${read} == null ? ${inferred} : ${whole}`);
  return at(
    value.span,
    whenAbsent.null === "value"
      ? code`${read} === undefined ? ${inferred} : ${whole}`
      : code`${whole} ?? ${inferred}`,
  );
}

/** A text with a value in it. */
function textCode(value: Code, [first = "", ...others]: readonly string[]): Code {
  const texts = others.map((text) => code`\${${value}}${templateText(text)}`);
  return code`\`${templateText(first)}${join(texts)}\``;
}

function rootCode({ optional, root }: PathRead): Code {
  switch (root.from) {
    case "item":
      return code`item`;
    case "params":
    case "caller":
      return code`from.${ident(root.from)}`;
    case "output":
      return code`from.${ident(`step_${root.step}`)}${optional ? code`?.` : code`.`}output`;
  }
}

function conditionCode({ source, test }: NonNullable<LinkedStep["when"]>, input: Input): Code {
  const value = valueCode(source, input);
  if (test.kind === "exists")
    return code`(${value}) ${test.exists ? code`!==` : code`===`} ${literal(null)}`;
  const isPath = source.kind === "path" && source.fallback === undefined;
  const compared = isPath ? value : code`(${value})`;
  return join(
    test.values.map((each) => at(test.span, code`${compared} === ${literal(each)}`)),
    code` || `,
  );
}

/** The interface of what the steps may read. */
function sourcesCode(name: string, { steps }: LinkedPlan, input: Input): Code {
  const outputs = steps.map(
    (step) =>
      code`  readonly ${ident(`step_${step.id}`)}${step.mayBeAbsent ? code`?` : nothing}: { readonly output: ${outputType(step, input)} };\n`,
  );
  const caller = (input.binding.caller ?? []).map(
    (field) =>
      code`readonly ${memberKey(field)}: ${field === "origin" ? literalUnion([...origins]) : code`string`};`,
  );
  return join([
    code`/** Values that the steps of the plan may read. */\n`,
    code`interface ${ident(name)} {\n  readonly params: ${input.argumentsType};\n`,
    caller.length === 0 ? nothing : code`  readonly caller: { ${join(caller, code` `)} };\n`,
    ...outputs,
    code`}\n`,
  ]);
}

function outputType(step: LinkedStep, { runtime }: Input): Code {
  const data = code`${runtime("StepData")}<typeof ${toolCode(step)}>`;
  if (!step.isLoop) return data;
  return step.mayHoldNull ? code`readonly (${data} | null)[]` : code`readonly ${data}[]`;
}

/** Type of the plan's data. */
function dataTypeOf({ output, steps }: LinkedPlan, input: Input): Code {
  if (output === undefined) return code`null`;
  if (output.kind !== "fields") return valueType(output, steps, input);
  const members = output.fields.map(
    ({ name, value }) =>
      code`readonly ${memberKey(name)}${isOmittable(value) ? code`?` : nothing}: ${valueType(value, steps, input)};`,
  );
  return code`{ ${join(members, code` `)} }`;
}

/** Type of a value, as a path of types: `CreateApiSources["step_3"]["output"]`. */
function valueType(output: LinkedValue, steps: readonly LinkedStep[], input: Input): Code {
  if (output.kind === "literal") return literalType(output.value);
  if (output.around !== undefined) return code`string`;
  const { optional, root } = output;
  const sources = ident(`${input.typeStem}Sources`);
  const start =
    root.from === "output"
      ? code`${orNothing(code`${sources}[${literal(`step_${root.step}`)}]`, optional || isAbsent(steps, root.step))}["output"]`
      : code`${sources}[${literal(root.from)}]`;
  const type = pathType(start, output.steps);
  const { fallback, whenAbsent } = output;
  if (whenAbsent !== undefined) return code`NonNullable<${type}>`;
  if (fallback === undefined) return type;
  const isEmptyList = Array.isArray(fallback.value) && fallback.value.length === 0;
  return code`NonNullable<${type}>${isEmptyList ? nothing : code` | ${literalType(fallback.value)}`}`;
}

/** Type of exactly one JSON value. */
function literalType(value: JsonValue): Code {
  if (typeof value !== "object" || value === null) return literal(value);
  if (Array.isArray(value))
    return code`[${join(
      value.map((each: JsonValue) => literalType(each)),
      code`, `,
    )}]`;
  const entries = Object.entries(value);
  if (entries.length === 0) return code`Record<string, never>`;
  const members = entries.map(
    ([name, each]) => code`readonly ${memberKey(name)}: ${literalType(each)};`,
  );
  return code`{ ${join(members, code` `)} }`;
}

function isAbsent(steps: readonly LinkedStep[], id: string): boolean {
  return steps.some((step) => step.id === id && step.mayBeAbsent);
}

function pathType(start: Code, steps: readonly LinkedPathStep[]): Code {
  const opened = steps.findIndex(({ step }) => isEach(step));
  const isList = opened !== -1 && opened < steps.length - 1;
  const walked = isList ? steps : steps.filter(({ step }) => !isEach(step));
  const type = walked.reduce<Code>(
    (owner, { optional, step }) =>
      code`${orNothing(owner, optional)}[${typeof step === "string" ? literal(step) : code`number`}]`,
    start,
  );
  return isList ? code`readonly Exclude<${type}, undefined>[]` : type;
}

function isEach(step: PathStep): boolean {
  return typeof step === "object";
}

function orNothing(type: Code, optional: boolean): Code {
  return optional ? code`NonNullable<${type}>` : type;
}

/** All answers of the plan: its data, and those with which a step ends it. */
function answerTypeOf(data: Code, { maySuspend, steps }: LinkedPlan, { runtime }: Input): Code {
  const stops = steps
    .filter(({ mayStop }) => mayStop)
    .map((step) => {
      const handled = Object.entries(step.on).flatMap(([status, action]) =>
        action === "stop" ? [] : [status],
      );
      const rest = handled.length === 0 ? nothing : code`, ${literalUnion(handled)}`;
      return code`${runtime("StepStop")}<typeof ${toolCode(step)}, ${literal(step.id)}${rest}>`;
    });
  const suspended = maySuspend ? [runtime("SuspendedPlan")] : [];
  const result = code`${imported(runtimeEntry(), "ToolResult", true)}<${data}>`;
  return join([result, ...stops, ...suspended], code` | `);
}
