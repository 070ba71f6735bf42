/**
 * Errors that a JSON Schema of one file can't find, by the knowledge that they need. A test checks
 * the list in both directions: the editor schemas reject the example of every other error, and
 * accept the examples of these.
 */
const byWhatItTakes: Readonly<Record<string, string>> = {
  "the files beside it, and how they are stored": `
    read/no-skills-folder read/no-skill-folder read/misnamed-skill read/misnamed-config read/two-skill-files read/two-metadata-files read/too-large read/not-utf-8 read/unreadable
    read/not-in-project read/no-policies-folder read/policy-not-read file/outside-skills file/not-in-skill file/not-found schema/unresolved-ref schema/cyclic-ref schema/remote-ref schema/ref-outside
    queue/bad-avro-schema queue/not-a-record queue/endless-record queue/bad-protobuf-schema queue/no-protobuf-message queue/unsupported-protobuf queue/endless-message
    sql/no-schema-files`,
  "the text as it is written: the tree that it comes to has no trace of it": `
    parse/duplicate-key parse/key-not-text parse/merge-key parse/unknown-tag parse/number-not-json schema/rounded-integer binding/rounded-integer config/secret-as-setting binding/folded-comment`,
  "rules of paths and modules": "config/path config/module",
  "two places compared": `
    config/name-twice config/overlapping-folders skill/tools-declared-twice skill/declared-twice skill/misspelt-setting skill/misplaced-setting tool/parameter-twice skill/misplaced-tools name/skill-twice name/collision
    tool/unknown-rollback retry/unsafe-write sql/same-module http/query-key-twice http/duplicate-header http/ambiguous-status http/success-twice http/schema-of-error http/auth-twice http/auth-lacks queue/duplicate-header
    http/misleading-status sql/max-rows-without-many queue/no-schema queue/other-format queue/not-for-format sql/unknown-database sql/write-risk
    http/dot-segments-beside-caller governance/dot-segments
    governance/low-risk governance/reading-scope governance/narrow-capability governance/limit-never-met governance/serial-and-concurrent`,
  "what names come to in JavaScript, in files and for models": `
    name/bad-characters name/reserved name/too-long`,
  "what a JSON Schema means, not only how it is written": `
    tool/parameters-not-object schema/unknown-dialect schema/too-large schema/unsupported schema/invalid-pattern schema/slow-pattern schema/invalid-default
    schema/impossible-required schema/no-value`,
  "what texts hold, in languages of their own: placeholders, URLs, headers, JSONPath, secrets": `
    credential/plaintext-secret http/lone-brace http/bad-placeholder http/lone-surrogate http/parameter-as-credential http/bad-origin http/parameter-in-origin
    http/credentials-in-url http/credential-in-path http/bad-path-entry http/parameter-in-auth http/repeated-prefix http/bad-media-type http/fragment-in-url http/bad-url-text http/placeholder-in-name http/bad-header-name http/forbidden-header
    http/bad-header-value http/content-type http/unquoted-placeholder http/bad-json-path http/bad-answer-header http/bad-idempotency-key
    http/unknown-root-field queue/unknown-root-field sql/unknown-root-field
    queue/lone-brace queue/bad-placeholder queue/lone-surrogate queue/parameter-as-credential queue/bad-target queue/bad-header queue/routing-header
    queue/bad-idempotency-key queue/credential-in-message queue/unquoted-placeholder queue/placeholder-in-name sql/bad-mapping governance/bad-capability`,
  "the parameters beside what uses them": `
    http/ambiguous-reference queue/ambiguous-reference sql/ambiguous-reference
    http/unknown-parameter http/unused-parameter http/not-unused http/unknown-unused http/optional-in-path http/not-a-scalar http/optional-in-list http/file-place tool/bad-file tool/file-parameter tool/unknown-aliased
    http/unusable-default http/no-usable-value http/unknown-response-field http/returns-mismatch http/no-content http/bad-response http/bad-pagination http/bad-poll http/unknown-page-parameter http/no-page-items
    queue/unknown-parameter queue/unused-parameter queue/not-unused queue/unknown-unused queue/optional-in-target queue/not-a-scalar queue/optional-in-list
    queue/unknown-field queue/missing-field queue/optional-field queue/field-type queue/exclusive-fields queue/ambiguous-union queue/returns-mismatch
    sql/unknown-parameter sql/unused-parameter sql/not-unused sql/unknown-unused sql/unused-mapping`,
  "PostgreSQL, and what it says of a statement": `
    sql/unknown-function sql/schema-does-not-load sql/no-server sql/syntax sql/placeholder sql/no-statement sql/several-statements sql/not-a-query sql/too-large
    sql/refused sql/parameter-type sql/parameter-types-apart sql/untyped-parameter sql/null-not-stored sql/column-left-out sql/duplicate-column sql/bad-mark sql/never-not-null sql/no-rows sql/returns-mismatch
    sql/returns-denies-null sql/write-called-read sql/undeclared-write sql/all-rows`,
  "the tools that what skillc.yaml says is about": `
    governance/unknown-tool governance/unknown-tag governance/tool-blocked governance/no-such-place governance/no-text governance/no-property governance/too-many-obligations governance/bad-pattern`,
  "the other steps of a plan, its parameters, and the tools that it calls": `
    plan/ambiguous-reference plan/bad-condition plan/bad-path plan/bad-transform plan/cannot-infer plan/cannot-omit plan/cycle plan/duplicate-step plan/forward-reference plan/literal-mismatch
    plan/maybe-absent plan/missing-parameter plan/no-item plan/no-planner plan/no-state plan/not-a-list plan/not-unused plan/reserved-name plan/retry
    plan/returns-mismatch plan/stream-output plan/taken-status plan/too-deep plan/type-mismatch plan/unknown-argument plan/unknown-field plan/unknown-output
    plan/unknown-parameter plan/unknown-root-field plan/unknown-status plan/unknown-step plan/unknown-tool plan/unknown-unused plan/unreachable-when
    plan/unsure-source plan/unused-parameter`,
  "what a command starts, and what its parts come to": `
    command/lone-brace command/bad-placeholder command/lone-surrogate command/unknown-parameter command/parameter-as-credential command/unused-parameter
    command/not-unused command/unknown-unused command/unknown-root-field command/ambiguous-reference command/program command/shell command/bad-script
    command/read-writes command/bad-env command/code-in-env command/bad-argument command/not-a-scalar command/bad-spread command/optional-argument
    command/no-allowed-paths command/unknown-path command/bad-path-parameter command/bad-folder command/no-image command/json-without-returns
    command/bad-exit-code command/returns-mismatch`,
  "the tool that undoes a call, and the type of the binding": `
    rollback/ambiguous-reference rollback/bad-path rollback/bad-placeholder rollback/literal-mismatch rollback/lone-brace rollback/lone-surrogate rollback/maybe-absent rollback/missing
    rollback/missing-parameter rollback/needless-paths rollback/no-backup rollback/no-key rollback/no-layer rollback/no-paths rollback/only-reads
    rollback/outside-folders rollback/type-mismatch rollback/unknown-argument rollback/unknown-field rollback/unknown-parameter
    rollback/unknown-result rollback/unknown-root-field`,
  "the keys of an operation on files, and the parameters in them": `
    file/lone-brace file/bad-placeholder file/lone-surrogate file/unknown-parameter file/parameter-as-credential file/unused-parameter
    file/not-unused file/unknown-unused file/unknown-root-field file/ambiguous-reference file/missing-key file/extra-key file/bad-path file/bad-folder
    file/bad-value file/bad-option file/absent-value file/credential-place file/returns-mismatch`,
  "Cedar, and what it says of policies": `
    policy/syntax policy/template policy/types policy/no-type policy/unknown-value policy/unknown-attribute policy/too-large policy/id policy/id-twice policy/condition policy/cedar-missing`,
  "the tests of policies, which are files of their own": `
    policy-test/failed policy-test/unknown-key policy-test/missing-key policy-test/wrong-type policy-test/wrong-value policy-test/name-twice
    policy-test/unknown-tool policy-test/arguments policy-test/unknown-policy policy-test/caller`,
  "code of the project's own": `
    config/binding-not-loaded config/not-a-binding-kind config/binding-type-differs generate/type-error`,
  "the output folder": `
    output/edited-by-hand output/foreign-file output/place-taken output/out-of-date`,
  "documents of APIs, and what was imported before": `
    import/unknown-format import/too-large import/broken-record import/foreign-file import/other-document import/out-of-date
    import/repeated-tool import/no-tools`,
  "skillc.lock": `
    lock/tool-changed lock/out-of-date lock/unreadable`,
};

/** The knowledge that each code needs. */
export const beyondSchemas: ReadonlyMap<string, string> = new Map(
  Object.entries(byWhatItTakes).flatMap(([takes, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, takes] as const),
  ),
);
