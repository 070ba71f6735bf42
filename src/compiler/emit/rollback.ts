import {
  at,
  type Code,
  code,
  ident,
  imported,
  join,
  literal,
  nothing,
  objectKey,
  templateText,
} from "../../core/code.js";
import { collectDiagnostics } from "../../core/report.js";
import {
  type ArgumentValue,
  type CompensateModel,
  type LinkedArgument,
  type LinkedCompensation,
  type ReadArgument,
  readsIn,
  type RollbackModel,
} from "../../core/rollback-model.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type { EmitInput, View } from "../../kit/binding-emission.js";
import type { BindingKind } from "../../kit/binding.js";
import { readBackupPaths } from "../../kit/file-changes.js";
import { constantCode, pathCode } from "../../kit/sources/source-code.js";
import { functionParameters, objectCode } from "../../kit/values/emit-value.js";

/** The parts of a tool's module that its rollback needs. */
export interface RollbackScope {
  readonly kind: BindingKind;
  readonly input: EmitInput<object>;
  /** Name of the type of the binding's answers. */
  readonly answer: string;
}

/** Makes the member `rollback` of a tool's contract; none for a read. */
export function rollbackView(scope: RollbackScope): Record<string, View> {
  const { binding, rollback } = scope.input.tool;
  const isUsed = rollback !== undefined && binding.effect === "write";
  return {
    hasRollback: isUsed,
    rollback: isUsed ? at(rollback.span, rollbackCode(rollback, scope)) : nothing,
  };
}

function rollbackCode(rollback: RollbackModel, scope: RollbackScope): Code {
  switch (rollback.strategy) {
    case "compensate":
      return compensateCode(rollback, scope);
    case "effects":
      return literal({ strategy: "effects" });
    case "none":
      return literal({ strategy: "none", reason: rollback.reason });
    case "backup": {
      const { fileChanges } = scope.kind;
      // `check` reported what is wrong with them.
      const paths = readBackupPaths(rollback, collectDiagnostics().report);
      if (paths.length === 0 || fileChanges?.namesFiles !== false)
        return literal({ strategy: "backup" });
      const codes = fileChanges.pathCodes(scope.input, paths);
      return objectCode([
        code`strategy: ${literal("backup")}`,
        code`paths: (${functionParameters(paths)}) => [${join(codes, code`, `)}]`,
      ]);
    }
  }
}

function compensateCode({ linked }: CompensateModel, { answer, input }: RollbackScope): Code {
  if (linked === undefined) throw new Error("a compensation is emitted before it is linked");
  const { functionName, module, parameters, toolId } = linked;
  const other = module === undefined ? ident(functionName) : imported(module, functionName);
  const made = parameters && parametersCode(parameters, other, { answer, input });
  return code`${runtime("compensate")}(${literal(toolId)}, ${made ?? code`undefined`}, () => ${other})`;
}

/** Code of a function that makes the parameters. Its types stop a field that does not exist. */
function parametersCode(
  parameters: NonNullable<LinkedCompensation["parameters"]>,
  other: Code,
  { answer, input }: Pick<RollbackScope, "answer" | "input">,
): Code {
  const reads = parameters.flatMap(({ value }) => readsIn(value));
  const uses = (from: ReadArgument["from"]) => reads.some((each) => each.from === from);
  const first = code`${uses("params") ? code`p` : code`_p`}: ${input.argumentsType}`;
  const result = uses("result") ? code`r` : uses("caller") ? code`_r` : undefined;
  const second = result && code`, ${result}: ${runtime("SuccessOf", true)}<${ident(answer)}>`;
  const third = uses("caller") ? code`, caller` : nothing;
  const type = code`${runtime("ParametersOf", true)}<typeof ${other}>`;
  return code`(${first}${second ?? nothing}${third}): ${type} => (${entriesCode(parameters)})`;
}

function entriesCode(entries: readonly LinkedArgument[]): Code {
  return objectCode(
    entries.map(
      ({ name, span, value }) => code`${at(span, objectKey(name))}: ${argumentCode(value)}`,
    ),
  );
}

function argumentCode(value: ArgumentValue): Code {
  switch (value.kind) {
    case "literal":
      return at(value.span, constantCode(value.value));
    case "read":
      return readCode(value);
    case "list":
      return at(value.span, code`[${join(value.items.map(argumentCode), code`, `)}]`);
    case "map":
      return at(value.span, entriesCode(value.entries));
    case "text": {
      const parts = value.parts.map((part) =>
        typeof part === "string" ? templateText(part) : code`\${${readCode(part)}}`,
      );
      return at(value.span, code`\`${join(parts)}\``);
    }
  }
}

const roots = { params: code`p`, result: code`r.data`, caller: code`caller` } as const;

function readCode({ from, span, steps }: ReadArgument): Code {
  return at(span, pathCode(roots[from], steps));
}

function runtime(name: string, typeOnly = false): Code {
  return imported(runtimeEntry(), name, typeOnly);
}
