/** Capabilities for folders, which commands and files share. */
import type { CapabilityForm } from "./capability-form.js";

/** Makes the form of `fs.read ./notes` or `fs.write ./notes`. */
function folderForm(purpose: "fs.read" | "fs.write"): CapabilityForm {
  return {
    purpose,
    isBare: true,
    form: `${purpose} ./notes`,
    problem: (_act, folder) => (folder === "" ? "has no folder" : undefined),
  };
}

/** Forms of the capabilities of kinds that use files. */
export const fileCapabilityForms: readonly CapabilityForm[] = [
  folderForm("fs.read"),
  folderForm("fs.write"),
  {
    purpose: "tmp.use",
    isBare: true,
    form: "tmp.use",
    problem: (_act, place) => (place === "" ? undefined : "has more than its action"),
  },
];
