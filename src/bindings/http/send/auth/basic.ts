import { unsentError } from "../failures.js";
import {
  type Authenticator,
  type AuthText,
  namesIn,
  openedFor,
  shownText,
} from "./authenticator.js";

/** Authenticates with HTTP `Basic` (RFC 7617), in UTF-8. */
export function basic(user: AuthText, password: AuthText): Authenticator {
  const shown = `${shownText(user)}:${shownText(password)}`;
  return {
    credentials: namesIn(user, password),
    proofs: [shown],
    shown: ["authorization", `Basic ${shown}`],
    headers(_request, attempt) {
      const name = openedFor(attempt, user);
      if (name.includes(":"))
        throw unsentError(attempt, `the user name \`${shownText(user)}\` contains a colon`);
      const both = Buffer.from(`${name}:${openedFor(attempt, password)}`).toString("base64");
      attempt.learn?.(shown, both);
      return ["authorization", `Basic ${both}`];
    },
  };
}
