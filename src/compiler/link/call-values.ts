/** Values that a compensation can read: of the call's parameters, success and caller. */
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { SchemaPlace } from "../../schema/certain-mismatches.js";
import { callerValue } from "../../kit/caller-root.js";
import type { ToolAnswers } from "../../kit/answers.js";
import type { ProjectTools, UnlinkedTool } from "../../kit/project-tools.js";
import type { Target } from "../../kit/sources/fit.js";
import type { PathOrigin } from "../../kit/sources/follow-path.js";

/** A tool whose rollback is linked. */
export interface Compensated {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  readonly tool: ToolModel;
  /** Answers of the tool; undefined if mistakes in its binding hide them. */
  readonly answers: ToolAnswers | undefined;
  /** Set if a success is a stream or one of several pages. */
  readonly isStream: boolean;
  readonly tools: ProjectTools;
  readonly report: Report;
}

/** The parameters of the call. Defaults are filled in. */
export function parametersOrigin({ parameters }: ToolModel): PathOrigin {
  const places = [{ model: parameters, at: [] }];
  return { places, name: "the parameters", form: "filled", mayBeAbsent: false };
}

/** The data of a success; undefined if nothing describes it as one JSON value. */
export function resultOrigin({ answers, isStream }: Compensated): PathOrigin | undefined {
  const data = answers?.all.flatMap((each) => each.data ?? []) ?? [];
  const places = data.filter((each) => typeof each === "object");
  if (isStream || places.length === 0 || places.length < data.length) return undefined;
  return { places, name: "result", form: "stated", mayBeAbsent: false };
}

/** The caller of the call. A call whose caller lacks the field is rejected. */
export const callerOrigin: PathOrigin = {
  places: [{ model: callerValue.caller.schema, at: [] }],
  name: "caller",
  form: "stated",
  mayBeAbsent: false,
};

/** The parameter of the other tool that takes a value. */
export function targetOf({ id, tool }: UnlinkedTool, name: string): Target {
  const wanted: SchemaPlace = { model: tool.parameters, at: [name] };
  return {
    wanted,
    name: `${quote(name)} of ${quote(id)}`,
    form: "input",
    codes: {
      no: "rollback/type-mismatch",
      some: "rollback/may-not-fit",
      literal: "rollback/literal-mismatch",
    },
  };
}
