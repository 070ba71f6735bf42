/**
 * What a difference of two catalogs asks of the version, and why. `major`: something that callers,
 * readers, deployments or reviewers of the old tool could rely on no longer holds. `minor`: they
 * can do more, or less is asked of them. `patch`: neither, as far as the catalog tells.
 */
export type Verdict = "major" | "minor" | "patch";

/** What is worst comes first. */
export const verdicts: readonly Verdict[] = ["major", "minor", "patch"];

export interface ChangeRule {
  readonly verdict: Verdict;
  /** What has changed, as a heading. */
  readonly change: string;
  readonly why: string;
}

/** Every rule; docs/governance.md has them as a table, which a test holds to this one. */
export const changeRules = {
  "tool-removed": rule("major", "a tool is gone", "its callers have nothing to call"),
  "tool-added": rule("minor", "a tool is new", "nobody called it before"),
  "skill-removed": rule("major", "a skill is gone", "its tools are, and what it told a model"),
  "skill-added": rule("minor", "a skill is new", "nobody used it before"),
  "prerequisite-added": rule(
    "major",
    "a skill needs a setting, program, configuration key or system more",
    "where that is missing, its tools are offered no longer",
  ),
  "prerequisite-removed": rule("minor", "a skill needs less", "it is offered in more places"),
  "skill-text": rule(
    "patch",
    "a skill's description or text",
    "what a model is told; no call becomes another",
  ),
  "parameter-removed": rule(
    "major",
    "a parameter is gone",
    "what callers pass is refused, or ignored without a word",
  ),
  "parameter-required": rule(
    "major",
    "a parameter is new and required, or required now",
    "calls without it are refused",
  ),
  "parameter-added": rule("minor", "a parameter is new and optional", "calls without it go on"),
  "parameter-narrower": rule(
    "major",
    "a parameter takes less",
    "arguments that were right are refused",
  ),
  "parameter-wider": rule("minor", "a parameter takes more", "all that was right stays right"),
  "parameter-default": rule(
    "major",
    "another default of a parameter, one more or none any more",
    "the same call, which leaves it out, means something else",
  ),
  "parameter-text": rule(
    "patch",
    "a parameter's description, title or examples",
    "what a model is told; the values are the same",
  ),
  "result-removed": rule("major", "a property of a result is gone", "who reads it finds nothing"),
  "result-added": rule(
    "minor",
    "a property of a result is new, in an object that was open",
    "readers were told that there may be others",
  ),
  "result-wider": rule(
    "major",
    "a result may give more",
    "readers meet a value that they were promised not to",
  ),
  "result-narrower": rule("minor", "a result gives less", "readers are ready for all of it"),
  "result-text": rule(
    "patch",
    "a result's description, title or examples",
    "the values are the same",
  ),
  "effect-write": rule(
    "major",
    "a tool that read writes now",
    "it is called as if calling did nothing",
  ),
  "effect-read": rule("minor", "a tool that wrote only reads now", "it does less than was allowed"),
  "mode-changed": rule(
    "major",
    "a tool's own mode, `active` or `shadow`",
    "what was sent is only recorded now, or the other way round",
  ),
  "reach-added": rule(
    "major",
    "a call may reach another place",
    "who allowed the old reach hasn't allowed this one: where capabilities narrow it, calls are refused",
  ),
  "reach-removed": rule("minor", "a call reaches a place less", "less has to be allowed"),
  "table-added": rule(
    "major",
    "a call touches another table, or writes one that it read",
    "the database's grants, and the deployment's capabilities, may not have it",
  ),
  "table-removed": rule("minor", "a call touches a table less", "less has to be granted"),
  "column-changed": rule(
    "minor",
    "a call names other columns of the same tables",
    "capabilities go down to tables, so all that is allowed stays allowed",
  ),
  "table-otherwise": rule(
    "patch",
    "a table is touched through other views, or is another sort of relation",
    "the same table is reached",
  ),
  "credential-added": rule(
    "major",
    "a call takes another setting or credential, or takes one elsewhere",
    "where it isn't set calls fail, and nobody has agreed to where it goes",
  ),
  "credential-sent": rule(
    "major",
    "a credential goes to an origin that a skill names, and no tool sent it there before",
    "nobody has agreed that this origin may get it",
  ),
  "credential-removed": rule("minor", "a call takes a credential less", "less has to be set"),
  "risk-raised": rule(
    "major",
    "a tool's risk is higher",
    "what lets calls through by their risk stops this one",
  ),
  "risk-lowered": rule("minor", "a tool's risk is lower", "what let it through still does"),
  "confirmation-added": rule(
    "major",
    "calls have to be confirmed now",
    "callers that don't ask anybody are held up",
  ),
  "confirmation-removed": rule(
    "minor",
    "calls need no confirmation any more",
    "callers that ask go on",
  ),
  "handler-needed": rule(
    "major",
    "a tool needs a handler of the application now",
    "until it has one, calls fail",
  ),
  "handler-dropped": rule(
    "minor",
    "a tool needs no handler any more",
    "one that is given is unused",
  ),
  "pages-added": rule(
    "minor",
    "a tool's answers come in pages now",
    "the first page is the answer of before, and says how to go on",
  ),
  "pages-removed": rule(
    "major",
    "a tool's answers don't come in pages any more",
    "what goes from page to page has nothing to call",
  ),
  "kind-changed": rule(
    "major",
    "a tool is bound to something of another kind",
    "its results have other statuses and faults, which callers branch on",
  ),
  "name-changed": rule(
    "major",
    "the name of a tool's function, or that for models",
    "code that imports it, and transcripts that name it, don't find it",
  ),
  "tag-removed": rule(
    "major",
    "a tool has a tag less",
    "grants, policies and offers that select by it leave the tool out",
  ),
  "tag-added": rule("minor", "a tool has a tag more", "what selects by it may take the tool in"),
  "deprecated-set": rule(
    "minor",
    "a tool is deprecated, or says another reason",
    "it can be called still, but models are no longer offered it; SemVer asks for a minor version",
  ),
  "deprecated-lifted": rule("minor", "a tool isn't deprecated any more", "it is offered again"),
  "caller-needed": rule(
    "major",
    "calls take another field of their caller",
    "those whose caller lacks it are refused",
  ),
  "caller-dropped": rule(
    "minor",
    "calls take a field of their caller less",
    "those whose caller has it go on",
  ),
  "scope-added": rule("major", "callers must hold another scope", "those who don't are refused"),
  "scope-removed": rule("minor", "callers need a scope less", "those who hold it go on"),
  "approval-stricter": rule(
    "major",
    "calls have to be approved, or by another condition",
    "which of them are held up can't be told from the condition's text",
  ),
  "approval-dropped": rule("minor", "calls need no approval any more", "an approval is unused"),
  "approval-time": rule(
    "minor",
    "an approval holds for another time",
    "calls are approved as before",
  ),
  "limit-lower": rule(
    "major",
    "a limit is new or lower, or a call costs more",
    "calls within what was allowed are refused",
  ),
  "limit-higher": rule(
    "minor",
    "a limit is higher or gone, or a call costs less",
    "all calls go on",
  ),
  "idempotency-changed": rule(
    "major",
    "whether calls are keyed",
    "a call without a key is refused, or a repeat is no longer noticed",
  ),
  "serial-dropped": rule(
    "major",
    "calls of a tool are no longer one at a time",
    "they may overlap where callers relied on turns",
  ),
  "serial-added": rule("minor", "calls of a tool are one at a time now", "they wait, and are made"),
  "capability-wider": rule(
    "major",
    "a tool declares more capabilities, or none, which is all of its binding's",
    "who allowed what it declared hasn't allowed this",
  ),
  "capability-narrower": rule(
    "minor",
    "a tool declares fewer capabilities",
    "less has to be allowed",
  ),
  "model-removed": rule(
    "major",
    "a tool is meant for fewer models",
    "models that were offered it aren't any more",
  ),
  "model-added": rule("minor", "a tool is meant for more models", "those before stay"),
  description: rule(
    "patch",
    "a tool's description, or how it is shown",
    "what a model is told; no call becomes another",
  ),
  "within-binding": rule(
    "patch",
    "what the catalog doesn't show: the binding's text, its retries and time limits",
    "parameters, results, effect and reach are what they were",
  ),
  "unknown-field": rule(
    "major",
    "a key of the catalog that this skillc doesn't know",
    "nobody can say that nothing rests on it",
  ),
} as const satisfies Readonly<Record<string, ChangeRule>>;

export type ChangeRuleName = keyof typeof changeRules;

function rule<Of extends Verdict>(verdict: Of, change: string, why: string) {
  return { verdict, change, why } as const;
}

/** The worst of several; undefined of none. */
export function worst(found: readonly (Verdict | undefined)[]): Verdict | undefined {
  return verdicts.find((each) => found.includes(each));
}
