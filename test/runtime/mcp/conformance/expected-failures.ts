/**
 * Scenarios that the fixture fails, each with the reason. A key is a scenario, or a scenario and one
 * of its checks: `scenario:check`. A failure that is not listed, and an entry that does not fail, make
 * the test red.
 */
export type ExpectedFailures = Readonly<Record<string, string>>;

const content = "a tool of skillc returns JSON, no pictures, sound or resources";
const prompts = "skillc has no prompts";
const completion = "skillc completes no arguments";
const sampling = "skillc asks no client for a model's answer";
const roots = "skillc asks no client for its folders";
const logging = "skillc sends no log to clients, because it may hold what others must not see";
const tasks = "the extension is optional, and a long call has `skillc__await` in its place";
const capability = `no tool depends on what the client can do: ${sampling}`;
const combinators = "hosts drop all tools if one schema has a combinator at its root";

const everywhere = {
  "completion-complete": completion,
  "prompts-get-embedded-resource": prompts,
  "prompts-get-simple": prompts,
  "prompts-get-with-args": prompts,
  "prompts-get-with-image": prompts,
  "prompts-list": prompts,
  "tools-call-audio": content,
  "tools-call-embedded-resource": content,
  "tools-call-image": content,
  "tools-call-mixed-content": content,
};

/** Failures of the suite for the specification of 2026-07-28. */
export const expectedFailures: ExpectedFailures = {
  ...everywhere,
  "caching:sep-2549-prompts-list-caching-hints": prompts,
  "http-custom-header-server-validation": "no tool of skillc wants a parameter in a header",
  "input-required-result-basic-list-roots": roots,
  "input-required-result-basic-sampling": sampling,
  "input-required-result-capability-check": sampling,
  "input-required-result-ignore-extra-params":
    "an answer without the state of its question approves nothing; the server asks again",
  "input-required-result-multi-round:sep-2322-multi-round-r2":
    "a call has one question, whether its user approves it",
  "input-required-result-multiple-input-requests": `${sampling}, or ${roots.slice("skillc asks ".length)}`,
  "input-required-result-non-tool-request": prompts,
  "json-schema-2020-12:sep-2106-anchor-keyword-preserved":
    "skillc publishes references to `$defs` alone, without anchors",
  "json-schema-2020-12:sep-2106-composition-keywords-preserved": combinators,
  "json-schema-2020-12:sep-2106-conditional-keywords-preserved": combinators,
  "server-stateless:sep-2575-missing-capability-http-400": capability,
  "server-stateless:sep-2575-server-rejects-undeclared-capability": capability,
  "tasks-capability-negotiation": tasks,
  "tasks-dispatch-and-envelope": tasks,
  "tasks-lifecycle": tasks,
  "tasks-mrtr-composition": tasks,
  "tasks-mrtr-input": tasks,
  "tasks-request-headers": tasks,
  "tasks-request-state-removal": tasks,
  "tasks-required-task-error": tasks,
  "tasks-wire-fields": tasks,
};

const asking = "over stateless HTTP an earlier client can't be asked anything";
const sessions = "the server is stateless: it has no sessions, and resumes no stream";
const subscriptions = "skillc has no resource that changes";

/** Failures of the suite for earlier specifications. */
export const expectedFailuresOfEarlier: ExpectedFailures = {
  ...everywhere,
  "elicitation-sep1034-defaults": asking,
  "elicitation-sep1330-enums": asking,
  "logging-set-level": logging,
  "resources-subscribe": subscriptions,
  "resources-unsubscribe": subscriptions,
  "server-sse-multiple-streams:server-sse-multiple-streams-session": sessions,
  "server-sse-polling": sessions,
  "tools-call-elicitation": asking,
  "tools-call-sampling": sampling,
  "tools-call-with-logging": logging,
};
