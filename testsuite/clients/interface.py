"""Compares headers, manifests and servers by FUN with those that Futhark makes of the same programs: interface.py FUN FUTHARK FOLDER PROGRAM...

What Futhark has, FUN must have and mean the same; FUN may have more, as what this Futhark lacks may be in newer ones. Types whose names C can't
have get a number from Futhark, which changes with its versions, so these are compared under the names that FUN gives them.
"""

import json
import pathlib
import re
import subprocess
import sys

fun, futhark, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
wrong = []


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options)


def prototypes(header):
    """Result and parameters of each function of a header, without the parameters' names."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*|extern \"C\" \{", "", header, flags=re.S | re.M)
    found = {}
    for words in (" ".join(statement.split()) for statement in text.split(";")):
        if match := re.fullmatch(r"(.*\W)(futhark_\w+) ?\((.*)\)", words):
            params = (re.sub(r"\s*\*\s*", "*", param.strip()) for param in match[3].split(","))
            # a name stands behind a star or a word that is no `const` or `struct`
            params = [re.sub(r"(\*|(?<!const)(?<!struct) )\w+$", r"\1", param).strip() for param in params]
            found[match[2]] = (re.sub(r"\s*\*\s*", "*", match[1].strip()), params)
    return found


def same_name(name):
    """A type's name without the spaces that versions of Futhark set differently."""
    return name.replace(": ", ":")


def missing(theirs, ours, where):
    """Where something of the one manifest is not in the other."""
    if isinstance(theirs, dict):
        for key, value in theirs.items():
            if not isinstance(ours, dict) or key not in ours:
                yield f"{where}: no {key}"
            else:
                yield from missing(value, ours[key], f"{where}.{key}")
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for k, (one, other) in enumerate(zip(theirs, ours)):
            yield from missing(one, other, f"{where}[{k}]")
    elif theirs != ours:
        yield f"{where}: {ours} instead of {theirs}"


def compare_libraries(program):
    name = program.stem
    run(futhark, "c", "--library", program, "-o", folder / f"{name}_futhark")
    run(fun, "compile", "-w", "--lib", "--backend", "cranelift", program, "-o", folder / name)
    header, text = ((folder / f"{name}_futhark.{end}").read_text() for end in ("h", "json"))
    ours, our_prototypes = json.loads((folder / f"{name}.json").read_text()), prototypes((folder / f"{name}.h").read_text())
    by_name = {same_name(key): (key, row) for key, row in ours["types"].items()}
    for key, row in json.loads(text)["types"].items():
        if same_name(key) not in by_name:
            wrong.append(f"{name}: no type {key}")
            continue
        our_key, our_row = by_name[same_name(key)]
        text = text.replace(json.dumps(key), json.dumps(our_key))
        number = re.search(r"opaque_([0-9a-f]{32}) ", row["ctype"])
        if number:
            our_number = our_row["ctype"].removeprefix("struct futhark_opaque_").removesuffix(" *")
            header, text = header.replace(number[1], our_number), text.replace(number[1], our_number)
    theirs = json.loads(text)
    theirs.pop("version")
    split = set()
    for entry, row in theirs["entry_points"].items():
        # tuples as results were several results, and unit none, until Futhark 0.26
        if "outputs" in row and len(row["outputs"]) != 1:
            parts = ", ".join(output["type"] for output in row.pop("outputs"))
            if ours["entry_points"][entry]["output"]["type"] != f"({parts})":
                wrong.append(f"{name}.{entry}: does not give ({parts})")
            split.add(row["cfun"])
    wrong.extend(missing(theirs, ours, name))
    functions = 0
    for function, prototype in prototypes(header).items():
        functions += 1
        found = our_prototypes.get(function)
        if found is None:
            wrong.append(f"{name}: no function {function}")
        elif found != prototype and function not in split:
            wrong.append(f"{name}: {function}: {found} instead of {prototype}")
    return functions


functions = sum(compare_libraries(pathlib.Path(program)) for program in sys.argv[4:])
print(f"{functions} functions of {len(sys.argv) - 4} headers compared")
if wrong:
    sys.exit("\n".join(wrong))
