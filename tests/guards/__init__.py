"""Every place where the code touches files, programs, the network, regular expressions, hashes or what people read, with its guard."""
