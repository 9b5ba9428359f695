"""What the functions share; knows no function by name.

Its modules, in the order in which they may import each other:

values     record, limits, lazy, pointer, pathtree, errors, terminal, names, data, gofloat, quoting, scalars, tagged, shown, filenames, plain
planning   withheld, what came out of Secrets; item, plan, select, fields, served
reading    parser, onepass, surrogates, nodes, yaml; text, hosts, scalarplaces, reading, headers; streams, openings, emit, patches, blocklist, flowlist,
           frame, cut, events; anchors, itemlist; resourcelist and documents, the two things that items come in
           what Go reads of the texts inside ConfigMaps: goscalars, gofacts, goparser, godecode, golines, goquick, goyaml
           client-go's JSONPath: gojson, govalues, gounquote, jsonpathnodes, jsonpathcompare, jsonpathparser, jsonpathwalk, jsonpath
writing    valuestext; source, tree, branches, layout, flow, tangle, render, roundtrip; diff; splice, the editor of one item's text
layered    objects, allowance, layers; places; embedded, a text in an object; credentials, lookup, layertext
running    unread; schemareader, configmodel, config, ordering, results, configplace; clashes; shifting, apply, generated; standins, redaction;
           oldscalars, undohash, undo, undoing, overlaps, recorded; run; kustomizations; function, registry; programs; below, journal, writer, creation; progress; arguments, report
"""

from krm_values._kit.function import Function
from krm_values._kit.plan import Finding, Origin, drop, mark, move, new, note, put

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]
