"""Which statements of the behaviour contract a test is named after: `46 and 54 …`, `27 to 29 …`, `32, 113 and 114 …`."""
import re

# Statement numbers, then words. `10,000 writes …` and `1,8 enumerations` are none.
NAME = re.compile(r"(\d{1,3})((?:(?:, | and | to )\d{1,3})*) (.+)", re.S)


def named_after(name):
    """`32, 113 and 114 in the background …` -> [32, 113, 114] and the words behind; [] and the name where it has none."""
    match = NAME.fullmatch(name)
    if not match:
        return [], name
    found = [int(match.group(1))]
    for word, number in re.findall(r"(, | and | to )(\d+)", match.group(2)):
        found += range(found[-1] + 1, int(number) + 1) if word == " to " else [int(number)]
    return found, match.group(3)
