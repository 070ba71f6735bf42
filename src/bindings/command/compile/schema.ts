import { usualOutputBytes } from "@skillc/runtime/internal/command";
import type { JsonObject } from "../../../core/json.js";
import type { OtherBindingWords } from "../../../kit/binding.js";
import { byteLimitSchema } from "../../../kit/byte-limit.js";
import { statusNameSchema } from "../../../kit/status-names.js";
import { forEditors } from "../../../schema/editor-marks.js";
import { executors, outputForms } from "./model.js";

const text = { type: "string" } as const;
const folders = { type: "array", items: text } as const;

/** Keys of a container, in a binding and in skillc.yaml. */
export const dockerSchema: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["image"],
  properties: {
    image: {
      ...text,
      minLength: 1,
      description: "Image of the container, by digest: `alpine@sha256:…`.",
    },
  },
};

/** JSON Schema of the keys of a command. */
export const commandSchema: JsonObject = {
  required: ["command"],
  properties: {
    executor: {
      ...text,
      ...forEditors({ enum: executors }),
      description:
        "What runs the process: `sandbox` (bubblewrap), `host` (nothing confines the process) or `docker`.",
      default: "sandbox",
    },
    command: {
      description:
        "The program and its arguments. Each entry is one argument; there is no shell. `{author?}` drops the argument if the parameter is absent, `{paths...}` makes an argument for each item of a list.",
      type: "array",
      minItems: 1,
      items: text,
    },
    cwd: {
      ...text,
      description:
        "Working folder, relative to the project's folder. It may contain `${NAME}` and `{caller.tenant}`. Paths of parameters are relative to it.",
    },
    allowed_paths: {
      description:
        "Folders that the command may use: a list for reading and writing, or `read` and `write`. They may contain `${NAME}` and `{caller.tenant}`. `{temporary}` stands for the temporary folders of the plan, the parent call or the trace.",
      anyOf: [
        folders,
        {
          type: "object",
          additionalProperties: false,
          properties: {
            read: { ...folders, description: "Folders that the command may read." },
            write: { ...folders, description: "Folders that the command may read and change." },
          },
        },
      ],
    },
    paths: {
      description:
        "Parameters that are paths. `format: path` in a parameter's schema says the same.",
      type: "array",
      items: text,
    },
    network: {
      description: "Network of the process: none, or that of this machine.",
      enum: ["none", "host"],
      default: "none",
    },
    env: {
      description:
        "Environment variables. The process inherits none but PATH, HOME, LANG and TZ. A value may contain `{param}`, `{caller.tenant}` and `${NAME}`.",
      type: "object",
      additionalProperties: text,
    },
    stdin: {
      ...text,
      description:
        "Text for standard input, such as `{text}`. `json` sends the parameters that nothing else uses, as one JSON object.",
    },
    output: {
      description:
        "Form of the data: standard output as `json`, as `text`, as a list of `lines`, or `none`.",
      enum: outputForms,
      default: "text",
    },
    exit_codes: {
      description:
        "Statuses by exit code: `{ 1: not_found }`. Code 0 is `success`. A code without a name is an error.",
      type: "object",
      additionalProperties: statusNameSchema,
    },
    max_output_bytes: byteLimitSchema(
      "Maximum size of standard output, in bytes.",
      usualOutputBytes,
    ),
    docker: { ...dockerSchema, description: "The container of the executor `docker`." },
  },
};

/** Words that tool hubs and other runners use for these keys. */
export const commandOtherWords: OtherBindingWords = {
  keys: {
    command: ["cmd", "argv", "args", "run", "exec", "script"],
    cwd: ["working_directory", "workdir", "dir", "directory"],
    allowed_paths: ["allowed_dirs", "allowed_directories", "roots", "mounts", "volumes"],
    paths: ["path_parameters", "path_params"],
    env: ["environment", "envs", "env_vars"],
    stdin: ["input"],
    output: ["stdout", "output_format", "parse"],
    exit_codes: ["exit_code", "statuses", "status", "success_codes"],
    executor: ["runner", "sandbox", "runtime"],
    network: ["net", "allow_network"],
    "docker.image": ["image", "container"],
  },
  types: [{ words: ["shell", "exec", "process", "cli", "bash", "script", "subprocess"] }],
};
