import type { ToolErrorCode, ToolFailure } from "@skillc/runtime";

/** What docs/errors.md and `skillc explain CODE` say of a code that a call can throw. */
export interface ToolErrorEntry<Failure = unknown> {
  /** One line: what happened. */
  readonly title: string;
  /** When it is thrown; Markdown. */
  readonly explanation: string;
  /**
   * Each field of `error.failure`: what it is, or, where its values are known, what each of them
   * means.
   */
  readonly fields: { readonly [Name in Exclude<keyof Failure, "code">]: Field<Failure[Name]> };
  /** What a caller does with it, a phrase each. */
  readonly retry: string;
  readonly model: string;
  readonly operator: string;
}

/** The words of a union must all be explained; so must the kinds of things in a list. */
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

/**
 * Every code of the union in the runtime: one that is missing here, or has another field, does not
 * compile.
 */
export const toolErrors: ToolErrors = {
  "SCHEMA.VALIDATION_FAILED": {
    title: "a value does not fit its schema",
    explanation:
      "Parameters are checked before anything is sent, an answer before it is returned. `failure.subject` says what it was: " +
      "only `parameters` can be mended by who chose them.",
    fields: {
      subject: {
        parameters:
          "what the caller passed; nothing was sent. Also a value that fits its schema and can't be put where the binding puts it, such as " +
          "`..` as a path segment or a space in a topic, or makes a record of more than 16,777,216 characters, which is what the ledger takes, " +
          "and a value that JSON can't say, such as a `Date` or `NaN` (`keyword` is then no keyword of JSON Schema: `ledger` and `json` for the " +
          "last two). A file that can't be read, or may not be, has the keyword `file`; where that is a stream which fails while it is sent, `outcome` is `unknown`",
        caller:
          "what the call takes of its caller (`{caller.tenant}`) and can't put where the binding puts it, such as `..` as a path segment; nothing was sent. " +
          "`pointer` leads to the field: `/tenant`",
        response:
          "the whole body of a success, against `response_schema`. The call was made: a write has most likely happened, and the message says what status was answered",
        result:
          "what a success carries, against `returns`. The call was made, or a handler returned it: a write has happened",
      },
      problems:
        "every problem, up to 100: `pointer` (RFC 6901, to the place), `keyword` (the rule), `message` (the rest of a sentence that begins with " +
        "the place: `is missing`). A message holds types and what the schema says, never a part of the value",
    },
    retry: "no: the same value fails again",
    model:
      "`parameters`: yes, with `error.message`, so that it corrects them. Else: that the service's answer could not be understood",
    operator: "`response` and `result`: yes, the service has changed or the skill is wrong",
  },
  "CREDENTIAL.MISSING": {
    title: "a credential or setting of the tool is not set here",
    explanation:
      "A `${NAME}` of the binding has no value in the runtime's options, the environment, `.env`, or `secrets:` of skillc.yaml. Set but " +
      'empty counts as missing, whatever the places after it have: `credentials: { TOKEN: "" }` never becomes the environment\'s `TOKEN`. Nothing was sent. ' +
      "Where a function of the application gives it, that gave nothing or failed: `error.message` says which, and `error.cause` what it threw. " +
      "`skillc check --env` finds what is not set beforehand, and `offerTools` leaves such tools out.",
    fields: { names: "all names that are missing" },
    retry: "no",
    model: "that the tool is not available here, without the names",
    operator: "yes: the deployment is incomplete",
  },
  "PROVIDER.TIMEOUT": {
    title: "the service did not answer in time",
    explanation:
      "No attempt was answered within the binding's `timeout_ms`. `error.attempts` says how many there were: reads and idempotent writes are " +
      "tried again by the runtime, as their `retry` says. A call that was still waiting for a connection has sent nothing, as `error.outcome` tells. " +
      "Or the service accepted the work of an HTTP tool with `poll`, and it was not done in time: it may go on.",
    fields: { timeoutMs: "milliseconds that one attempt had, or all polls" },
    retry:
      "later, where repeating is harmless (the runtime has done so already) or `error.outcome` is `not-done`. Else look first whether it happened",
    model: "that the service did not answer; for a write, that it may have happened",
    operator: "when it lasts",
  },
  "PROVIDER.UNAVAILABLE": {
    title: "the service could not be reached, or the connection broke",
    explanation:
      "No answer arrived: the name did not resolve, the connection was refused or reset. An answer of 5xx is none of this: it is an answer, " +
      "and returned. A SQL tool also gets it for problems that pass: a deadlock, a lock that isn't given, a server that is full; a queue tool for " +
      "a broker that asks for patience: its disk is full, a partition has no leader. `error.outcome` says whether a write may have happened.",
    fields: {
      reason:
        "the system's name for it: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`; of a SQL tool also `SQLSTATE 40001`",
      retryAfterMs:
        "milliseconds for which the service asks to be left alone, where it says; the runtime's own attempts wait for it",
    },
    retry: "as for `PROVIDER.TIMEOUT`",
    model: "that the service can't be reached",
    operator:
      "when it lasts; at once for `ENOTFOUND` and certificate errors, which don't pass by themselves",
  },
  "PROVIDER.PROTOCOL": {
    title: "an answer or a setting can't be used",
    explanation:
      "An answer arrived and is broken: JSON that is none or nests too deeply, a body longer than `max_response_bytes`, a charset or content " +
      "encoding that is not known, too many redirects, work or a page that is to be asked for at another origin, nothing at the response path, a response path that takes too many steps in it, an answer that is not HTTP. A write may have happened, and mostly has. " +
      "Or PostgreSQL refused a statement or a login, or gave rows that are not those the tool was generated for (another column or type, NULL where the " +
      "result's type has none, an enum's label that it doesn't list): a write was rolled back, and where the schema has changed `reason` says to generate again. " +
      "Or a broker refused a message or a login: it is too large, there is no such topic, this user may not write there. Or the value of " +
      "a `${NAME}` can't be used: an address without `http://`, a line break in a header, a database's URL that asks for TLS where there is none. Then " +
      "nothing was sent. `error.outcome` tells these apart.",
    fields: {
      reason:
        "what is wrong with it, in words; no part of the answer, but for what a broker says of a message that breaks its rules, without what it quotes",
      subject:
        "`next-page`: what the page before named as the next one can't be followed, and nothing was sent; absent for all else",
    },
    retry: "no",
    model:
      "that the service's answer could not be understood, or that there is more, and no page after this one to be had",
    operator: "yes: the service has changed, the skill is wrong, or a setting is",
  },
  "POLICY.DENY_TOOL": {
    title: "the tool may not or can't be called here",
    explanation:
      "Something that the tool needs is missing, and nothing was sent. What it is, is in `failure.missing`: each entry has a `kind` and a `name`.",
    fields: {
      missing: {
        env: "the skill's `prerequisites.env`: a variable that is not set",
        bins: "`prerequisites.bins`: a program that is not on the PATH",
        config:
          "`prerequisites.config`: a setting that the application did not give to the runtime",
        os: "`prerequisites.os`: this is another operating system",
        handlers: "the tool has no binding, and the application gave no handler for it",
        packages:
          "an npm package that the tool's calls load, such as a database driver, is not installed",
        tools:
          "`dispatchTool` was asked for a name that is not among those offered: the model made it up. The message names those near it. " +
          "`name` is empty for what is no text",
        governance:
          "`obligations` of skillc.yaml change the tool's answers, as their types say, and the runtime has no `governance`, which meets them",
        downloads:
          "the tool saves its answer as a file (`save: true`), and the runtime has no folder for that: give it `downloads`",
      },
    },
    retry: "no",
    model:
      "`tools`: yes, with `error.message`, so that it takes another name. Else: that the tool is not available here",
    operator:
      "yes, except for `tools`: such tools should not have been offered (`offerTools` leaves them out)",
  },
  "AUTH.CALLER_MISSING": {
    title: "the call has no caller that says what the tool takes from it",
    explanation:
      "The skill puts something of the caller into the request (`{caller.tenant}`), and neither `withCaller`, the call's `caller` nor the runtime's says it. " +
      "Nothing was sent.",
    fields: { fields: "what is missing: `tenant`, `subject`, `origin`, `trace`" },
    retry: "no",
    model: "that the tool is not available here",
    operator: "yes: the application calls tools outside of `withCaller`",
  },
  "AUTH.FORBIDDEN": {
    title: "the caller may not make this call",
    explanation:
      "A scope is missing, a policy forbids the call, or none permits it. Nothing was sent. `error.message` names what decided.",
    fields: {
      reason: {
        scopes: "the caller does not hold every scope that the tool asks for",
        policy: "a policy forbids the call, or, in strict mode, none permits it",
        engine:
          "a policy's condition failed, or the policy engine did: what nobody could decide is denied",
      },
      scopes: "the scopes that are missing",
      decidedBy: "ids of the policies that decided",
    },
    retry: "no",
    model: "that this call is not permitted",
    operator: "`engine`: yes. Else only as a sign of misuse",
  },
  "AUTH.APPROVAL_REQUIRED": {
    title: "a person has to approve this very call first",
    explanation:
      "The skill or a policy asks for an approval, and the call names none that is good for it. Nothing was sent. Pass `failure.request` to `runtime.approve`, and call again " +
      "with the approval's id.",
    fields: {
      reason: {
        none: "the call names no approval",
        unknown: "there is none of that id",
        expired: "it was given too long ago",
        spent: "another call has used it: an approval is for one call",
        withdrawn: "it was taken back",
        "other-call":
          "it is for another call: other arguments, another tool, tenant or subject, or the skill has changed since",
        own: "the caller gave it: nobody approves calls of their own",
      },
      request: "what an approval is bound to; plain data, without arguments",
    },
    retry: "yes, with the approval's id",
    model: "that a person has to approve the call first",
    operator: "whoever approves",
  },
  "QUOTA.RATE_LIMITED": {
    title: "too many calls in a minute, or at once",
    explanation:
      "The call would have gone over a rate or a number of calls at a time. It spent nothing, and nothing was sent. Of an HTTP tool also: its " +
      "origin asked for a pause (`Retry-After`, `RateLimit`), or the runtime's `http.origins` lets no more requests through, for longer than the call " +
      "may wait (`timeout_ms`). `error.outcome` is `unknown` only where an earlier request of the call may have changed something.",
    fields: {
      budget:
        "which budget, such as `calls_per_minute of order-desk/refund`; `requests to ${ORDERS_URL}` of an origin",
      retryAfterMs:
        "when there is room again, in milliseconds; absent where calls at a time are counted",
    },
    retry: "yes, after `retryAfterMs`",
    model: "yes, with `error.message`",
    operator: "when it goes on",
  },
  "QUOTA.BUDGET_EXCEEDED": {
    title: "the call is larger than allowed, or a day's budget is used up",
    explanation:
      "A call that is refused before it is made spends nothing. One whose answer has too many bytes (`bytes_out`) was made: the answer is withheld, its bytes are spent, and `error.outcome` of a write is `unknown` unless the answer says that nothing was done.",
    fields: {
      budget: "which budget, such as `cost_per_day of tenant acme`",
      limit: "how much there is of it",
      retryAfterMs:
        "when it is full again, in milliseconds; absent where a call of this size can never be made",
    },
    retry: "after `retryAfterMs`, where there is one",
    model: "yes, with `error.message`",
    operator: "yes",
  },
  "IDEMPOTENCY.REFUSED": {
    title: "a call with this key was begun before and this one can't be it, or nobody keeps keys",
    explanation:
      "The tool is called with a key so that it is done once. `failure.reason` says why neither a call nor the earlier answer was possible. Nothing was sent. A key for a read that is not keyed is refused nowhere: the read is made each time.",
    fields: {
      reason: {
        "other-request":
          "the key was used for a call that would have done something else, or the skill has changed since",
        "author-key":
          "the skill says what the key is made of (`binding.idempotency.key`), and the caller gave another",
        "unknown-outcome":
          "the earlier call began, and nobody knows how it ended: `error.outcome` is `unknown`. `skillc ledger settle` says what a person found out",
        "answer-not-kept":
          "it was done (`error.outcome` of a write is `unknown`), and its answer was too large to keep, or a person settled it",
        running:
          "it still runs, and takes longer than this call may wait: `error.outcome` of a write is `unknown`",
        "not-keyed":
          "the call is a write, and its tool does not say `governance: { idempotency: keyed }`, or the runtime has no `governance`: a repeated call would be made again",
      },
      call: "the id of the earlier call in the ledger",
    },
    retry: "`running`: yes, with the same key",
    model: "yes, with `error.message`",
    operator: "`unknown-outcome`: yes, someone has to find out",
  },
  "SANDBOX.CAPABILITY_BLOCKED": {
    title: "the call would go where it may not",
    explanation:
      "Looked at before each attempt, at each redirect and each address that a name stands for. Nothing was sent there.",
    fields: {
      capability:
        "where it would have gone, with `***` in place of arguments: `net.http:get ${ORDERS_URL}/orders/***`",
      by: {
        manifest: "the tool's own capabilities don't have it",
        deployment: "`capabilities:` of skillc.yaml does not have it",
        address:
          "the name stands for an address that may not be reached: private, link-local, of a metadata service",
      },
    },
    retry: "no",
    model: "that the tool is not available here",
    operator: "yes: an attack, or a setting that is wrong",
  },
  "UNKNOWN.INTERNAL": {
    title: "the call ended for a reason that is not the service's",
    explanation:
      "`failure.reason` says which; `error.cause` has what was thrown, where something was.",
    fields: {
      reason: {
        aborted:
          "the caller's `signal` ended the call, or `shutdown` when its deadline passed before the call was sent. Before the first attempt nothing was sent (`error.attempts` is 0); later, `error.outcome` says whether a " +
          "write may have happened",
        "ledger-unavailable":
          "the record of a write could not be kept, so the write was not sent. Reads go on without their record",
        "store-unavailable":
          "what calls share (budgets, keys, states, leases) could not be asked, so the call was not made",
        "lease-lost":
          "a tool that runs one call at a time could not keep its turn, and the call was ended: `error.outcome` says what is known of it",
        "not-saved":
          "the answer was to be saved as a file, and the file could not be written; nothing of it is left. `error.cause` says why",
        "handler-failed":
          "a handler of the application threw; `error.cause` is what it threw. What it did before, nobody knows",
        bug: "a bug in skillc or in a binding kind: please report it",
      },
    },
    retry: "no; after `aborted`, if the caller wants to",
    model: "that the tool failed; nothing for `aborted`",
    operator: "yes, except for `aborted`",
  },
};

/** The fields of an entry: words that are explained, or what the field is. */
export function fieldsOf(
  entry: ToolErrorEntry,
): readonly (readonly [name: string, about: string | Explained<string>])[] {
  // Whatever the code, `Field` allows nothing else.
  return Object.entries(entry.fields as Record<string, string | Explained<string>>);
}
