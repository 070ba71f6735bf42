import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

type Example = Pick<DiagnosticEntry, "example" | "fixed">;

/**
 * The diagnostics of a kind with `roots`, beside `referenceDiagnosticEntries`.
 *
 * @param unknown a project in which a placeholder names a place that its root doesn't declare, and
 *   the same project mended
 * @param ambiguous one whose tool has a parameter of the root's name
 */
export function rootDiagnosticEntries(
  kind: string,
  unknown: Example,
  ambiguous: Example = { example: {}, fixed: {} },
): DiagnosticEntries {
  const entry = (title: string, explanation: string, example: Example): DiagnosticEntry => ({
    severity: "error",
    title,
    explanation,
    ...example,
  });
  return {
    [`${kind}/unknown-root-field`]: entry(
      "a placeholder that names nothing there is",
      "Some placeholders begin with what is no parameter: `{caller.tenant}` is who makes the call. They name what is declared there; anything else could never be filled in.",
      unknown,
    ),
    [`${kind}/ambiguous-reference`]: entry(
      "a placeholder that could name a parameter",
      "`{caller.tenant}` is given by the application, and a parameter by whoever asks for the call. Where the tool has a parameter `caller`, a reader could take the one for the other; so one " +
        "of the two has another name.",
      ambiguous,
    ),
  };
}

/**
 * The same for a kind with `callerRoot`.
 *
 * @param example a project with one tool of that kind, whose one parameter is the required string
 *   `parameter`, and whose binding names that field of the caller, and uses the parameter
 */
export function callerDiagnosticEntries(
  kind: string,
  example: (field: string, parameter: string) => ProjectFiles,
): DiagnosticEntries {
  const fixed = example("tenant", "order_id");
  return rootDiagnosticEntries(
    kind,
    { example: example("tennant", "order_id"), fixed },
    { example: example("tenant", "caller"), fixed },
  );
}

/**
 * The diagnostics of the reference language and of coverage, for one kind.
 *
 * @param example a project with one tool of that kind, whose parameters are the required strings
 *   `order_id` and `note`, and in whose binding only `text` refers to them; `unused` is the tool's
 *   list of that name
 */
export function referenceDiagnosticEntries(
  kind: string,
  example: (text: string, unused?: readonly string[]) => ProjectFiles,
): DiagnosticEntries {
  const entry = (
    title: string,
    explanation: string,
    broken: ProjectFiles,
    fixed = example("{order_id} {note}"),
  ): DiagnosticEntry => ({ severity: "error", title, explanation, example: broken, fixed });
  return {
    [`${kind}/lone-brace`]: entry(
      "a brace that belongs to no placeholder",
      "In a binding `{` opens the placeholder of a parameter and `}` closes it. Literal braces are doubled: `{{` and `}}`.",
      example("{order_id} {note} }"),
      example("{order_id} {note} }}"),
    ),
    [`${kind}/bad-placeholder`]: entry(
      "a placeholder that names nothing",
      "`{name}` stands for a parameter, `{name.field}` for a field of an object parameter, `${NAME}` for a credential; no spaces inside, no empty steps. `$NAME` without braces would be sent as it stands.",
      example("{ order_id } {note}"),
    ),
    [`${kind}/lone-surrogate`]: entry(
      "half of a character",
      "Characters beyond U+FFFF are two halves in JSON and JavaScript, a surrogate pair: `\\ud83d\\ude00`. One half by itself is no character, and UTF-8, which everything is sent in, has no form for it: " +
        "the call would fail, or send something else.",
      example("\\ud83d {order_id} {note}"),
      example("\\ud83d\\ude00 {order_id} {note}"),
    ),
    [`${kind}/unknown-parameter`]: entry(
      "a placeholder that names no parameter",
      "Each placeholder names a declared parameter of the tool, or a declared field of one. Anything else could never be filled in.",
      example("{orderId} {note}"),
    ),
    [`${kind}/parameter-as-credential`]: entry(
      "a parameter written as a credential",
      "`${NAME}` stands for a credential or setting, which is looked up where the call is made; `{name}` stands for what the caller passes. " +
        "With the `$` the parameter would reach nothing, and the call would ask for a setting that nobody has. Where a setting is meant, " +
        "give it, or the parameter, another name.",
      example("${order_id} {note}"),
    ),
    [`${kind}/unused-parameter`]: entry(
      "a parameter that reaches nothing",
      "A caller who passes a parameter expects it to matter. Each one is used by the binding, or listed in the tool's `unused`.",
      example("{order_id}"),
      example("{order_id}", ["note"]),
    ),
    [`${kind}/not-unused`]: entry(
      "a parameter listed as unused that the binding uses",
      "`unused` is for parameters that deliberately reach nothing. One that the binding uses does not belong there.",
      example("{order_id} {note}", ["note"]),
    ),
    [`${kind}/unknown-unused`]: entry(
      "`unused` names no parameter",
      "`unused` lists parameters of the tool; another name there is a leftover or a misspelling.",
      example("{order_id} {note}", ["notes"]),
    ),
  };
}
