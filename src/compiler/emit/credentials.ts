import { type Code, code, join, jsDoc, literal, literalUnion, objectKey } from "../../core/code.js";
import { compareText } from "../../core/report.js";
import { type EmittedProject, type Emitter, projectModule, toolsOf } from "./emitter.js";

/** Emits credentials.ts: the settings that each tool requires. */
export const credentialsEmitter: Emitter = {
  name: "credentials",
  ofProject: (project) => [
    projectModule(project, "credentials", credentialsBody(project), [
      "CredentialName",
      "credentials",
    ]),
  ],
};

/** Lists credentials with the tools that need them. */
function credentialsBody(project: EmittedProject): Code {
  const users = new Map<string, string[]>();
  for (const { id, tool } of toolsOf(project)) {
    for (const name of new Set(tool.binding.credentials.map((each) => each.name))) {
      users.set(name, [...(users.get(name) ?? []), id]);
    }
  }
  const names = [...users.keys()].toSorted(compareText);
  const entries = names.map(
    (name) => code`${objectKey(name)}: ${literal(users.get(name) ?? [])},\n`,
  );
  return code`/** Every \`\${NAME}\` that a binding uses. */
export type CredentialName = ${literalUnion(names)};

${jsDoc("The tools that need each credential or setting, by name.")}export const credentials: { readonly [Name in CredentialName]: readonly string[] } = {
${join(entries)}};
`;
}
