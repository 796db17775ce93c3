# What the templates of reports call, listed once; __init__.py loads it when used.
from .disclosure import disclosure as disclosure
from .disclosure import facts as facts
from .findings import findings as findings
from .plan import render_pages as render_pages
from .plan import report as report
