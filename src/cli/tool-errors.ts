import type { ToolErrorCode, ToolFailure } from "@skillc/runtime";

/** Explains a code that a call can throw, in docs/runtime and in `skillc explain CODE`. */
export interface ToolErrorEntry<Failure = unknown> {
  /** The error in one line. */
  readonly title: string;
  /** When the code is thrown; Markdown, paragraphs apart by empty lines. */
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

/** Every word of a union must be explained, and every kind of entry of a list. */
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
      "The runtime checks parameters before it sends anything, and an answer before it returns the answer. `failure.subject` names the value. " +
      "A caller can correct only `parameters`.",
    fields: {
      subject: {
        parameters:
          "what the caller passed; nothing was sent. Also a value that fits its schema, but not the place where the binding puts it, such as `..` as a path " +
          "segment or a space in a topic. Special values of `keyword`: `ledger` (the record would have more than 16,777,216 characters), `json` (JSON " +
          "cannot represent the value, such as a `Date` or `NaN`), `file` (the file cannot be read, or must not be). If a file is a stream that fails while it is sent, `outcome` is `unknown`",
        caller:
          "a field of the caller (`{caller.tenant}`) does not fit the place where the binding puts it, such as `..` as a path segment; nothing was sent. " +
          "`pointer` names the field: `/tenant`",
        response:
          "the whole body of a success does not fit `response_schema`. The call was made, so a write has most likely happened. The message has the status of the answer",
        result:
          "the data of a success does not fit `returns`. The service answered, or a handler returned the data, so a write has happened",
      },
      problems:
        "up to 100 problems, each with `pointer` (the place, as in RFC 6901), `keyword` (the rule) and `message` (text that follows the place, such as `is missing`). " +
        "A message has types and texts of the schema, never a part of the value",
    },
    retry: "no: the same value fails again",
    model:
      "`parameters`: `error.message`, so that the model corrects them; otherwise: the service's answer could not be understood",
    operator: "for `response` and `result`: the service has changed, or the skill is wrong",
  },
  "CREDENTIAL.MISSING": {
    title: "a credential or setting of the tool is not set here",
    explanation:
      "A `${NAME}` of the binding has no value in the runtime's options, the environment, `.env`, or `secrets:` of skillc.yaml. Nothing was sent. " +
      'An empty value counts as missing, even if a later source has one: with `credentials: { TOKEN: "" }` the runtime never uses the `TOKEN` of the environment. ' +
      "If a function of your application supplies the credential, the function returned nothing or failed. `error.message` says which, and `error.cause` is what it threw. " +
      "`skillc check --env` finds missing values beforehand. `offerTools` leaves out such tools.",
    fields: { names: "all names that are missing" },
    retry: "no",
    model: "the tool is not available here (no names)",
    operator: "yes: the deployment is incomplete",
  },
  "PROVIDER.TIMEOUT": {
    title: "the service did not answer in time",
    explanation:
      "No attempt got an answer within the binding's `timeout_ms`. `error.attempts` is the number of attempts: the runtime repeats reads and idempotent writes " +
      "as their `retry` says. If the call still waited for a connection, nothing was sent, and `error.outcome` is `not-done`. " +
      "For an HTTP tool with `poll`, the service accepted the work and did not finish it in time. The work may go on.",
    fields: { timeoutMs: "time limit of one attempt, or of all polls, in milliseconds" },
    retry:
      "later, if `error.outcome` is `not-done` or a repeat is harmless (the runtime has repeated it already). Otherwise find out first whether it happened",
    model: "the service did not answer; for a write: it may have happened",
    operator: "if it lasts",
  },
  "PROVIDER.UNAVAILABLE": {
    title: "the service could not be reached, or the connection broke",
    explanation:
      "No answer arrived: the name did not resolve, or the connection was refused or reset. (An answer with a 5xx status is an answer, and the tool returns it.) " +
      "A SQL tool also throws this code for temporary problems: a deadlock, a lock that it does not get, a full server. A queue tool throws it if " +
      "the broker asks to wait: its disk is full, or a partition has no leader. `error.outcome` says whether a write may have happened.",
    fields: {
      reason:
        "the system's name of the problem: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`; for a SQL tool also `SQLSTATE 40001`",
      retryAfterMs:
        "pause that the service asks for, in milliseconds; absent if it asks for none. The runtime's own attempts wait for it",
    },
    retry: "as for `PROVIDER.TIMEOUT`",
    model: "the service cannot be reached",
    operator:
      "if it lasts; at once for `ENOTFOUND` and certificate errors, which do not go away by themselves",
  },
  "PROVIDER.PROTOCOL": {
    title: "an answer or a setting cannot be used",
    explanation:
      "`failure.reason` says which of these happened, and `error.outcome` whether a write may have happened.\n\n" +
      "An answer of HTTP is broken: invalid or too deeply nested JSON, a body longer than `max_response_bytes`, an unknown charset or content encoding, " +
      "too many redirects, a page or a poll at another origin, nothing at the response path, a response path that takes too many steps, or an answer that is not HTTP. " +
      "A write has most likely happened.\n\n" +
      "PostgreSQL rejected a statement or a login, or returned rows that the tool was not generated for: another column or type, an unexpected NULL, an unknown label of an " +
      "enum. A write was rolled back. If the schema has changed, generate the tools again.\n\n" +
      "A broker rejected a message or a login: the message is too large, the topic does not exist, or the user may not write there.\n\n" +
      "The value of a `${NAME}` cannot be used: an address without `http://`, a line break in a header, a database URL that asks for TLS from a server without TLS. Nothing was sent.",
    fields: {
      reason:
        "the problem in words. It quotes no part of the answer, except for a broker's words about a message that breaks its rules, without their quotations",
      subject:
        "`next-page`: the next page that an earlier page named cannot be used, and nothing was sent; absent for everything else",
    },
    retry: "no",
    model:
      "the service's answer could not be understood; for `next-page`: there is more, but no further page can be fetched",
    operator: "yes: the service has changed, or the skill or a setting is wrong",
  },
  "POLICY.DENY_TOOL": {
    title: "the tool must not or cannot be called here",
    explanation:
      "Something that the tool needs is missing. Nothing was sent. `failure.missing` lists what is missing: each entry has a `kind` and a `name`.",
    fields: {
      missing: {
        env: "a variable of the skill's `prerequisites.env` is not set",
        bins: "a program of `prerequisites.bins` is not on the PATH",
        config: "a setting of `prerequisites.config` is missing in the `config` of the runtime",
        os: "this operating system is not in `prerequisites.os`",
        handlers: "the tool has no binding, and the application gave no handler for it",
        packages:
          "an npm package that the tool's calls load, such as a database driver, is not installed",
        tools:
          "the model named a tool that it was not offered, or the tool is paused or unknown to the policy. The message has similar names. " +
          "`name` is empty if the model's name was not text",
        governance:
          "`obligations` of skillc.yaml change the tool's answers, and the runtime has no `governance` that does this",
        downloads:
          "the tool saves its answer as a file (`save: true`), and the runtime has no `downloads` folder",
      },
    },
    retry: "no",
    model:
      "`tools`: `error.message`, so that the model takes another name; otherwise: the tool is not available here",
    operator:
      "yes, except for `tools`. Offer tools by `offerTools`: it leaves out tools that cannot be called",
  },
  "AUTH.CALLER_MISSING": {
    title: "the call has no caller with the fields that the tool needs",
    explanation:
      "The skill puts a field of the caller into the request (`{caller.tenant}`). Neither `withCaller`, nor the call's `caller`, nor the runtime's has it. " +
      "Nothing was sent.",
    fields: { fields: "the missing fields: `tenant`, `subject`, `origin`, `trace`" },
    retry: "no",
    model: "the tool is not available here",
    operator: "yes: the application calls tools outside `withCaller`",
  },
  "AUTH.FORBIDDEN": {
    title: "the caller may not make this call",
    explanation:
      "A scope is missing, a policy forbids the call, or no policy permits it. Nothing was sent. `error.message` names what decided.",
    fields: {
      reason: {
        scopes: "the caller lacks a scope that the tool requires",
        policy: "a policy forbids the call, or, in strict mode, no policy permits it",
        engine:
          "the condition of a policy failed, or the policy engine did. Without a decision the call is denied",
      },
      scopes: "the missing scopes",
      decidedBy: "ids of the policies that decided",
    },
    retry: "no",
    model: "this call is not permitted",
    operator: "`engine`: yes; otherwise only as a sign of misuse",
  },
  "AUTH.APPROVAL_REQUIRED": {
    title: "a person has to approve exactly this call first",
    explanation:
      "The skill or a policy requires an approval, and the call has none that is valid for it. Nothing was sent. Pass `failure.request` to `runtime.approve`, then call again " +
      "with the id of the approval.",
    fields: {
      reason: {
        none: "the call has no approval",
        unknown: "no approval has this id",
        expired: "the approval is too old",
        spent: "another call has used the approval; an approval is for one call",
        withdrawn: "the approval was withdrawn",
        "other-call":
          "the approval is for another call: other arguments, another tool, tenant or subject, or the skill has changed since",
        own: "the caller gave the approval, and nobody may approve their own calls",
      },
      request: "plain data that the approval is bound to, without arguments",
    },
    retry: "yes, with the id of the approval",
    model: "a person has to approve the call first",
    operator: "whoever approves",
  },
  "QUOTA.RATE_LIMITED": {
    title: "too many calls in a minute, or at once",
    explanation:
      "The call would exceed a rate, or a number of calls at the same time. Nothing was sent, and the call used up nothing. For an HTTP tool this code has two more causes. The " +
      "origin asked for a pause (`Retry-After`, `RateLimit`), or `http.origins` of the runtime lets no request through, for longer than the call " +
      "may wait (`timeout_ms`). `error.outcome` is `unknown` only if an earlier request of the call may have changed something.",
    fields: {
      budget:
        "name of the limit, such as `calls_per_minute of order-desk/refund`; for an origin `requests to ${ORDERS_URL}`",
      retryAfterMs:
        "time until there is room again, in milliseconds; absent for a limit of calls at the same time",
    },
    retry: "yes, after `retryAfterMs`",
    model: "`error.message`",
    operator: "if it lasts",
  },
  "QUOTA.BUDGET_EXCEEDED": {
    title: "the call is larger than allowed, or a day's budget is used up",
    explanation:
      "A call that is denied before it is made uses up nothing. A call whose answer has too many bytes (`bytes_out`) was made: the runtime withholds the answer and counts its bytes. `error.outcome` of such a write is `unknown`, unless the answer says that nothing was done.",
    fields: {
      budget: "name of the budget, such as `cost_per_day of tenant acme`",
      limit: "size of the budget",
      retryAfterMs:
        "time until the budget is full again, in milliseconds; absent if a call of this size can never be made",
    },
    retry: "after `retryAfterMs`, if there is one",
    model: "`error.message`",
    operator: "yes",
  },
  "IDEMPOTENCY.REFUSED": {
    title: "the key of the call was used before, or keys are not kept here",
    explanation:
      "The call has a key, so that it is made once. `failure.reason` says why the runtime could neither make the call nor return the earlier answer. Nothing was sent. The runtime ignores the key of a read that is not keyed.",
    fields: {
      reason: {
        "other-request":
          "the key belongs to a call that would do something else, or the skill has changed since",
        "author-key":
          "the skill defines the key (`binding.idempotency.key`), and the caller gave another",
        "unknown-outcome":
          "the earlier call began, and nobody knows how it ended: `error.outcome` is `unknown`. Find out, and record it with `skillc ledger settle`",
        "answer-not-kept":
          "the earlier call was made (`error.outcome` of a write is `unknown`), and its answer was too large to keep, or a person settled the call",
        running:
          "the earlier call still runs, for longer than this call may wait: `error.outcome` of a write is `unknown`",
        "not-keyed":
          "the call is a write, and its tool does not say `governance: { idempotency: keyed }`, or the runtime has no `governance`. A repeat would be made again",
      },
      call: "the id of the earlier call in the ledger",
    },
    retry: "`running`: yes, with the same key",
    model: "`error.message`; for `unknown-outcome`: nobody knows how the earlier call ended",
    operator: "`unknown-outcome`: yes, somebody has to find out",
  },
  "SANDBOX.CAPABILITY_BLOCKED": {
    title: "the call would reach a target that it must not reach",
    explanation:
      "The runtime checks the target before each attempt, at each redirect, and for each address that a name resolves to. Nothing was sent to this target.",
    fields: {
      capability:
        "the blocked target, with `***` in place of arguments: `net.http:get ${ORDERS_URL}/orders/***`",
      by: {
        manifest: "the tool's own capabilities do not include the target",
        deployment: "`capabilities:` of skillc.yaml does not include the target",
        address:
          "the name resolves to an address that must not be reached: private, link-local, or of a metadata service",
      },
    },
    retry: "no",
    model: "the tool is not available here",
    operator: "yes: an attack, or a wrong setting",
  },
  "UNKNOWN.INTERNAL": {
    title: "the call ended for a reason inside this process",
    explanation: "`failure.reason` says which. `error.cause` is what was thrown, if something was.",
    fields: {
      reason: {
        aborted:
          "the caller's `signal` ended the call, or `shutdown` reached its deadline before the call was sent. If `error.attempts` is 0, nothing was sent. Otherwise `error.outcome` says whether a " +
          "write may have happened",
        "ledger-unavailable":
          "the ledger could not record the write, so the write was not sent. Reads go on without a record",
        "store-unavailable":
          "the store of governance (budgets, keys, states, leases) could not be reached, so the call was not made",
        "lease-lost":
          "the tool runs one call at a time, and the call lost its turn while it ran. `error.outcome` says whether a write may have happened",
        "not-saved":
          "the answer could not be written to a file, and no part of the file is left. `error.cause` says why",
        "handler-failed":
          "a handler of the application threw `error.cause`. The runtime does not know what the handler did before",
        bug: "a bug in skillc or in a binding kind: please report it",
      },
    },
    retry: "no; after `aborted` only if the caller wants to",
    model: "the tool failed; for `aborted` nothing",
    operator: "yes, except for `aborted`",
  },
};

/** Fields of an entry: the meaning of the field, or of each of its values. */
export function fieldsOf(
  entry: ToolErrorEntry,
): readonly (readonly [name: string, about: string | Explained<string>])[] {
  // `Field` allows only these values, for every code.
  return Object.entries(entry.fields as Record<string, string | Explained<string>>);
}
