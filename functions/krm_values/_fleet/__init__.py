"""Many packages at once: `krm-values fleet`. Imported only by its commands.

`roots` finds the packages, `pool` maps a pure task over them in other processes, `task` is that task for a render, `commit` writes what it
answers, `bundle` carries the answers to another machine. `dask` lets the workers of a scheduler plan, to which `door` leads and `parcel`
carries the packages. Workers read and answer with JSON; one process writes.
`ask` puts a question to all packages: `reach` says to which, `answers` is the task, `groups` takes together what is the same; `page` shows a run.
"""
