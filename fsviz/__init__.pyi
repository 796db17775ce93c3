# The names that fsviz offers, listed once: __init__.py loads them from here when used.
from . import report as report
from .analysis.best import best as best
from .analysis.buckets import summary as summary
from .analysis.cells import select as select
from .analysis.regimes import in_regime as in_regime
from .analysis.scaling import scaling as scaling
from .answers.comparison import Comparison as Comparison
from .answers.comparison import compare as compare
from .answers.history import history as history
from .campaigns.read import read as read
from .campaigns.time_logs import time_logs as time_logs
from .checks.engine import check as check
from .checks.engine import run_checks as run_checks
from .checks.measurable import measurable as measurable
from .figures.kinds.buckets import buckets as buckets
from .figures.kinds.explorer import explorer as explorer
from .figures.kinds.lines import lines as lines
from .figures.kinds.maps import maps as maps
from .figures.kinds.ratios import ratios as ratios
from .figures.kinds.versus import versus as versus
from .figures.plot import plot as plot
from .measuring.run import run as run
from .model.campaign import Campaign as Campaign
from .model.errors import FsvizError as FsvizError
from .model.errors import ParseError as ParseError
from .model.errors import UsageError as UsageError
from .store.load import load as load

__version__: str
