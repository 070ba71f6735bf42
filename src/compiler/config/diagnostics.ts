import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

/** Every code that reading skillc.yaml as settings can report. */
export const configDiagnosticEntries: DiagnosticEntries = {
  "config/unknown-key": entry("a setting that skillc.yaml does not have", {
    explanation:
      "The settings are those that docs/skills/project-settings.md lists, and so are the keys of a grant, a quota and an obligation. A limit that nobody knows would limit nothing.",
    example: "skill: skills\n",
    fixed: "skills: skills\n",
  }),
  "config/wrong-type": entry("a setting of the wrong type", {
    explanation:
      "Values are never converted: a folder is text, `databases`, `set_config`, `files`, `secrets` and `bindings` are mappings, `grants`, `quotas` and `obligations` are lists, a secret is text. " +
      "`true`, `12` and an absent value are none; in quotes the first two are.",
    example: "secrets:\n  ORDERS_PIN: 1234\n",
    fixed: 'secrets:\n  ORDERS_PIN: "1234"\n',
  }),
  "config/missing-key": entry("a grant, a quota or an obligation that lacks a key", {
    explanation:
      "A grant says to whom and which scopes, a quota its name and at least one limit, an obligation its name, what it does, and what that takes: `at` where in the data, for `redact` a " +
      "`pattern`, for `watermark` a `text`.",
    example: "quotas:\n  - { name: model-calls }\n",
    fixed: "quotas:\n  - { name: model-calls, calls_per_minute: 60 }\n",
  }),
  "config/wrong-value": entry("a setting with a value that it can't have", {
    explanation:
      "`governance` is `strict` or `standard`, `store` and `ledger` are `${NAME}`, since the URL behind it may hold a password. A capability is what for and where to " +
      "(`net.http:get ${ORDERS_URL}/orders`), a grant is to exactly one of `subject`, `role` and `tenant`, a limit is more than nothing, and `at` is a JSON Pointer.",
    example: "governance: strickt\n",
    fixed: "governance: strict\n",
  }),
  "config/name-twice": entry("two quotas, or two obligations, of one name", {
    explanation:
      "A refusal tells the quota that is used up by its name, and a decision the obligations that were met. Of two with one name nobody would know which it was.",
    example:
      "quotas:\n  - { name: calls, calls_per_minute: 60 }\n  - { name: calls, calls_per_day: 1000 }\n",
    fixed:
      "quotas:\n  - { name: minute, calls_per_minute: 60 }\n  - { name: day, calls_per_day: 1000 }\n",
  }),
  "config/path": entry("a path that is not below skillc.yaml", {
    explanation:
      "`skills`, `out`, `policies` and those of `files` are folders of the project: relative to skillc.yaml, with `/`, and never out of its folder. `out` and `policies` are in no `node_modules` and in no folder that begins " +
      "with a dot (`.git`, `.github`, `.vscode`, `.skillc`) either: what is in there belongs to other programs, or is thrown away. Names that mean another folder on some system are " +
      "none: with a dot or a blank at the end, devices of Windows (`con`), its short names (`git~1`), characters that can't be seen.",
    example: "out: ../generated\n",
    fixed: "out: generated\n",
  }),
  "config/overlapping-folders": entry("skills or policies, and output, in one place", {
    explanation:
      "Files in the output folder that no skill accounts for are removed, and every file in the skills folder may be read. Neither folder may " +
      "be, or be inside, the other; and the folder of policies is not the output folder, nor inside it. Upper and lower case make no difference here, since on some systems they make none on disk.",
    example: "skills: skills\nout: skills/generated\n",
    fixed: "skills: skills\nout: generated\n",
  }),
  "config/secret-name": entry("a secret that no binding could name", {
    explanation:
      "Bindings name secrets as `${NAME}`, as the environment does: letters, digits and `_`, with no digit first.",
    example: "secrets:\n  orders-token: local\n",
    fixed: "secrets:\n  ORDERS_TOKEN: local\n",
  }),
  "config/secret-as-setting": entry("a setting that takes its value from `secrets:`", {
    explanation:
      "Folders, files and modules are named in messages, and what stands under `secrets` never is. So no alias may give a part of `secrets` to another setting.",
    example: "secrets:\n  ORDERS_TOKEN: &token local\nout: *token\n",
    fixed: "secrets:\n  ORDERS_TOKEN: local\nout: generated\n",
  }),
  "config/binding-type": entry("a name that can't be a binding type", {
    explanation:
      "What stands under `bindings` is what skills write as `type:`: lower-case letters, digits and single hyphens or underscores, a letter " +
      "first.",
    example: "bindings:\n  GraphQL!: graphql-binding\n",
    fixed: "bindings: {}\n",
  }),
  "config/module": entry("a module that can't be found", {
    explanation:
      "A binding kind's module is a path that starts with `./` and stays below skillc.yaml, or the name of an installed package. URLs and " +
      "absolute paths would mean another thing on every machine.",
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
