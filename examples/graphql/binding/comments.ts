import { GraphQLError, Lexer, Source, type Token, TokenKind } from "graphql";
import type { TextRange } from "skillc/binding";

/** Returns the comments of a document, `# …`. Stops at the first error of GraphQL's own lexer. */
export function commentsIn(text: string): readonly TextRange[] {
  const found: TextRange[] = [];
  const lexer = new Lexer(new Source(text));
  let token: Token = lexer.token;
  for (let next = nextOf(lexer); next !== undefined; next = nextOf(lexer)) {
    // The lexer skips comments, but links them into its list of tokens.
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
