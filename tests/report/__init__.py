"""What is worth a look and fails nothing, floors and circles aside: words, duplicates, sizes. `make report` prints it."""
