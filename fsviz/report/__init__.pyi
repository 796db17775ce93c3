# What the templates of reports call, listed once; __init__.py loads it when used.
from .disclosure import disclosure as disclosure
from .disclosure import facts as facts
from .findings import findings as findings
from .over_time import card_of_histories as card_of_histories
from .over_time import conclude_histories as conclude_histories
from .over_time import histories as histories
from .over_time import histories_table as histories_table
from .over_time import history_figure as history_figure
from .plan import render_pages as render_pages
from .plan import report as report
