"""IOzone's numbers by a second route: throw-away parsers that share no code with fsviz.

BIFF2 records are taken apart by hand, the Excel section of a text by a regular
expression, as {(operation, file kB, record kB): printed number}.
"""

import re
import struct

NAMES = {
    "writer": "write",
    "re-writer": "rewrite",
    "reader": "read",
    "re-reader": "reread",
    "random read": "random_read",
    "random write": "random_write",
    "backward read": "backward_read",
    "record rewrite": "record_rewrite",
    "stride read": "stride_read",
    "fwrite": "fwrite",
    "re-fwrite": "frewrite",
    "fread": "fread",
    "re-fread": "freread",
    "pwrite": "pwrite",
    "re-pwrite": "repwrite",
    "pread": "pread",
    "re-pread": "repread",
}


def biff2_cells(data):
    """{(row, column): text or number} of a BIFF2 stream."""
    cells, position = {}, 0
    while position + 4 <= len(data):
        code, size = struct.unpack_from("<HH", data, position)
        body = data[position + 4 : position + 4 + size]
        if code == 0x04:
            row, column = struct.unpack_from("<HH", body)
            cells[row, column] = body[8 : 8 + body[7]].decode()
        elif code == 0x03:
            row, column = struct.unpack_from("<HH", body)
            cells[row, column] = struct.unpack_from("<d", body, 7)[0]
        elif code == 0x0A:
            break
        position += 4 + size
    return cells


def excel_numbers(text):
    """Numbers of the rate reports of a text's Excel section."""
    numbers = {}
    for block in re.finditer(
        r'^"([\w -]+?) report"\n(.*\n)((?:"\d+".*\n?)*)', text, re.MULTILINE
    ):
        name = NAMES.get(block[1].lower())
        records = [int(r) for r in re.findall(r'"(\d+)"', block[2])]
        for row in block[3].splitlines():
            file, *values = row.replace('"', "").split()
            for record, value in zip(records, values, strict=False):
                numbers[name, int(file), record] = int(value)
    return numbers


def read_numbers(cells, unit=1024.0):
    """The same of fsviz's cells, back in printed units."""
    return {
        (operation, file // 1024, record // 1024): round(value / unit)
        for operation, file, record, value, metric in zip(
            cells.operation,
            cells.file_size_bytes,
            cells.record_size_bytes,
            cells.value,
            cells.metric,
            strict=True,
        )
        if metric != "cpu"
    }
