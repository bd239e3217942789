"""What the steps of the cells have given: one row for each, in a file of JSON."""
import json
import time

PASSED, FAILED, NOT_OFFERED, NOT_RUN = "passed", "failed", "not offered", "not run"


class Cell:
    """One pair over one radio: its steps, in their order."""

    def __init__(self, rows, missing, **keys):
        self.rows, self.missing, self.keys, self.broken = rows, missing, keys, None

    async def step(self, feature, work):
        """Runs a step; after one that failed the rest isn't run."""
        row = {**self.keys, "feature": feature}
        self.rows.append(row)
        if self.broken:
            work.close()
            return row.update(result=NOT_RUN, detail=f"after '{self.broken}' failed")
        begun = time.monotonic()
        try:
            row.update(result=PASSED, detail=await work or "")
        except Exception as error:  # every kind is a failure of this step, and is told
            row.update(result=FAILED, detail=f"{type(error).__name__}: {error}")
            if feature in self.missing:
                row.update(result=NOT_OFFERED, detail=self.missing[feature])
            else:
                self.broken = feature
        where = f"{self.keys['role']} on {self.keys['radio']}"
        if row["result"] != PASSED:
            print(f"  {row['result']}: {feature}, our {where}: {row['detail']}", flush=True)
        row["seconds"] = round(time.monotonic() - begun, 3)


def save(path, rows):
    path.write_text(json.dumps(rows, indent=1) + "\n")


def check(condition, text):
    """An assertion with a text (that Python's -O doesn't remove)."""
    if not condition:
        raise AssertionError(text)


def same(got, wanted, what):
    if got != wanted:
        raise AssertionError(f"{what}: got {got!r}, expected {wanted!r}")
