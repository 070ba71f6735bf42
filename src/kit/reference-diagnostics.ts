import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

type Example = Pick<DiagnosticEntry, "example" | "fixed">;

/**
 * Diagnostics of a kind with `roots`, besides `referenceDiagnosticEntries`.
 *
 * @param unknown a project in which a placeholder names a path that its root doesn't declare, and
 * the fixed project
 * @param ambiguous a project whose tool has a parameter named like the root
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
      "a placeholder that names an undeclared field",
      "Some placeholders start with a name that is not a parameter: `{caller.tenant}` is a field of the caller. Such a placeholder must name a declared field. Nothing could ever fill in another name.",
      unknown,
    ),
    [`${kind}/ambiguous-reference`]: entry(
      "a placeholder that could also name a parameter",
      "The application provides `{caller.tenant}`, while a model or user provides a parameter. If the tool has a parameter `caller`, a reader could mistake one for the other. Rename one of the two.",
      ambiguous,
    ),
  };
}

/**
 * Returns the diagnostics of a kind with `callerRoot`.
 *
 * @param example returns a project with one tool of the kind. Its only parameter is the required
 * string `parameter`; its binding names the given field of the caller, and uses the parameter
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
 * Returns the diagnostics of references and of coverage, for one kind.
 *
 * @param example returns a project with one tool of the kind. Its parameters are the required
 * strings `order_id` and `note`; in its binding only `text` refers to them; `unused` is the tool's
 * list of that name
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
      "a brace outside a placeholder",
      "In a binding, `{` starts a placeholder and `}` ends it. Double a literal brace: `{{` and `}}`.",
      example("{order_id} {note} }"),
      example("{order_id} {note} }}"),
    ),
    [`${kind}/bad-placeholder`]: entry(
      "an invalid placeholder",
      "`{name}` stands for a parameter, `{name.field}` for a field of an object parameter, and `${NAME}` for a credential. A placeholder has no spaces and no empty steps. `$NAME` without braces would be sent as plain text.",
      example("{ order_id } {note}"),
    ),
    [`${kind}/lone-surrogate`]: entry(
      "half of a character",
      "JSON and JavaScript write a character beyond U+FFFF as two halves, a surrogate pair: `\\ud83d\\ude00`. One half alone is not a character, and UTF-8 can't encode it. skillc sends everything as UTF-8, so the call would fail or send something else.",
      example("\\ud83d {order_id} {note}"),
      example("\\ud83d\\ude00 {order_id} {note}"),
    ),
    [`${kind}/unknown-parameter`]: entry(
      "a placeholder that names no parameter",
      "Each placeholder names a declared parameter of the tool, or a declared field of a parameter. Nothing could ever fill in another name.",
      example("{orderId} {note}"),
    ),
    [`${kind}/parameter-as-credential`]: entry(
      "a parameter written as a credential",
      "`${NAME}` stands for a credential or setting, which the runtime looks up during the call. `{name}` stands for the value that the caller passes. With the `$`, the parameter is never sent, and the call needs a setting that nobody has. If you mean a setting, rename the setting or the parameter.",
      example("${order_id} {note}"),
    ),
    [`${kind}/unused-parameter`]: entry(
      "a parameter that the binding doesn't use",
      "A caller who passes a parameter expects it to matter. Use each parameter in the binding, or list it in the tool's `unused`.",
      example("{order_id}"),
      example("{order_id}", ["note"]),
    ),
    [`${kind}/not-unused`]: entry(
      "`unused` lists a parameter that the binding uses",
      "`unused` is for parameters that the tool ignores on purpose. The binding uses this parameter, so it doesn't belong in the list.",
      example("{order_id} {note}", ["note"]),
    ),
    [`${kind}/unknown-unused`]: entry(
      "`unused` lists an unknown parameter",
      "`unused` lists parameters of the tool. Another name is a misspelling, or a parameter that the tool no longer has.",
      example("{order_id} {note}", ["notes"]),
    ),
  };
}
