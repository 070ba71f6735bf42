import protobuf from "protobufjs";

export function emptyRoot(): protobuf.Root {
  const root = new protobuf.Root();
  // Extensions are no part of messages. The library would look again, at each message, for those
  // that extend something that is not there.
  root.deferred.push = () => 0;
  return root;
}

/**
 * Adds what a file declares to what the library knows.
 *
 * @returns the names of the files that it imports
 * @throws Error in the library's own words, for what it can't read
 */
export function parseText(text: string, root: protobuf.Root): readonly string[] {
  const options = { keepCase: true, alternateCommentMode: true };
  const { imports, weakImports } = protobuf.parse(text, root, options);
  return [...(imports ?? []), ...(weakImports ?? [])];
}
