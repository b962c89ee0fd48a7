"""The page of a result as data, with descriptions in place of its plots."""

import re

from clusterwise._utils.tables import TextTable
from clusterwise.report import write
from clusterwise.report.page import Code, PageOptions, Plot

_DECIMAL = re.compile(r"-?\d+\.\d+%?")
PLAIN = PageOptions(None, {}, None, "A footer")


def page_of(result, *, X=None, clusterings=None, follow="names", options=PLAIN):
    """Return the page of a result; in its tables, words align left and decimals align right."""
    page = write._page(result, X, clusterings, follow, options)
    for section in page.sections:
        for table in section.blocks:
            if isinstance(table, TextTable):
                _check_alignment(table)
    return page


def _check_alignment(table):
    for i, name in enumerate(table.header):
        cells = [row[i] for row in table.rows if row[i]]
        if any(re.search("[A-Za-z]{2}", cell) for cell in cells if cell not in ("nan", "inf")):
            assert i in table.left, (table.title, name)
        elif cells and name != "version" and all(_DECIMAL.fullmatch(cell) for cell in cells):
            assert i not in table.left, (table.title, name)


def blocks(page, title):
    (section,) = [one for one in page.sections if one.title == title]
    return list(section.blocks)


def tables(page, title):
    return [one for one in blocks(page, title) if isinstance(one, TextTable)]


def plots(page, title):
    return [one for one in blocks(page, title) if isinstance(one, Plot)]


def tiles(page):
    return {tile.label: tile.value for tile in page.tiles}


def code(page):
    (found,) = [one for one in blocks(page, "How it was made") if isinstance(one, Code)]
    return found.text


def parameters(page):
    table = tables(page, "How it was made")[0]
    return dict(table.rows) if table.title == "Parameters" else {}
