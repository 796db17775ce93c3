"""What is wrong with this benchmark: rules, each a function from tables to findings."""
