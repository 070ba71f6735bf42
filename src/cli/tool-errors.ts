import type { ToolErrorCode, ToolFailure } from "@skillc/runtime";

/** Explains a code that a call can throw, in docs/runtime and in `skillc explain CODE`. */
export interface ToolErrorEntry<Failure = unknown> {
  /** The error in one line. */
  readonly title: string;
  /** Describes when the code is thrown: Markdown, with empty lines between paragraphs. */
  readonly explanation: string;
  /** Meaning of each field of `error.failure`, or of each value of a field with known values. */
  readonly fields: { readonly [Name in Exclude<keyof Failure, "code">]: Field<Failure[Name]> };
  /** Advice on retries; a phrase. */
  readonly retry: string;
  /** Advice for the report to a model; a phrase. */
  readonly model: string;
  /** When to alert an operator; a phrase. */
  readonly operator: string;
}

/** Requires an explanation of every value of a union, and of every kind of entry of a list. */
type Field<Value> = Value extends readonly { readonly kind: infer Kind extends string }[]
  ? Explained<Kind>
  : [Value] extends [string]
    ? string extends Value
      ? string
      : Explained<Value>
    : string;

type Explained<Word extends string> = { readonly [W in Word]: string };

type ToolErrors = {
  readonly [Code in ToolErrorCode]: ToolErrorEntry<Extract<ToolFailure, { readonly code: Code }>>;
};

/** Explanations of every code of the runtime. A missing code or field does not compile. */
export const toolErrors: ToolErrors = {
  "SCHEMA.VALIDATION_FAILED": {
    title: "a value does not fit its schema",
    explanation:
      "`failure.subject` names the value that does not fit. The runtime checks parameters before it sends anything, and answers before it returns them. " +
      "The caller can correct only `parameters`.",
    fields: {
      subject: {
        parameters:
          "the parameters of the call; nothing was sent. Some values fit their schema, but not their place in the request: `..` as a path segment, a space in a topic. `keyword` is `ledger` if the record would exceed 16,777,216 characters. `keyword` is `json` if JSON cannot represent the value, such as a `Date` or `NaN`. `keyword` is `file` if the runtime cannot or must not read the file. If a stream fails while the runtime sends the stream, `error.outcome` is `unknown`",
        caller:
          "a field of the caller (`{caller.tenant}`) does not fit its place in the request; nothing was sent. `pointer` names the field: `/tenant`",
        response:
          "the body of a success does not fit `response_schema`. A write has most likely happened. `error.message` has the status of the answer",
        result:
          "the data of a success does not fit `returns`, or `response_schema` in a tool without `returns` and `path`. The service or the handler has answered, so a write has happened",
      },
      problems:
        "up to 100 problems. `pointer` is the place as a JSON pointer, `keyword` the rule of the schema, and `message` a text such as `is missing`. " +
        "No message contains the value",
    },
    retry: "no: the same value fails again",
    model:
      "for `parameters`: `error.message`, so that the model can correct them and call again. For `caller`: the tool is not available here; the model should do without it. Otherwise: the service's answer could not be understood; the model should not repeat the call",
    operator: "for `response` and `result`: the service has changed, or the skill is wrong",
  },
  "CREDENTIAL.MISSING": {
    title: "a credential or setting of the tool is not set here",
    explanation:
      "A `${NAME}` of the binding has no value. The runtime looks in its options, in the environment, in `.env`, and in `secrets:` of skillc.yaml. Nothing was sent.\n\n" +
      'An empty value counts as missing and hides later sources. With `credentials: { TOKEN: "" }` the runtime ignores the `TOKEN` of the environment. ' +
      "If a credential function returned nothing or threw, `error.message` says so, and `error.cause` is the thrown value.\n\n" +
      "`skillc check --env` finds missing values before a call. `offerTools` leaves out tools that lack credentials.",
    fields: { names: "names of the missing values" },
    retry: "no",
    model:
      "the tool is not available here; the model should do without it. It gets no names of credentials",
    operator: "yes: the deployment is incomplete",
  },
  "PROVIDER.TIMEOUT": {
    title: "the service did not answer in time",
    explanation:
      "No attempt got an answer within the binding's `timeout_ms`. `error.attempts` is the number of attempts: the runtime repeats reads and idempotent writes " +
      "as their `retry` says. If the call was still waiting for a connection or a credential, nothing was sent, and `error.outcome` is `not-done`. " +
      "For an HTTP tool with `poll`, the service accepted the work and did not finish in time. The work may go on.",
    fields: { timeoutMs: "time limit of one attempt, or of all polls, in milliseconds" },
    retry:
      "later, if `error.outcome` is `not-done` or a repeat does no harm. Otherwise find out first if the write happened",
    model:
      "the service did not answer; try again later. If the outcome is `unknown`: the write may have happened; find out first",
    operator: "if calls keep failing",
  },
  "PROVIDER.UNAVAILABLE": {
    title: "the service could not be reached, or the connection broke",
    explanation:
      "No answer arrived: the host name did not resolve, or the connection was refused or reset. A 5xx status is an answer, so the tool returns it.\n\n" +
      "SQL tools also throw this code for temporary problems: a deadlock, a lock that is not free, a full server. A command throws this code if its process ends with a code that `exit_codes` doesn't name. Queue tools throw this code if the broker asks to wait: its disk is full, or a partition has no leader.",
    fields: {
      reason:
        "the system's code for the problem, such as `ECONNREFUSED`, `ENOTFOUND` or `UND_ERR_SOCKET`; for a SQL tool also `SQLSTATE 40001`",
      retryAfterMs:
        "pause that the service asks for, in milliseconds; absent if it asks for none. The runtime's own attempts wait for this pause",
      exit: "for a command: `code`, `signal` and `stderr` of its process, or `not-started`. The runtime doesn't repeat a command",
    },
    retry: "as for `PROVIDER.TIMEOUT`",
    model: "as for `PROVIDER.TIMEOUT`: the service cannot be reached; try again later",
    operator:
      "if calls keep failing. At once for `ENOTFOUND` and certificate errors, because waiting does not help",
  },
  "PROVIDER.PROTOCOL": {
    title: "an answer or a setting cannot be used",
    explanation:
      "`failure.reason` says which of these happened.\n\nHTTP: an answer cannot be read. The JSON is invalid or too deep, the body exceeds `max_response_bytes`, or the charset or content encoding is unknown. Or nothing is at the response path, or the path takes too many steps. A write has most likely happened.\n\nHTTP: there are too many redirects, or a page or a poll is at another origin. A write has most likely happened.\n\n" +
      "PostgreSQL: the server rejected a statement or a login, or returned unexpected rows. Such rows have another column or type, a NULL, or an unknown enum label. " +
      "A write was rolled back. If the database schema has changed, generate the tools again.\n\nQueues: the broker rejected a message or a login. The message is too large, the topic does not exist, or the user may not write to the topic.\n\nSettings: the value of a `${NAME}` cannot be used. An address lacks `http://`, a header has a line break, or a database URL requires TLS from a server without TLS. Nothing was sent.",
    fields: {
      reason:
        "the problem in words, without parts of the answer. If a message breaks a broker's rules, `reason` has the broker's words without quotations",
      subject:
        "`next-page` if the following page of a result cannot be fetched; nothing was sent. Absent in all other cases",
    },
    retry: "no",
    model:
      "the service's answer could not be understood; the model should not repeat the call. For `next-page`: there is more, but no further page can be fetched",
    operator: "yes: the service has changed, or the skill or a setting is wrong",
  },
  "POLICY.DENY_TOOL": {
    title: "the tool must not or cannot be called here",
    explanation:
      "The tool cannot or must not be called here. Nothing was sent. Each entry of `failure.missing` has a `name` and one of the kinds below as `kind`.",
    fields: {
      missing: {
        env: "a variable of `prerequisites.env` is not set",
        bins: "a program of `prerequisites.bins` is not in `PATH`",
        config: "the `config` of the runtime lacks a setting of `prerequisites.config`",
        os: "`prerequisites.os` does not list this operating system",
        handlers: "the tool has no binding, and the runtime has no handler for this tool",
        packages: "an npm package that the tool needs, such as a database driver, is not installed",
        tools:
          "the model was not offered this tool, the tool is paused, or the policy does not know the tool. `error.message` has similar names. " +
          "`name` is empty if the model's name was not text",
        governance:
          "skillc.yaml has `obligations` that change the tool's answers, and the runtime has no `governance` that applies them",
        downloads:
          "the tool saves its answer as a file (`save: true`), and the runtime has no `downloads` folder",
      },
    },
    retry: "no",
    model:
      "for `tools`: `error.message`, so that the model can take another name or do without the tool. Otherwise: the tool is not available here; the model should do without it",
    operator: "yes, except for `tools`. `offerTools` leaves out tools that cannot be called",
  },
  "AUTH.CALLER_MISSING": {
    title: "the call has no caller with the fields that the tool needs",
    explanation:
      "The request, or the `rollback` of the tool, contains a field of the caller, such as `{caller.tenant}`, and the caller lacks this field. Nothing was sent. " +
      "Set the caller by `withCaller`, or by the option `caller` of the call or the runtime.",
    fields: { fields: "the missing fields: `tenant`, `subject`, `origin`, `trace`" },
    retry: "no",
    model: "the tool is not available here; the model should do without it",
    operator: "yes: the application calls tools outside `withCaller`",
  },
  "AUTH.FORBIDDEN": {
    title: "the caller may not make this call",
    explanation:
      "The caller lacks a scope, a policy forbids the call, or no policy permits the call. Nothing was sent. `error.message` names the missing scopes or the policies that decided.",
    fields: {
      reason: {
        scopes: "the caller lacks a scope that the tool requires",
        policy: "a policy forbids the call, or, in strict mode, no policy permits the call",
        engine:
          "a policy's condition could not be evaluated, or the policy engine failed. The runtime denies a call without a decision",
      },
      scopes: "the missing scopes",
      decidedBy: "ids of the policies that decided",
      messages: 'reasons that these policies give with `@message("…")`',
    },
    retry: "no",
    model:
      "this call is not permitted, with the reason of a policy that has one (`@message`); the model should not repeat the call",
    operator: "for `engine`: yes. Otherwise only as a sign of misuse",
  },
  "AUTH.APPROVAL_REQUIRED": {
    title: "a person has to approve exactly this call first",
    explanation:
      "The skill or a policy requires an approval, and the call has no valid one. Nothing was sent. " +
      "The store of governance keeps the request: decide it with `skillc approvals`, or pass `failure.request` to `runtime.approve`. Then repeat the call.",
    fields: {
      reason: {
        none: "the call names no approval, and an equal call was not approved",
        unknown: "no approval has this id",
        expired: "the approval is too old",
        spent: "another call has used the approval; an approval is for one call",
        withdrawn: "the approval was withdrawn",
        "other-call":
          "the approval is for another call: other arguments, another tool, tenant or subject, or an earlier version of the skill",
        own: "the caller gave the approval, and the tool doesn't let callers confirm their own calls there",
        denied: "a person denied an equal call; the denial holds until the request expires",
        stale:
          "the effects that were approved can't be applied: something was changed since the trial, or another machine keeps them",
      },
      request:
        "plain data that identifies the call to approve, without its arguments; `trial` is the SHA-256 of the effects that the stored request shows",
      note: "the reason of the person who denied the call, or why the approved effects can't be applied",
      keyMissing:
        "set if only calls of the same process can find the approval: the tool masks parameters, and governance has no `key`",
    },
    retry: "yes, once a person has approved it",
    model:
      "a person has to approve the call first; the model should then repeat it unchanged. Or a person denied it, with the note; the model should not repeat it",
    operator: "tell the person who approves",
  },
  "QUOTA.RATE_LIMITED": {
    title: "too many calls in a minute, or at once",
    explanation:
      "The call would exceed a rate, or the allowed number of calls at the same time. Nothing was sent, and the call used up nothing.\n\nAn HTTP call may also have to wait: the service asked for a pause (`Retry-After`, `RateLimit`), or `http.origins` limits requests. If the wait would exceed `timeout_ms`, the call fails with this code. `error.outcome` is `unknown` only if an earlier request of the call may have changed something.",
    fields: {
      budget:
        "name of the limit, such as `calls_per_minute of order-desk/refund`; for an origin `requests to ${ORDERS_URL}`",
      retryAfterMs:
        "time until a call can succeed, in milliseconds; absent for a limit of calls at the same time",
    },
    retry: "yes, after `retryAfterMs`",
    model: "`error.message`; try again later",
    operator: "if calls keep failing",
  },
  "QUOTA.BUDGET_EXCEEDED": {
    title: "the call is larger than allowed, or a day's budget is used up",
    explanation:
      "The call is larger than a limit allows, or a daily budget is used up. A call that is denied before it is made uses up nothing. If the answer has too many bytes (`bytes_out`), the call was made. " +
      "The runtime then withholds the answer and counts its bytes. `error.outcome` of such a write is `unknown`, unless the answer says that nothing was done.",
    fields: {
      budget: "name of the budget, such as `cost_per_day of tenant acme`",
      limit: "size of the budget",
      retryAfterMs:
        "time until the budget is full again, in milliseconds; absent if a call of this size can never be made",
    },
    retry: "after `retryAfterMs`, if it is set",
    model: "`error.message`; try again later, or ask for less",
    operator: "yes",
  },
  "IDEMPOTENCY.REFUSED": {
    title: "the idempotency key was used before, or the tool cannot use a key here",
    explanation:
      "The call has an idempotency key. The runtime could neither make the call nor return the answer of an earlier call with this key. Nothing was sent. " +
      "If the earlier call may have changed something, `error.outcome` is `unknown`.",
    fields: {
      reason: {
        "other-request":
          "the key belongs to a different call, or to a call of an earlier version of the skill",
        "author-key":
          "the skill defines the key (`binding.idempotency.key`), and the caller gave another",
        "unknown-outcome":
          "the earlier call began, and nobody knows how it ended. Find out, and record your finding with `skillc ledger settle`",
        "answer-not-kept":
          "the earlier call was made, but its answer was too large to keep, or a person settled the call",
        running: "the earlier call is still running, and this call may wait no longer",
        "not-keyed":
          "the call is a write, and the tool lacks `governance: { idempotency: keyed }` or the runtime lacks `governance`",
      },
      call: "id of the earlier call in the ledger",
    },
    retry: "for `running`: yes, with the same key. Otherwise no",
    model:
      "`error.message`, and whether to take a new key, no key, or the same key later. For `unknown-outcome`: nobody knows how the earlier call ended; the model should find out before it repeats the call",
    operator: "for `unknown-outcome`: yes, somebody has to find out",
  },
  "SANDBOX.CAPABILITY_BLOCKED": {
    title: "the call would reach a target that it must not reach",
    explanation:
      "The runtime checks the target before each attempt, at each redirect, and for each address of a host name. Nothing was sent to the blocked target.",
    fields: {
      capability:
        "the blocked target, with `***` in place of arguments: `net.http:get ${ORDERS_URL}/orders/***`",
      by: {
        manifest: "the tool's own capabilities do not include the target",
        deployment: "`capabilities:` of skillc.yaml does not include the target",
        address:
          "the host name resolves to a forbidden address: private, link-local, or of a metadata service",
      },
    },
    retry: "no",
    model: "the tool is not available here; the model should do without it",
    operator: "yes: an attack, or a wrong setting",
  },
  "PLAN.MASKED_VALUE": {
    title: "a step of a plan would use a value that an obligation has changed",
    explanation:
      "A step's output is what this caller gets of its tool. `obligations` of skillc.yaml masked, redacted or dropped a part of it, and another step reads that part. " +
      "The runtime ends the plan before it sends the changed value to another tool. Earlier steps were made: `error.outcome` says whether one of them was a write.",
    fields: {
      step: "the step that was not made",
      source: "the step whose output was changed",
      pointer:
        "the place in that output which the step reads, without the value; `*` stands for every item",
    },
    retry: "no",
    model:
      "a step would use a value that is hidden from the caller; the model should not repeat the call",
    operator: "yes: give the caller the scope in `unless`, or let the plan do without the value",
  },
  "PLAN.NO_VALUE": {
    title: "a plan needs a value that is absent",
    explanation:
      "A source says `fallback: error`, and there is no value: a field is missing or null, a list has no such item, or a step had no output. " +
      "The runtime ends the plan before it calls the tool of this step. Earlier steps were made: `error.outcome` says whether one of them was a write.",
    fields: {
      source: "the path of the value, as the plan writes it",
      step: "the step that was not made; absent if the output of the plan needs the value",
    },
    retry: "no",
    model:
      "a step needs a value that an earlier step did not get; the model should not repeat the call",
    operator: "if it happens often: let the plan do without the value",
  },
  "PLAN.NOT_INFERRED": {
    title: "a planner found no value for a parameter of a step",
    explanation:
      "The step was not made. `error.cause` is the error of the planner. Check that the runtime has a planner (`createRuntime({ planner })`), and that its model can be reached.",
    fields: {
      step: "the step; in a loop `STEP:INDEX`",
      parameters: "names of the parameters; empty if the plan ends before its first step",
      reason: {
        "no-planner": "the runtime has no planner",
        planner: "the planner's model gave no usable answer",
      },
      problem: {
        "no-answer": "the answer is empty",
        "not-json": "the answer is not JSON, or has other text around it",
        "wrong-form": "the answer is JSON, but does not fit the schema of the request",
        refused: "the model refused to answer",
        "too-late": "the answer did not come in time",
        failed: "the request failed",
      },
    },
    retry: "after a failure of the planner",
    model: "nothing could be found for a parameter of a step; the model may try again later",
    operator: "if it happens often: give the parameter a source or a default",
  },
  "PLAN.TOO_MANY_ITEMS": {
    title: "a list has more items than the loop of a plan allows",
    explanation:
      "The list of `for_each` has more items than `max_items` of its step. No call of this step was made.",
    fields: {
      step: "the step with the loop",
      items: "number of items",
      limit: "`max_items` of the step",
    },
    retry: "no",
    model: "a step has more items than are allowed; the model should ask for fewer",
    operator: "if it happens often: raise `max_items`, or ask for fewer items",
  },
  "PLAN.OUTCOME_UNKNOWN": {
    title: "a run cannot go on: nobody knows whether one of its writes was made",
    explanation:
      "The write began, and its end was not stored: the process died, the service did not answer, or the store failed. The runtime doesn't repeat the write, because " +
      "its tool takes no key by which the provider would recognize the repetition. Find out whether it was made, record it with `skillc ledger settle`, and resume the run. The run reuses the answer of a write that was made, and makes a write again that was not.",
    fields: {
      run: "the run",
      step: "the step; in a loop `STEP:INDEX`, for a step that is a plan `STEP.STEP`",
      call: "the id of the write's call in the ledger",
    },
    retry: "after the write is settled",
    model:
      "nobody knows how the earlier call ended; the model should find out before it repeats the call",
    operator: "yes, somebody has to find out",
  },
  "PLAN.RUN_TAKEN": {
    title: "another call has used the id of the run",
    explanation:
      "A run with this id exists, and it belongs to another plan, or was begun with other parameters. Nothing was sent. Take a new id for each run.",
    fields: { run: "the run" },
    retry: "with another id",
    model: "the tool failed; the model should not repeat the call",
    operator: "yes: the application uses an id twice",
  },
  "PLAN.NO_RUN": {
    title: "the caller has no such run",
    explanation:
      "No run of the caller's tenant has this id, or another subject began it. Nothing was sent.",
    fields: { run: "the run" },
    retry: "no",
    model: "the tool failed; the model should not repeat the call",
    operator: "only as a sign of misuse",
  },
  "PLAN.RUN_UNAVAILABLE": {
    title: "the run cannot go on now",
    explanation:
      "Only one call at a time runs a run, and each step is stored before it is sent. `error.cause` is the error of the store. Resume the run later: answered steps are not repeated.",
    fields: {
      run: "the run",
      reason: {
        held: "another process, or another call in this one, is running it",
        lost: "this process was too slow, and another one has taken the run over. It sends nothing any more",
        store: "the store of runs could not read or keep the run",
        driver:
          "a workflow of DBOS makes the run go on, and nothing else may; or DBOS could not be reached",
      },
    },
    retry: "yes: resume the run",
    model: "the tool failed; try again later",
    operator: "`store`: yes",
  },
  "PLAN.RUN_ENDED": {
    title: "the run was ended without an answer",
    explanation: "The run was cancelled. Nothing was sent.",
    fields: { run: "the run", status: "how it ended, such as `cancelled`" },
    retry: "with another id",
    model: "the tool failed; the model should not repeat the call",
    operator: "no",
  },
  "PLAN.CHANGED": {
    title: "tools of a plan have changed since its run began",
    explanation:
      "A run goes on only with the tools with which it began, because its earlier steps were made with them. Nothing was sent. " +
      "`skillc runs resume --was` compares the tools, and goes on if no change is major. `resumeRun` goes on with the option `forced`, which says why.",
    fields: { run: "the run", steps: "the steps whose tools differ" },
    retry: "no",
    model: "the tool failed; the model should not repeat the call",
    operator: "yes: somebody has to decide whether the run goes on",
  },
  "ROLLBACK.REFUSED": {
    title: "a call can't be undone, or not now",
    explanation:
      "`rollbackCall` throws this error before it changes anything. `rollbackTrace` throws it for a changed ledger, and otherwise returns it as `stopped.error`. `failure.reason` names the reason.\n\n" +
      "The option `force` overrides `changed-tool`, `changed-ledger` and `conflict`, and the `unknown-outcome` of an earlier rollback. The ledger keeps the reason that `force` gives. If another tool undoes the call, `force` helps only as long as the call's tool still names that tool.",
    fields: {
      call: "the call that was to be undone",
      reason: {
        "unknown-call": "the ledger has no such call of the caller's tenant",
        "not-made": "the call is a read or a shadow call, or it changed nothing",
        "no-way-back":
          "the call has no way back: its tool declares none, the skill says why nothing undoes it, the answer was no success, or a person settled the call as done",
        "not-kept":
          "the parameters of the other tool, or the copies of the files, were not kept, were removed, or were changed",
        "unknown-outcome":
          "nobody knows whether the call was made, or the call `by`, an earlier rollback. Find out, and settle that call with `skillc ledger settle`",
        "rolled-back": "the call `by` has undone it; you can undo that call",
        running: "another rollback of the call is in progress",
        "changed-tool":
          "the tool has another version than the one that made the call, or names another tool for its rollback",
        "changed-ledger": "`skillc ledger verify` finds changed or missing records",
        conflict: "files are not as the call left them; `differences` lists them",
        "unknown-path": "`paths` names a path that the call did not change",
        "not-possible":
          "another process restores the files, the disk is full, or something else is in the way",
      },
      by: "id of the rollback, for `rolled-back` and `unknown-outcome`; absent if the ledger names none",
      differences: "each file that is not as the call left it, and what differs",
    },
    retry: "after the reason is gone",
    model: "the tool failed; the model should not repeat the call",
    operator: "`changed-ledger`: yes",
  },
  "UNKNOWN.INTERNAL": {
    title: "the call ended for a reason inside this process",
    explanation:
      "`failure.reason` names the reason. If something was thrown, `error.cause` is the thrown value.",
    fields: {
      reason: {
        aborted:
          "the caller's `signal` ended the call, or `shutdown` reached its deadline before the call was sent. If `error.attempts` is 0, nothing was sent",
        "ledger-unavailable":
          "the ledger could not record the write, so the runtime did not send the write. Reads go on without a record",
        "store-unavailable":
          "the store of governance (budgets, keys, states, leases) could not be reached, so the call was not made",
        "lease-lost": "the tool runs one call at a time, and the call lost its turn while it ran",
        "not-saved":
          "the runtime could not write the answer to a file, and left no part of the file. `error.cause` says why",
        "handler-failed":
          "a handler of the application threw `error.cause`. The runtime does not know what the handler had done by then",
        bug: "a bug in skillc or in a binding kind: please report it",
      },
    },
    retry: "no. After `aborted`, the caller decides",
    model:
      "the tool failed; the model should not repeat the call, or try again later if a store or the lease is the reason. For `aborted`: `resultForModel` throws the error",
    operator: "yes, except for `aborted`",
  },
};

/** Returns the fields of an entry: the meaning of each field, or of each of its values. */
export function fieldsOf(
  entry: ToolErrorEntry,
): readonly (readonly [name: string, about: string | Explained<string>])[] {
  // `Field` allows only these values, for every code.
  return Object.entries(entry.fields as Record<string, string | Explained<string>>);
}
