import { fileURLToPath } from "node:url";
import { Project } from "ts-morph";

const root = new URL("../../../", import.meta.url);

/** What the TypeScript compiler says of modules that import from the runtime, none of which is ever written to disk. */
export function typeErrors(modules: Readonly<Record<string, string>>): readonly string[] {
  const project = new Project({
    tsConfigFilePath: fileURLToPath(new URL("tsconfig.json", root)),
    skipAddingFilesFromTsConfig: true,
  });
  const files = Object.entries(modules).map(([name, text]) =>
    project.createSourceFile(fileURLToPath(new URL(`test/${name}.virtual.ts`, root)), text),
  );
  return files.flatMap((file) =>
    file.getPreEmitDiagnostics().map((each) => {
      const message = each.getMessageText();
      const line = file.getFullText().split("\n")[(each.getLineNumber() ?? 1) - 1] ?? "";
      return `${file.getBaseNameWithoutExtension()}: ${typeof message === "string" ? message : message.getMessageText()} in ${line.trim()}`;
    }),
  );
}
