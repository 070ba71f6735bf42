/**
 * Part of a version that a difference between two catalogs must raise. `major`: callers, readers,
 * deployments or reviewers of the old tool can no longer rely on something. `minor`: they can do
 * more, or have to do less. `patch`: neither, as far as the catalog shows.
 */
export type Verdict = "major" | "minor" | "patch";

/** Verdicts, the worst first. */
export const verdicts: readonly Verdict[] = ["major", "minor", "patch"];

export interface ChangeRule {
  readonly verdict: Verdict;
  /** The change, as a row of the page shows it. */
  readonly change: string;
  readonly why: string;
}

/** All rules. A test compares them with the tables of docs/governance/change-rules.md. */
export const changeRules = {
  "tool-removed": rule("major", "a tool was removed", "its callers have nothing to call"),
  "tool-added": rule("minor", "a tool was added", "nobody called it before"),
  "skill-removed": rule(
    "major",
    "a skill was removed",
    "its tools and its text for models are gone",
  ),
  "skill-added": rule("minor", "a skill was added", "nobody used it before"),
  "prerequisite-added": rule(
    "major",
    "a skill needs another setting, program, configuration key or system",
    "without it, models no longer get the tools of the skill",
  ),
  "prerequisite-removed": rule(
    "minor",
    "a skill has fewer prerequisites",
    "the skill works in more places",
  ),
  "skill-text": rule(
    "patch",
    "a skill's description or text changed",
    "only the text for models changed; every call stays the same",
  ),
  "parameter-removed": rule(
    "major",
    "a parameter was removed",
    "a call that passes it is rejected, or the value is silently ignored",
  ),
  "parameter-required": rule(
    "major",
    "a new parameter is required, or an old one became required",
    "calls without it are rejected",
  ),
  "parameter-added": rule(
    "minor",
    "an optional parameter was added",
    "calls without it still work",
  ),
  "parameter-narrower": rule(
    "major",
    "a parameter accepts fewer values",
    "arguments that were valid are rejected",
  ),
  "parameter-wider": rule(
    "minor",
    "a parameter accepts more values",
    "arguments that were valid stay valid",
  ),
  "parameter-default": rule(
    "major",
    "a parameter's default was added, changed or removed",
    "a call that omits the parameter has another meaning",
  ),
  "aliases-changed": rule(
    "patch",
    "a parameter's other names changed (`param_aliases`)",
    "only planners read them; every call stays the same",
  ),
  "parameter-text": rule(
    "patch",
    "a parameter's description, title or examples changed",
    "only the text for models changed; the values are the same",
  ),
  "result-removed": rule(
    "major",
    "a property of a result was removed",
    "code that reads it finds nothing",
  ),
  "result-added": rule(
    "minor",
    "a property was added to a result that was an open object",
    "readers had to expect other properties",
  ),
  "result-wider": rule(
    "major",
    "a result may have more values",
    "readers get a value that the old schema ruled out",
  ),
  "result-narrower": rule(
    "minor",
    "a result may have fewer values",
    "readers already handle all of them",
  ),
  "result-text": rule(
    "patch",
    "a result's description, title or examples changed",
    "the values are the same",
  ),
  "effect-write": rule(
    "major",
    "a tool that only read now writes",
    "callers use the tool as if it changed nothing",
  ),
  "effect-read": rule(
    "minor",
    "a tool that wrote now only reads",
    "the tool does less than its callers allow",
  ),
  "mode-changed": rule(
    "major",
    "a tool's own mode changed (`active` or `shadow`)",
    "a request that was sent is now only recorded, or the reverse",
  ),
  "reach-added": rule(
    "major",
    "a call may reach another place",
    "nobody has allowed the new place, and capabilities may deny the call",
  ),
  "reach-removed": rule("minor", "a call reaches fewer places", "the other places stay allowed"),
  "table-added": rule(
    "major",
    "a call uses another table, or writes a table that it only read",
    "the database's grants and the deployment's capabilities may not allow it",
  ),
  "table-removed": rule("minor", "a call uses fewer tables", "the other tables stay granted"),
  "column-changed": rule(
    "minor",
    "a call uses other columns of the same tables",
    "capabilities name tables, not columns, so the call stays allowed",
  ),
  "table-otherwise": rule(
    "patch",
    "a call reaches a table through other views, or the table became another kind of relation",
    "the call still reaches the same table",
  ),
  "credential-added": rule(
    "major",
    "a call uses another setting or credential, or sends one to another place",
    "calls fail without the new value, and nobody has approved the new place",
  ),
  "credential-sent": rule(
    "major",
    "a skill names an origin for a credential, and no tool sent the credential there before",
    "nobody has approved the origin for this credential",
  ),
  "credential-removed": rule(
    "minor",
    "a call uses fewer credentials",
    "the other credentials are already set",
  ),
  "risk-raised": rule(
    "major",
    "a tool's risk is higher",
    "rules that allow calls by their risk now stop this tool",
  ),
  "risk-lowered": rule("minor", "a tool's risk is lower", "rules that allowed the tool still do"),
  "confirmation-added": rule(
    "major",
    "calls now need a confirmation",
    "callers that do not ask a person first are stopped",
  ),
  "confirmation-removed": rule(
    "minor",
    "calls no longer need a confirmation",
    "callers that ask a person still work",
  ),
  "handler-needed": rule(
    "major",
    "a tool now needs a handler of the application",
    "calls fail until the application has one",
  ),
  "handler-dropped": rule(
    "minor",
    "a tool no longer needs a handler",
    "an existing handler is unused",
  ),
  "pages-added": rule(
    "minor",
    "a tool's answers now have pages",
    "the first page is the old answer, and names the next page",
  ),
  "pages-removed": rule(
    "major",
    "a tool's answers no longer have pages",
    "code that goes from page to page has nothing to call",
  ),
  "kind-changed": rule(
    "major",
    "a tool has a binding of another kind",
    "its results have other statuses and errors, which callers branch on",
  ),
  "name-changed": rule(
    "major",
    "a tool's function, or its name for models, was renamed",
    "code and transcripts with the old name do not find the tool",
  ),
  "tag-removed": rule(
    "major",
    "a tool has fewer tags",
    "grants, policies and offers that select by the tag no longer select the tool",
  ),
  "tag-added": rule(
    "minor",
    "a tool has more tags",
    "rules that select by the tag may now select the tool",
  ),
  "deprecated-set": rule(
    "minor",
    "a tool was deprecated, or the reason changed",
    "models no longer get the tool, but calls still work; SemVer asks for a minor version",
  ),
  "deprecated-lifted": rule("minor", "a tool is no longer deprecated", "models get the tool again"),
  "caller-needed": rule(
    "major",
    "calls need another field of their caller",
    "calls fail if their caller lacks the field",
  ),
  "caller-dropped": rule(
    "minor",
    "calls need fewer fields of their caller",
    "callers that have the field still work",
  ),
  "scope-added": rule(
    "major",
    "callers must hold another scope",
    "callers without the scope are denied",
  ),
  "scope-removed": rule(
    "minor",
    "callers need fewer scopes",
    "callers that hold the scope still work",
  ),
  "approval-stricter": rule(
    "major",
    "calls need an approval, or the condition changed",
    "calls may need an approval that they did not need before; skillc cannot compare conditions",
  ),
  "approval-by-person": rule(
    "major",
    "callers may approve their own calls in person",
    "reviewers relied on a second person who approves each call",
  ),
  "approval-by-other": rule(
    "major",
    "callers may no longer approve their own calls in person",
    "calls wait until somebody else approves them",
  ),
  "approval-dropped": rule(
    "minor",
    "calls no longer need an approval",
    "an existing approval is unused",
  ),
  "approval-time": rule(
    "minor",
    "an approval is valid for a longer or shorter time",
    "people approve calls as before",
  ),
  "limit-lower": rule(
    "major",
    "a limit is new or lower, or a call costs more",
    "calls that were within the limit are denied",
  ),
  "limit-higher": rule(
    "minor",
    "a limit is higher or gone, or a call costs less",
    "all calls still work",
  ),
  "idempotency-changed": rule(
    "major",
    "calls became keyed, or are no longer keyed",
    "a write with a key is rejected, or a repeated call is no longer noticed",
  ),
  "serial-dropped": rule(
    "major",
    "calls of a tool no longer run one at a time",
    "calls may overlap, and callers may not expect that",
  ),
  "serial-added": rule(
    "minor",
    "calls of a tool now run one at a time",
    "calls wait, but the runtime still makes them",
  ),
  "pause-declared": rule(
    "major",
    "a skill declares a tool as paused",
    "calls are denied, unless somebody has enabled the tool",
  ),
  "pause-dropped": rule(
    "minor",
    "a skill no longer declares a tool as paused",
    "callers may call the tool",
  ),
  "capability-wider": rule(
    "major",
    "a tool declares more capabilities, or no longer declares any",
    "nobody has allowed the places that the tool may reach now",
  ),
  "capability-narrower": rule(
    "minor",
    "a tool declares fewer capabilities",
    "the other capabilities stay allowed",
  ),
  "model-removed": rule(
    "major",
    "a tool is meant for fewer models",
    "some models no longer get the tool",
  ),
  "model-added": rule(
    "minor",
    "a tool is meant for more models",
    "models that got the tool still get it",
  ),
  "rollback-lost": rule(
    "major",
    "calls of a tool can no longer be undone",
    "people approved calls that they could take back",
  ),
  "rollback-gained": rule("minor", "calls of a tool can now be undone", "calls stay the same"),
  "rollback-changed": rule(
    "minor",
    "calls of a tool are undone in another way",
    "calls can still be undone",
  ),
  "rollback-reason": rule(
    "patch",
    "the reason why nothing undoes a call changed",
    "nothing undid a call before either",
  ),
  description: rule(
    "patch",
    "a tool's description, display name or group changed",
    "only the text for models and people changed; every call stays the same",
  ),
  "within-binding": rule(
    "patch",
    "something outside of the catalog changed: the binding's text, its retries or time limits",
    "parameters, results, effect and reach are the same",
  ),
  "unknown-field": rule(
    "major",
    "a key of the catalog differs, and this skillc does not know the key",
    "callers may rely on the key",
  ),
} as const satisfies Readonly<Record<string, ChangeRule>>;

export type ChangeRuleName = keyof typeof changeRules;

function rule<Of extends Verdict>(verdict: Of, change: string, why: string) {
  return { verdict, change, why } as const;
}

/** Returns the worst of several verdicts; undefined if there is none. */
export function worst(found: readonly (Verdict | undefined)[]): Verdict | undefined {
  return verdicts.find((each) => found.includes(each));
}
