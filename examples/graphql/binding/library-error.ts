import { type ASTNode, type GraphQLError, Kind } from "graphql";

/**
 * Offsets of the name that an error is about; of the document's first character if the error has no
 * position.
 */
export function placeOf({ nodes }: GraphQLError): readonly [start: number, end: number] {
  const [node] = nodes ?? [];
  const { start, end } = (node && nameOf(node).loc) ?? { start: 0, end: 1 };
  return [start, end];
}

function nameOf(node: ASTNode): ASTNode {
  if (node.kind === Kind.VARIABLE) return node;
  if (node.kind === Kind.VARIABLE_DEFINITION) return node.variable;
  return ("name" in node && node.name) || node;
}

/**
 * Rewrites a message of the `graphql` package in skillc's form: backticks, lower case, and the
 * suggestion as a separate help.
 */
export function describeError({ message }: GraphQLError): {
  readonly message: string;
  readonly help?: string;
} {
  const text = message
    .replace(/^Syntax Error: /, "")
    .replaceAll("`", "'")
    .replace(/"([^"]*)"/g, "`$1`");
  const [fact = "", hint] = text.split(/ (?=Did you mean )/);
  return {
    message: lowered(fact.replace(/\.$/, "")),
    ...(hint === undefined ? {} : { help: lowered(hint) }),
  };
}

function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
