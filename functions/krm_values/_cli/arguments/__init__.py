"""The grammar of the command line, and the checks that argparse cannot make."""
