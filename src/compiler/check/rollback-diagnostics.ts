import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { callerDiagnosticEntries } from "../../kit/reference-diagnostics.js";

type Severity = DiagnosticEntry["severity"];

const secretResult =
  "{ type: object, required: [id], properties: { id: { type: string, x-sensitive: true } } }";

/** Entries of the codes about `rollback`, for the stages check and link. */ const longResult =
  "{ type: object, required: [id], properties: { id: { type: string, maxLength: 10000 } } }";

export const rollbackDiagnosticEntries: DiagnosticEntries = {
  "rollback/missing": entry(
    "a write that does not say how it is undone",
    "Every write of a command must say how a call is undone, because skillc can't see which files a command changes. With `rollback: required` in skillc.yaml, every write of high or critical risk must say it. If nothing undoes a call, `{ strategy: none, reason: … }` shows the reason to approvers.",
    command("unused: []"),
    command("rollback: { strategy: effects }"),
  ),
  "rollback/advised": entry(
    "a risky write that does not say how it is undone",
    "A write of high or critical risk should say how a call is undone. If nothing undoes it, `{ strategy: none, reason: … }` shows the reason to approvers. With `rollback: required` in skillc.yaml, this is the error `rollback/missing`.",
    orders(undefined),
    orders("cancel-order"),
    "warning",
  ),
  "rollback/no-layer": entry(
    "the strategy `effects` without a layer",
    "A command in the sandbox runs over a layer. The runtime applies what the command changed there, and keeps what it replaced. Other executors and other types of bindings have no layer.",
    command("rollback: { strategy: effects }", "executor: host"),
    command("rollback: { strategy: effects }", "executor: sandbox"),
  ),
  "rollback/no-backup": entry(
    "a backup of a call that changes no files",
    "`backup` copies files and folders of this machine before a command or a file tool changes them. It can't copy what a service, a database or a broker keeps.",
    orders("{ strategy: backup }"),
    orders("cancel-order"),
  ),
  "rollback/no-paths": entry(
    "a backup without paths",
    "Only the author knows which files a command changes. Without paths, the runtime would copy nothing, and a call could not be undone.",
    command("rollback: { strategy: backup }"),
    command('rollback: { strategy: backup, paths: ["{folder}"] }'),
  ),
  "rollback/needless-paths": entry(
    "paths in the backup of a file tool",
    "A file tool names each file before it changes it, so the runtime copies exactly these files.",
    notes("{ strategy: backup, paths: [./notes] }"),
    notes("{ strategy: backup }"),
  ),
  "rollback/outside-folders": entry(
    "a backup of files that the command can't change",
    "A command changes files only below the folders that `write` of `allowed_paths` lists. Any other path in a backup is a mistake: the runtime would copy the wrong files.",
    command("rollback: { strategy: backup, paths: [./elsewhere] }"),
    command("rollback: { strategy: backup, paths: [./workspace/notes] }"),
  ),
  "rollback/bad-path": entry(
    "a path of a backup that is not the command's own path",
    "A path of a backup is fixed text, or begins with a parameter that is a path of the command. The runtime checks such a parameter before the process starts. Other text could lead anywhere.",
    command('rollback: { strategy: backup, paths: ["./workspace/{pattern}"] }'),
    command('rollback: { strategy: backup, paths: ["{folder}"] }'),
  ),
  "rollback/no-key": entry(
    "a compensation that needs a masked or long value, in a project without a key",
    "The ledger masks values whose schema says `x-sensitive` or `writeOnly`, and its records have no room for long parameters. If a rollback needs such a value, the runtime encrypts it with the project's `key`, and keeps it beside the record. Without a `key`, the runtime does not keep the value, and nobody can roll back the call. `skillc check --env` reports the missing key.",
    compensated('"{result.id}"', secretResult),
    compensated('"{result.id}"'),
  ),
  "rollback/may-need-key": entry(
    "a compensation that may need a long value, in a project without a key",
    "A record of the ledger contains parameters of at most 4096 characters. If they are longer, the runtime encrypts them with the project's `key`, and keeps them beside the record. Without a `key`, nobody can roll back such a call. `skillc check --env` warns if a schema allows longer text by its `maxLength`.",
    compensated('"{result.id}"', longResult),
    compensated('"{result.id}"'),
    "warning",
  ),
  "rollback/lone-brace": entry(
    "a brace that belongs to no placeholder",
    "A brace opens or closes a placeholder. Write `{{` or `}}` for a brace itself.",
    orders('{ tool: cancel-order, parameters: { order_id: "{result.id" } }'),
    compensated('"{result.id}"'),
  ),
  "rollback/bad-placeholder": entry(
    "a placeholder that can't be read",
    "In the parameters of a compensation, `{name}` is a parameter of the call, `{result.id}` is a field of its result, and `{caller.tenant}` is a field of its caller. A placeholder stands in quotes, and never in the name of a property. Settings are not available.",
    compensated("{result.id}"),
    compensated('"{result.id}"'),
  ),
  "rollback/lone-surrogate": entry(
    "half of a character",
    "Half of a surrogate pair is no character, and UTF-8 can't encode it.",
    compensated('"\\uD800"'),
    compensated('"order"'),
  ),
  "rollback/only-reads": entry(
    "a rollback by a tool that only reads",
    "A tool that only reads changes nothing, so it can't undo a call.",
    orders("find-order"),
    orders("cancel-order"),
  ),
  "rollback/unknown-argument": entry(
    "a parameter that the other tool doesn't have",
    "The keys of `parameters` are parameters of the tool that undoes a call. The value of any other key would have no effect.",
    orders('{ tool: cancel-order, parameters: { order_id: "{result.id}", resaon: mistake } }'),
    orders('{ tool: cancel-order, parameters: { order_id: "{result.id}", reason: mistake } }'),
  ),
  "rollback/missing-parameter": entry(
    "a required parameter without a value",
    "The tool that undoes a call requires the parameter, so each rollback would fail.",
    orders("{ tool: cancel-order, parameters: { reason: mistake } }"),
    orders('{ tool: cancel-order, parameters: { order_id: "{result.id}", reason: mistake } }'),
  ),
  "rollback/unknown-parameter": entry(
    "a placeholder that names no parameter of the call",
    "In the parameters of a compensation, `{name}` is a parameter of the call that is undone, and `{result.id}` is a field of its result.",
    compensated('"{order_id}"'),
    compensated('"{result.id}"'),
  ),
  ...callerDiagnosticEntries("rollback", callerOrders),
  "rollback/unknown-field": entry(
    "a field that the result or a parameter doesn't declare",
    "The schema of the value says which fields it has. A placeholder for any other field would find nothing.",
    compensated('"{result.order_id}"'),
    compensated('"{result.id}"'),
  ),
  "rollback/unknown-result": entry(
    "a result without a schema",
    "A placeholder such as `{result.id}` is checked before any call, so the tool declares its result in `returns`.",
    compensated('"{result.id}"', ""),
    compensated('"{result.id}"'),
  ),
  "rollback/maybe-absent": entry(
    "a value that may be absent",
    "The call may leave out an optional parameter, and the result an optional field. The tool that undoes the call then gets no value.",
    compensated('"{result.number}"'),
    compensated('"{result.id}"'),
  ),
  "rollback/type-mismatch": entry(
    "a value of the wrong type",
    "The tool that undoes a call would reject the value, or TypeScript would reject the generated module.",
    compensated('"{result.total}"'),
    compensated('"{result.id}"'),
  ),
  "rollback/may-not-fit": entry(
    "a value that may not fit",
    "Some values fit the parameter, and others do not: they break a limit or a pattern. The tool rejects such a value when a call is rolled back.",
    compensated('"{result.id}"', undefined, "maxLength: 5"),
    compensated('"{result.id}"'),
    "warning",
  ),
  "rollback/literal-mismatch": entry(
    "a fixed value that does not fit",
    "The tool that undoes a call would reject the value each time.",
    compensated("7"),
    compensated('"7"'),
  ),
  "rollback/unfilled": entry(
    "a rollback whose parameters are not found",
    "`rollback: cancel-order` takes the parameters of that tool from the parameters of the call and the fields of its result, by name and type. If a required one is not found, calls can't be rolled back.",
    orders("cancel-order", "code"),
    orders("cancel-order"),
    "warning",
  ),
};

function entry(
  title: string,
  explanation: string,
  example: ProjectFiles,
  fixed: ProjectFiles,
  severity: Severity = "error",
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed };
}

function skill(...tools: readonly string[]): ProjectFiles {
  return {
    "skills/desk/SKILL.md": `---\nname: desk\ndescription: Looks after orders and notes.\n---\n`,
    "skills/desk/metadata.yaml": ["tools_schema:", ...tools, ""].join("\n"),
  };
}

/** A tool that creates an order, with this rollback, and a tool that cancels one. */
function orders(
  rollback: string | undefined,
  id = "order_id",
  {
    limit = "",
    returns = `{ type: object, required: [${id}, id, total], properties: { ${id}: { type: string }, id: { type: string }, total: { type: integer }, number: { type: string } } }`,
  } = {},
): ProjectFiles {
  return skill(
    "  create-order:",
    "    description: Creates an order.",
    "    parameters: { type: object, required: [sku], properties: { sku: { type: integer } } }",
    ...(returns === "" ? [] : [`    returns: ${returns}`]),
    rollback === undefined ? "    risk_level: high" : `    rollback: ${rollback}`,
    '    binding: { type: http, method: POST, url: "https://orders.example.com/orders", body_template: { sku: "{sku}" } }',
    "  cancel-order:",
    "    description: Cancels an order.",
    `    parameters: { type: object, required: [order_id], properties: { order_id: { type: string${limit && `, ${limit}`} }, reason: { type: string } } }`,
    '    binding: { type: http, method: POST, url: "https://orders.example.com/orders/{order_id}/cancel", body_template: { reason: "{reason}" } }',
    "  find-order:",
    "    description: Finds an order.",
    "    parameters: { type: object, required: [order_id], properties: { order_id: { type: string } } }",
    '    binding: { type: http, method: GET, url: "https://orders.example.com/orders/{order_id}" }',
  );
}

/** A tool with this parameter; the tool that undoes its calls gets this field of the caller. */
function callerOrders(field: string, parameter: string): ProjectFiles {
  return skill(
    "  create-order:",
    "    description: Creates an order.",
    `    parameters: { type: object, required: [${parameter}], properties: { ${parameter}: { type: string } } }`,
    `    rollback: { tool: create-order, parameters: { ${parameter}: "{caller.${field}}" } }`,
    `    unused: [${parameter}]`,
    '    binding: { type: http, method: POST, url: "https://orders.example.com/orders" }',
  );
}

/** The same with a compensation whose only parameter has this value. */
function compensated(value: string, returns?: string, limit?: string): ProjectFiles {
  const rollback = `{ strategy: compensate, tool: cancel-order, parameters: { order_id: ${value} } }`;
  return orders(rollback, "code", {
    ...(returns !== undefined && { returns }),
    ...(limit !== undefined && { limit }),
  });
}

/** A command that changes files, with these lines in the tool and in its binding. */
function command(rollback: string, executor = "executor: sandbox"): ProjectFiles {
  return skill(
    "  clean-up:",
    "    description: Removes files whose name matches a pattern.",
    "    parameters: { type: object, required: [folder, pattern], properties: { folder: { type: string, format: path }, pattern: { type: string } } }",
    `    ${rollback}`,
    "    binding:",
    "      type: command",
    `      ${executor}`,
    '      command: [find, "{folder}", -name, "./{pattern}", -delete]',
    "      allowed_paths: { write: [./workspace] }",
  );
}

/** A tool that writes a note, with this rollback. */
function notes(rollback: string): ProjectFiles {
  return skill(
    "  write-note:",
    "    description: Writes a note.",
    "    parameters: { type: object, required: [name, text], properties: { name: { type: string }, text: { type: string } } }",
    `    rollback: ${rollback}`,
    '    binding: { type: file, operation: write, path: "./notes/{name}", content: "{text}", allowed_paths: [./notes] }',
  );
}
