import type { Capability } from "@skillc/runtime";
import { networkReach, processReach } from "@skillc/runtime/internal";
import type { CapabilityForm } from "../../../kit/capability-form.js";
import { fileCapabilityForms } from "../../../kit/file-capabilities.js";
import { folderCapability, temporaryCapability } from "../../../kit/folders.js";
import type { CommandConfig } from "./model.js";

/** Lists what a command may reach: its program, its folders, and the network. */
export function commandCapabilities(
  config: CommandConfig,
  credentials: readonly string[],
): readonly Capability[] {
  const { argv, effect, network, read, temporary, write } = config;
  const [program] = argv;
  const name =
    program?.kind === "script"
      ? `files/${program.name}`
      : program?.kind === "literal"
        ? program.text
        : "";
  const [reads, writes] = effect === "read" ? [[...read, ...write], []] : [read, write];
  const reached = [
    ...processReach(name).capabilities.map((capability) => ({ capability, credentials })),
    ...reads.map((each) => folderCapability("read", each)),
    ...writes.map((each) => folderCapability("write", each)),
    ...(temporary === undefined ? [] : [temporaryCapability()]),
    ...(network === "host"
      ? networkReach().capabilities.map((capability) => ({ capability, credentials }))
      : []),
  ];
  return [...new Map(reached.map((each) => [each.capability, each])).values()];
}

const programForm: CapabilityForm = {
  purpose: "proc.exec",
  isBare: true,
  form: "proc.exec git",
  problem: (_act, program) => (program === "" ? "has no program" : undefined),
};

const networkForm: CapabilityForm = {
  purpose: "net.any",
  isBare: true,
  form: "net.any",
  problem: (_act, place) => (place === "" ? undefined : "has more than its action"),
};

/** Forms of the capabilities of commands. */
export const commandCapabilityForms: readonly CapabilityForm[] = [
  programForm,
  ...fileCapabilityForms,
  networkForm,
];
