"""What the functions share; knows no function by name.

Its modules, in the order in which they may import each other:

values     record, lazy, errors, names, pointer, data, scalars, plain
planning   item, plan, select
reading    parser, onepass, surrogates, nodes, yaml; hosts, reading, headers; text, streams, openings, cut, events; blocklist,
           flowlist, frame, anchors, itemlist, patches; resourcelist and documents, the two things that items come in
           goyaml, what Go reads of the texts inside ConfigMaps: gofloat, goscalars, gofacts, goparser, godecode, golines, goquick
           client-go's JSONPath: gojson, govalues, gounquote, jsonpathnodes, jsonpathcompare, jsonpathparser, jsonpathwalk, jsonpath
writing    emit; valuestext; source, tree, branches, layout, flow, tangle, render, roundtrip; splice, the editor of one item's text
layered    objects, allowance, layers; embedded, a text in an object; credentials, lookup, layertext
running    model, modelcheck, config, results; clashes; diff, apply, generated; undohash, undo, undoing, recorded; run; function, registry; writer; progress
"""

from krm_values._kit.function import Function
from krm_values._kit.plan import Finding, Origin, drop, mark, move, new, note, put

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]
