import type { Finding } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import { type MapNode, spanWithin, type SyntaxNode } from "../../core/syntax-node.js";
import { bindingsIn, schemaKeys } from "./bindings-in.js";
import { credentialName } from "./credential-name.js";
import { type Literal, type Secret, secretsOf } from "./literal-secrets.js";

/** A credential in plain text in a binding, and the tool that it belongs to. */
export interface BindingSecret {
  readonly finding: Finding;
  /** The tool's name; undefined when the binding stands nowhere in a tool. */
  readonly tool: string | undefined;
}

/** Every credential that stands in plain text in a `binding:` of the document. The findings never hold the text itself. */
export function bindingSecrets(root: SyntaxNode | undefined): readonly BindingSecret[] {
  return bindingsIn(root).flatMap(({ node, tool }) =>
    literalsOf(node).flatMap((literal) =>
      secretsOf(literal).map((secret) => ({ tool, finding: findingOf(secret, literal, node) })),
    ),
  );
}

/** Schemas stand directly in a binding. Deeper down, in a body or a query, the same keys hold values that are sent. */
function literalsOf(binding: MapNode): readonly Literal[] {
  return binding.entries
    .filter(({ key }) => !schemaKeys.test(key.value))
    .flatMap(({ key, value }) => literalsIn(value, key.value));
}

function literalsIn(node: SyntaxNode, key: string): readonly Literal[] {
  if (node.kind === "list") return node.items.flatMap((each) => literalsIn(each, key));
  if (node.kind === "map")
    return node.entries.flatMap((each) => literalsIn(each.value, each.key.value));
  return typeof node.value === "string" || typeof node.value === "number"
    ? [{ key, node, text: String(node.value) }]
    : [];
}

function findingOf(
  { field, start, end, isPlaceholder }: Secret,
  { key, node }: Literal,
  binding: MapNode,
): Finding {
  // A connection is one setting: no part of it can be another.
  const name = key === "connection" ? "CONNECTION_URL" : credentialName(field, binding);
  const span = spanWithin(node, start, end);
  if (isPlaceholder) {
    return {
      code: "credential/placeholder",
      span,
      message: `${quote(field)} holds a placeholder where a credential belongs`,
      help: `write \`\${${name}}\` and set \`${name}\` in the environment or in \`.env\``,
    };
  }
  return {
    code: "credential/plaintext-secret",
    span,
    message: `${quote(field)} holds a secret in plain text`,
    help: `write \`\${${name}}\`${key === "connection" ? " for the whole address" : ""}, set \`${name}\` in the environment or in \`.env\`, and replace the secret: this file has shown it`,
    secret: true,
  };
}
