"""Every place where the code touches files, programs, the network, regular expressions, hashes or output, with its guard."""
