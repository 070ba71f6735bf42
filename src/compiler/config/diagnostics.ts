import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

/** Entries of all codes about settings in skillc.yaml. */
export const configDiagnosticEntries: DiagnosticEntries = {
  "config/unknown-key": entry("an unknown key in skillc.yaml", {
    explanation:
      "skillc.yaml accepts only the settings that docs/skills/project-settings.md lists. Grants, quotas and obligations have a fixed set of keys too. A " +
      "misspelt key would have no effect: a misspelt limit, for example, would limit nothing.",
    example: "skill: skills\n",
    fixed: "skills: skills\n",
  }),
  "config/wrong-type": entry("a setting of the wrong type", {
    explanation:
      "skillc never converts a value to another type. A folder and a secret are text. `databases`, `set_config`, `files`, `mcp`, `secrets` and `bindings` are " +
      "mappings; `grants`, `quotas` and `obligations` are lists. `true` and `12` are text only in quotes, and an empty value is not text either.",
    example: "secrets:\n  ORDERS_PIN: 1234\n",
    fixed: 'secrets:\n  ORDERS_PIN: "1234"\n',
  }),
  "config/missing-key": entry("a grant, a quota or an obligation without a required key", {
    explanation:
      "A grant needs `to` and `scopes`. A quota needs `name` and at least one limit. An obligation needs `name`, `do`, and the keys that its action takes: " +
      "`at` (the place in the data), for `redact` also `pattern`, for `watermark` a `text` instead.",
    example: "quotas:\n  - { name: model-calls }\n",
    fixed: "quotas:\n  - { name: model-calls, calls_per_minute: 60 }\n",
  }),
  "config/wrong-value": entry("a setting with a value that is not allowed", {
    explanation:
      "`governance` is `strict` or `standard`. `store`, `ledger` and `key` are `${NAME}`, because a URL may contain a password; `runs` may also be a folder. A capability has an action and a " +
      "target, such as `net.http:get ${ORDERS_URL}/orders`. A grant names exactly one of `subject`, `role` and `tenant`. A limit is more than 0, and `at` is a " +
      "JSON Pointer. `answer_within` of `mcp` is a duration, such as `50s`.",
    example: "governance: strickt\n",
    fixed: "governance: strict\n",
  }),
  "config/name-twice": entry("two quotas, or two obligations, with the same name", {
    explanation:
      "An error names the quota that is used up, and a decision names the obligations that were applied. If two have the same name, nobody can tell which one " +
      "is meant.",
    example:
      "quotas:\n  - { name: calls, calls_per_minute: 60 }\n  - { name: calls, calls_per_day: 1000 }\n",
    fixed:
      "quotas:\n  - { name: minute, calls_per_minute: 60 }\n  - { name: day, calls_per_day: 1000 }\n",
  }),
  "config/path": entry("a path that skillc.yaml must not name", {
    explanation:
      "`skills`, `out`, `policies` and the folders of `files` are folders of the project. Write them relative to skillc.yaml, with `/`; they must not lead out " +
      "of its folder. `out` and `policies` must not be in `node_modules`, or in a folder that begins with a dot (`.git`, `.github`, `.vscode`, `.skillc`): " +
      "other programs own these folders or delete their contents. skillc also rejects a name that means another folder on some system: a dot or a blank at the " +
      "end, a Windows device (`con`), a Windows short name (`git~1`), or invisible characters.",
    example: "out: ../generated\n",
    fixed: "out: generated\n",
  }),
  "config/overlapping-folders": entry(
    "the output folder overlaps the folder of skills or policies",
    {
      explanation:
        "`skillc generate` removes generated files that no skill needs, and it may read every file in the skills folder. So neither of the two " +
        "folders may be, or be inside, the other. The folder of policies must not be the output folder, or be inside it. skillc ignores letter case here, " +
        "because some file systems do.",
      example: "skills: skills\nout: skills/generated\n",
      fixed: "skills: skills\nout: generated\n",
    },
  ),
  "config/secret-name": entry("a secret whose name no binding can use", {
    explanation:
      "Bindings refer to a secret as `${NAME}`. The name has the form of an environment variable: letters, digits and `_`, and no digit first.",
    example: "secrets:\n  orders-token: local\n",
    fixed: "secrets:\n  ORDERS_TOKEN: local\n",
  }),
  "config/secret-as-setting": entry("a setting that takes its value from `secrets:`", {
    explanation:
      "Messages show the names of folders, files and modules, and never show a value of `secrets`. If an alias used a secret as another setting, messages " +
      "would show the secret.",
    example: "secrets:\n  ORDERS_TOKEN: &token local\nout: *token\n",
    fixed: "secrets:\n  ORDERS_TOKEN: local\nout: generated\n",
  }),
  "config/binding-type": entry("a name that cannot be a binding type", {
    explanation:
      "A key under `bindings` is the word that skills write as `type:`. It has lower-case letters, digits and single hyphens or underscores, and it begins " +
      "with a letter.",
    example: "bindings:\n  GraphQL!: graphql-binding\n",
    fixed: "bindings: {}\n",
  }),
  "config/module": entry("a module that is neither a path in the project nor a package", {
    explanation:
      "The module of a binding kind is a path that starts with `./` and stays below skillc.yaml, or the name of an installed package. skillc rejects URLs and " +
      "absolute paths, because they mean something else on every machine.",
    example: "bindings:\n  graphql: https://example.com/graphql.js\n",
    fixed: "bindings: {}\n",
  }),
};

interface ConfigEntry {
  readonly explanation: string;
  /** Text of skillc.yaml. */
  readonly example: string;
  readonly fixed: string;
}

function entry(title: string, texts: ConfigEntry): DiagnosticEntry {
  return {
    severity: "error",
    title,
    explanation: texts.explanation,
    example: project(texts.example),
    fixed: project(texts.fixed),
  };
}

function project(config: string): ProjectFiles {
  return {
    "skillc.yaml": config,
    "skills/desk/SKILL.md":
      "---\nname: desk\ndescription: Answer customers.\n---\n\nAnswer politely.\n",
  };
}
