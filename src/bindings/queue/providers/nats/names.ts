import type { NameRule, TargetNames } from "../../send/name-rules.js";

const subject: NameRule = {
  what: "a subject",
  isPlace: true,
  separator: ".",
  // A line of the protocol has at most 4096 bytes by default, and contains more than the subject.
  maxBytes: 1024,
  characters: {
    foreign: /[\s\p{Cc}*>]/u,
    must: "contain no space, control character, `*` or `>`",
    foreignFormats: new Map(),
  },
  complete: [
    {
      refused: /^\.|\.$|\.\./,
      problem: "there is no text before, after or between its dots",
      mustNot: "without text before, after or between its dots",
    },
    {
      // Subjects of the server's own API, such as deleting a stream.
      refused: /^\$/,
      problem: "it starts with `$`, which the server reserves",
      mustNot: "that starts with `$`, which the server reserves",
    },
  ],
};

export const natsNames: TargetNames = {
  rulesOf: () => ({ subject }),
  registrySubject: "subject",
};
