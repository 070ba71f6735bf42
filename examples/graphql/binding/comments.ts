import { GraphQLError, Lexer, Source, type Token, TokenKind } from "graphql";
import type { TextRange } from "skillc/binding";

/** The comments of a document, `# …`, as far as GraphQL's own lexer can read it. */
export function commentsIn(text: string): readonly TextRange[] {
  const found: TextRange[] = [];
  const lexer = new Lexer(new Source(text));
  let token: Token = lexer.token;
  for (let next = nextOf(lexer); next !== undefined; next = nextOf(lexer)) {
    // The lexer passes comments by; they stand in the chain of its tokens.
    for (; token !== next; token = token.next ?? next) {
      if (token.kind === TokenKind.COMMENT) found.push({ start: token.start, end: token.end });
    }
    if (next.kind === TokenKind.EOF) break;
  }
  return found;
}

function nextOf(lexer: Lexer): Token | undefined {
  try {
    return lexer.advance();
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}
