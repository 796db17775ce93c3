"""IOzone: text, its reports and throughput mode, and the workbooks of ``-b``."""
