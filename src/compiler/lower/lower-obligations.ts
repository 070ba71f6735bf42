import {
  type AnyObligationKind,
  type KeyForms,
  type ObligationAction,
  obligationKinds,
} from "@skillc/runtime/internal";
import type { ObligationModel, WrittenAction, WrittenForms } from "../../core/governance-model.js";
import { getOwn } from "../../core/json.js";
import type { LoweredObligation } from "../../core/lowered-obligation.js";
import type { ToolModel } from "../../core/skill-model.js";
import { selects } from "../../core/tool-selection.js";
import { lookAlong } from "../../schema/look-along.js";
import { redactionOf } from "../../schema/pattern/redaction.js";

/**
 * Computes the effect of the obligations on a tool's results: all that select the tool, except for
 * paths that its result can't have. A path that an open object may have counts, whatever its type
 * is.
 */
export function lowerObligations(
  skill: string,
  tool: ToolModel,
  obligations: readonly ObligationModel[],
): readonly LoweredObligation[] {
  const { name, tags } = tool;
  return obligations
    .filter((each) => selects(each, { skill, name, tags }))
    .flatMap((each) => {
      const presence = presenceOf(each.action, tool);
      if (presence === "never") return [];
      return [
        {
          name: each.name,
          action: lowerAction(each.action),
          unless: each.unless.map(({ value }) => value),
          isTyped: presence === "declared",
        },
      ];
    });
}

/** Checks if the result may have the path. A tool without `returns` may return anything. */
function presenceOf(action: WrittenAction, { returns }: ToolModel) {
  if (!("at" in action) || returns === undefined) return "declared";
  return lookAlong(returns, action.at.steps, "stated").presence;
}

/** The value of a key in `generated/policy.ts`, by the key's form. */
const lowered: {
  readonly [Form in keyof KeyForms]: (value: WrittenForms[Form]) => KeyForms[Form];
} = {
  place: ({ steps }) => steps,
  pattern({ value }) {
    const redaction = redactionOf(value);
    // An invalid pattern stays unchanged, and another check reports it.
    return redaction.kind === "linear" ? redaction.text : value;
  },
  text: (value) => value,
};

function lowerAction({ do: name, ...written }: WrittenAction): ObligationAction {
  const values: { readonly [key: string]: WrittenForms[keyof WrittenForms] } = written;
  const kind: AnyObligationKind = obligationKinds[name];
  const keys = Object.entries(kind.keys).map(([key, { form }]) => [
    key,
    // The parser has read each key in its form.
    lowered[form](getOwn(values, key) as never),
  ]);
  // Every key of the kind has its value.
  return { do: name, ...Object.fromEntries(keys) } as ObligationAction;
}
