import { usualResponseBytes } from "@skillc/runtime/internal/http";
import { at, type Code, code, imported, join, literal, objectKey } from "../../core/code.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type { BindingEmission, EmitInput, View } from "../binding.js";
import { requestView } from "./emit/emit-request.js";
import { dataTypeOf, responseView } from "./emit/emit-response.js";
import { objectCode } from "../values/emit-value.js";
import type { HttpConfig } from "./model.js";
import { isSuccessCode } from "./resolve/statuses.js";

type Input = EmitInput<HttpConfig>;

/** The view of `templates/http.hbs` and the types of what the tool gives. */
export function emitHttp(input: Input): BindingEmission {
  const { config, runtime, argumentsType } = input;
  const view: View = {
    http: runtime("http"),
    argumentsType,
    method: at(config.method.span, literal(config.method.name)),
    ...requestView(input),
    limitsResponse: config.maxResponseBytes !== usualResponseBytes,
    maxResponseBytes: literal(config.maxResponseBytes),
    hasStatuses: config.statuses.length > 0,
    statuses: objectCode(
      config.statuses.map(({ code: status, name, span }) =>
        at(span, code`${objectKey(status)}: ${literal(name)}`),
      ),
    ),
    ...responseView(input),
  };
  return {
    view,
    dataType: dataTypeOf(input),
    answerType: (data) => answerTypeOf(input, data),
    recordType: runtime("HttpRecord"),
  };
}

function answerTypeOf({ config, runtime }: Input, data: Code): Code {
  const named = (success: boolean) =>
    config.statuses
      .filter(({ code: status }) => isSuccessCode(status) === success)
      .map(({ name }) => name);
  const result = imported(runtimeEntry(), "ToolResult", true);
  const failed = union([...named(false), "error"]);
  const succeeded = union(["success", ...named(true)]);
  return code`${result}<${data}, ${failed}, ${succeeded}, ${runtime("HttpFault")}>`;
}

/** `"not_found" | "error"` */
function union(names: readonly string[]): Code {
  return join(
    [...new Set(names)].map((name) => literal(name)),
    code` | `,
  );
}
