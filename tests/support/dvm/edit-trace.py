# Edits a DVM trace as its programmer would edit the program: edit-trace.py CHANGE TRACE >EDITED
#   overlap     imlast_ before the loop behind each waitsh_, which goes
#   late-wait   waitrd_, and the deletion of the group, behind the next loop
#   two         a second reduction behind each: its own group, started and waited for
#   merged      the second variable in the first group
# SPDX-License-Identifier: MIT
import gzip, re, sys


def records(text):
    """Header lines, each with the lines of parameters behind it."""
    found = []
    for line in text.splitlines(True):
        if re.match(r"(call_|ret_|Event)", line) or not found:
            found.append("")
        found[-1] += line
    return found


def name(record):
    found = re.match(r"(call_|ret_)(\w+)", record)
    return found.group(0) if found else ""


def value(record, key):
    return re.search(r"\b%s=([0-9a-f]+)" % key, record).group(1)


def call(function, record, parameters):
    """Both records of a call that takes no time, at the place of another one."""
    place = re.search(r"LINE=.*", record).group(0)
    return ["call_%s TIME=0.00000000 %s\n%s\n" % (function, place, parameters),
            "ret_%s TIME=0.00000000 %s\n \n" % (function, place)]


def overlap(trace):
    held = None
    for record in trace:
        if name(record) == "call_waitsh_":
            held = value(record, "ShadowGroupRef")
        if name(record).endswith("_waitsh_"):
            continue
        if name(record) == "call_mappl_" and held:
            yield from call("imlast_", record, "LoopRef=%s; ShadowGroupRef=%s;"
                            % (value(record, "LoopRef"), held))
            held = None
        yield record


def late_wait(trace):
    held = []
    for record in trace:
        waits = name(record).endswith("_waitrd_")
        if waits or (held and name(record).endswith("_delobj_")):
            held.append(record)
            continue
        yield record
        if name(record) == "ret_endpl_":
            yield from held
            held = []


OTHER = "abcdef"  # behind a reference: that of the second variable, or group


def second(trace, merged):
    """A second variable for each reduction, in its own group or in the first one."""
    again = []
    for record in trace:
        function = re.sub(r"^(call|ret)_", "", name(record))
        kinds = {"crtred_": ["RedRef"], "insred_": ["RedRef"]}
        if not merged:
            kinds = {"crtred_": ["RedRef"], "crtrg_": ["RedGroupRef"], "insred_": ["RedRef", "RedGroupRef"],
                     "strtrd_": ["RedGroupRef"], "waitrd_": ["RedGroupRef"]}
        yield record
        if function not in kinds:
            continue
        copy = record
        for key in kinds[function]:
            copy = re.sub(r"\b%s=([0-9a-f]{6})" % key, "%s=%s" % (key, OTHER), copy)
        again.append(re.sub(r"TIME=[0-9.]+", "TIME=0.00000000", copy))
        if name(record).startswith("ret_"):
            yield from again
            again = []


CHANGES = {"overlap": overlap, "late-wait": late_wait, "two": lambda trace: second(trace, False),
           "merged": lambda trace: second(trace, True)}
sys.stdout.write("".join(CHANGES[sys.argv[1]](records(gzip.open(sys.argv[2], "rt").read()))))
