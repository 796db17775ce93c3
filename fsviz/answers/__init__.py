"""What is said of a comparison, decided and worded once; other rooms lay it out."""
