"""Lists the files of a folder whose names match a pattern, and removes them with --remove."""

import argparse
import fnmatch
import json
import os

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--pattern", required=True)
parser.add_argument("--remove", action="store_true")
given = parser.parse_args()

found = sorted(
    os.path.relpath(os.path.join(folder, name), given.folder)
    for folder, _, names in os.walk(given.folder)
    for name in fnmatch.filter(names, given.pattern)
)
if given.remove:
    for name in found:
        os.remove(os.path.join(given.folder, name))
    print(json.dumps({"removed": found}))
else:
    print("\n".join(found))
