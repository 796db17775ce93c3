"""Names that run, ask the network or make a link, unless they are escaped."""

OUTSIDE = "http://198.51.100.7"
"""An address that is reserved for documentation (RFC 5737)."""

NAMES = (
    "<img src=x onerror=\"document.title='owned'\">",
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "<svg onload=document.title='owned'>",
    "<details open ontoggle=document.title='owned'>",
    "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\">",
    f"<meta http-equiv=refresh content='0;url={OUTSIDE}/m'>",
    f"<form action={OUTSIDE}/f><button autofocus>go</button></form>",
    f"<a href={OUTSIDE}/a>shown</a>",
    '<a href="javascript:document.title=1">shown</a>',
    f"![picture]({OUTSIDE}/i.png)",
    f"[shown]({OUTSIDE}/l)",
    "[shown](javascript:document.title=1)",
    f"{OUTSIDE}/bare",
    "www.example.org",
    "somebody@example.org",
    f"<{OUTSIDE}/angle>",
    f"[shown][1] [1]: {OUTSIDE}/ref",
    "`</code><img src=x onerror=alert(1)>`",
    "' onmouseover='alert(1)' x='",
    '" autofocus onfocus="alert(1)',
    "%{customdata} {{7*7}} {% raw %}",
    "$\\href{javascript:alert(1)}{x}$",
    "]]>--><img src=x onerror=alert(1)>",
    "__proto__",
    "constructor",
)

FOLDERS = tuple(name.replace("/", "⁄") for name in NAMES)
"""As names of folders, which have no slash: U+2044 looks like one."""
FOLDERS += (
    "<img src=x onerror=\"document.title='owned'\">",
    "<svg onload=location='http:&#47;&#47;198.51.100.7'>",
    "<input onfocus=alert(1) autofocus>",
)
FOLDERS = tuple(dict.fromkeys(FOLDERS))
