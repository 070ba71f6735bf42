import protobuf from "protobufjs";

export function emptyRoot(): protobuf.Root {
  const root = new protobuf.Root();
  // Extensions are not part of messages. Without this, the library would search at each message for
  // extensions of missing types.
  root.deferred.push = () => 0;
  return root;
}

/**
 * Adds a file's declarations to the library's root.
 *
 * @returns the names of the imported files
 * @throws Error with the library's text if it can't read the file
 */
export function parseText(text: string, root: protobuf.Root): readonly string[] {
  const options = { keepCase: true, alternateCommentMode: true };
  const { imports, weakImports } = protobuf.parse(text, root, options);
  return [...(imports ?? []), ...(weakImports ?? [])];
}
