# What the templates of reports call, listed once; __init__.py loads it when used.
from .disclosure import describe_campaign as describe_campaign
from .disclosure import describe_problems as describe_problems
from .disclosure import describe_systems as describe_systems
from .disclosure import disclosure as disclosure
from .disclosure import facts as facts
from .disclosure import markdown_text as markdown_text
from .disclosure import names_of as names_of
from .disclosure import readable as readable
from .disclosure import table_html as table_html
from .findings import describe_findings as describe_findings
from .findings import findings as findings
from .plan import report as report
