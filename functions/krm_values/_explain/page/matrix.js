// ---- The matrix

const fixed = () => !compares ? ['value'] : state.by === 'cause' ? ['before', 'after', 'where'] : ['before', 'after', 'because'];
// The keys' column is the same in all sections, so that values are below each other.
const keyWidth = (() => {
  let key = 0, name = 0;
  for (const value of values) key = Math.max(key, strings[value.named].length);
  for (const resource of resources) name = Math.max(name, kindOf(resource)[1].length);
  return Math.round(Math.min(380, Math.max(170, 36 + 8 * name, 44 + 7.3 * key)));
})();
// The layers that are columns: none where differences of several resources are in one section.
const layersOf = section => state.by === 'cause' ? [] : section.columns;
function columnsOf(section) {
  const size = layersOf(section).length;
  if (onPaper) return size > PAPER_LAYERS ? `2.4fr repeat(${fixed().length}, 1.6fr) 4fr` : `2.2fr repeat(${fixed().length}, 1.6fr) repeat(${size}, minmax(0, 1.2fr))`;
  const widths = state.by === 'cause' ? 'minmax(90px, 220px) minmax(90px, 220px) minmax(180px, 1fr)' : compares ? 'minmax(90px, 150px) minmax(90px, 150px) minmax(180px, 280px)' : '190px';
  return `${keyWidth}px ${widths} ${size ? `repeat(${size}, minmax(128px, 190px))` : ''}`;
}
function section(resource, number) {
  const row = element('div', 'row section' + (resource.isCause ? ' cause' : '')), [kind, name] = resource.isCause ? [resource.title, ''] : kindOf(resource);
  row.setAttribute('role', 'row');
  if (number !== undefined) row.setAttribute('aria-rowindex', number + 1);
  row.style.gridTemplateColumns = columnsOf(resource);
  if (onPaper && layersOf(resource).length > PAPER_LAYERS) row.classList.add('paper-notes');
  const title = element('div');
  title.setAttribute('role', 'columnheader');
  const below = resource.isCause ? plural(resource.values.length, 'difference') : [name ? kind : '', resource.source ? 'for ' + resource.source : resource.file].filter(Boolean).join(' · ');
  title.append(element('b', '', name || kind), element('small', '', below));
  title.title = [resource.title, resource.file, resource.field].filter(Boolean).join('\n');
  row.append(title);
  fixed().forEach((word, at) => {
    const cell = element('div', 'word');
    cell.setAttribute('role', 'columnheader');
    const beside = compares ? (at < 2 ? data.sides[at] : resource.isCause ? 'the resources with this change' : 'what made the difference') : resource.passes ? 'what the next step reads' : 'what is applied';
    cell.append(element('b', '', word), element('small', '', beside));
    row.append(cell);
  });
  layersOf(resource).forEach((layer, at) => row.append(header(resource, layers[layer], layer, at)));
  return row;
}
function header(resource, layer, number, at) {
  const cell = element('div', 'layer' + (state.group && groups[groupOf[number]] === state.group ? ' on' : ''));
  cell.setAttribute('role', 'columnheader');
  const isStrongest = at > 0 && at === layersOf(resource).length - 1;
  const rank = [isStrongest ? 'strongest' : '', strings[layer.rank], strings[layer.file] || strings[layer.holder]].filter(Boolean).join(' · ');
  cell.append(element('b', '', strings[layer.name]), element('small', '', rank));
  cell.title = [strings[layer.name], strings[layer.rank], strings[layer.holder], strings[layer.file]].filter(Boolean).join('\n');
  return cell;
}
function pathOf(value, cell) {
  const text = strings[value.named], cut = Math.max(0, text.search(/[^.\]]+\]?$/));
  cell.append(element('span', 'front', text.slice(0, cut)), element('span', '', text.slice(cut)));
  cell.title = strings[value.path] === text ? text : text + '\n' + strings[value.path];
}
function shownCell(name, text) {
  const cell = element('div', name + (text === HIDDEN ? ' hidden' : ''), shown(text));
  cell.setAttribute('role', 'gridcell');
  cell.title = shown(text);
  return cell;
}
// Where a difference is, of equal ones how often.
function whereOf(value) {
  const found = [...new Set((equals.get(value) || [value]).map(one => one.resource.title))];
  return found.length > 1 ? `${plural(found.length, 'resource')}: ${found.slice(0, FEW).join(', ')}${found.length > FEW ? ', …' : ''}` : found[0];
}
const struck = text => element('s', '', text);
function valueCells(value) {
  if (compares) {
    const before = shownCell('before', value.before), after = shownCell('shown', value.after);
    if (value.kind === REMOVED) { before.replaceChildren(struck(before.textContent)); after.textContent = 'removed'; after.classList.add('hidden'); }
    if (value.kind === ADDED) before.textContent = '';
    if (value.kind === CHANGED && narrow.matches && !onPaper) after.prepend(element('span', 'before', shown(value.before) + ' → '));
    const why = element('div', 'why', state.by === 'cause' ? whereOf(value) : value.cause >= 0 ? strings[value.cause] : '');
    why.setAttribute('role', 'gridcell');
    why.title = why.textContent;
    return [before, after, why];
  }
  const cell = shownCell('shown', value.after);
  if (value.kind === CHANGED) {
    cell.textContent = '';
    if (value.before === HIDDEN) cell.append('<hidden>, ', element('span', 'before', 'changed'));
    else cell.append(element('span', 'before', shown(value.before) + ' → '), shown(value.after));
    cell.title = cell.textContent;
  }
  if (value.kind === REMOVED) { cell.textContent = 'removed'; cell.classList.add('before'); }
  return [cell];
}
// What each layer has of a value, by layer: the number of the way, and whether it won.
function say(number) {
  const found = new Map();
  if (number < 0) return found;
  for (const loser of ways[number].losers) if (!found.has(ways[loser].layer)) found.set(ways[loser].layer, {way: ways[loser], won: false});
  return found.set(ways[number].layer, {way: ways[number], won: true});
}
function layerCells(value) {
  const now = say(value.way), then = compares ? say(value.old) : null;
  return layersOf(value.resource).map(layer => {
    const cell = layerCell(now.get(layer), then && then.get(layer));
    cell.setAttribute('role', 'gridcell');
    return cell;
  });
}
function layerCell(now, then) {
  const one = now || then;
  if (!one) return element('div', 'cell unset');
  const lost = then && then.won && !(now && now.won);
  const name = now && now.won ? 'won' : lost ? 'was lost' : 'lost';
  const cell = element('div', `cell ${name}${one.way.text === HIDDEN ? ' hidden' : ''}`);
  cell.append(name === 'won' ? shown(one.way.text) : struck(shown(one.way.text)));
  if (then && now && then.way.text !== now.way.text) {
    cell.textContent = '';
    cell.append(element('span', 'before', shown(then.way.text) + ' → '), shown(now.way.text));
  }
  const words = now ? [now.won ? 'wins' : 'overridden', then && then.won !== now.won ? (then.won ? 'won before' : 'overridden before') : ''] : ['before: ' + (then.won ? 'won' : 'overridden') + '; no longer set'];
  cell.title = [cell.textContent, place(one.way), words.filter(Boolean).join(', ')].join('\n');
  return cell;
}
function noteOf(value, names = onPaper) {
  if (state.by === 'cause') return whereOf(value);
  if (value.way < 0) return value.kind === REMOVED ? 'removed' : '';
  const way = ways[value.way], first = lanesOf(value.way)[0].way, others = way.losers.map(number => strings[layers[ways[number].layer].name]);
  const overrides = !others.length ? '' : names ? '  ·  overrides ' + way.losers.map(number => strings[layers[ways[number].layer].name] + ' ' + shown(ways[number].text)).join(', ') : '  ·  overrides ' + others.length;
  const cause = compares && value.cause >= 0 && !onPaper ? strings[value.cause] : '';
  return cause || strings[layers[way.layer].name] + '  ·  ' + place(first) + overrides;
}
function rowOf(value, number) {
  const row = element('div', 'row value'), before = rows[number - 1];
  row.id = 'row-' + value.number;
  row.setAttribute('role', 'row');
  row.setAttribute('aria-rowindex', number + 1);
  row.setAttribute('aria-selected', places.get(state.selected) === number);
  row.dataset.number = value.number;
  row.style.gridTemplateColumns = columnsOf(value.resource);
  const stem = one => strings[one.named].split(/[.[]/, 1)[0];
  if (before && before.resource && stem(before) !== stem(value)) row.classList.add('first');
  if (onPaper && layersOf(value.resource).length > PAPER_LAYERS) row.classList.add('paper-notes');
  const key = element('div', 'key');
  key.setAttribute('role', 'rowheader');
  pathOf(value, key);
  row.append(key, ...valueCells(value), ...layerCells(value));
  if (narrow.matches || onPaper) {
    const note = element('div', 'note', noteOf(value));
    note.setAttribute('role', 'gridcell');
    row.append(note);
  }
  return row;
}

// A long print: a block of lines for each section, in which what is overridden is only counted.
function folded(to) {
  const made = [];
  let block = null;
  for (const one of rows.slice(0, to)) {
    if (!one.resource) {
      block = element('div', 'fold');
      made.push(element('h2', 'fold', [one.title, one.source ? 'for ' + one.source : one.file].filter(Boolean).join(' · ')), block);
      continue;
    }
    const after = one.after === ABSENT ? 'removed' : shown(one.after);
    const value = element('b', '', compares || one.kind === CHANGED ? `${shown(one.before)} → ${after}` : after);
    block.append(strings[one.named] + ' = ', value, '  ' + noteOf(one, false) + '\n');
  }
  return made;
}

// ---- Virtual rows: what is near the visible part is in the document, the rest is height

const painted = {from: 0, to: 0, made: new Map()};
function paint(isNew) {
  const grid = byId('grid'), box = byId('rows'), top = grid.scrollTop, size = grid.clientHeight || innerHeight;
  let from = 0, to = rows.length;
  if (!onPaper) {
    let low = 0, high = rows.length;
    while (low < high) { const middle = low + high >> 1; if (tops[middle] <= top) low = middle + 1; else high = middle; }
    from = Math.max(0, low - SPARE);
    for (to = from; to < rows.length && tops[to] < top + size + SPARE * ROW; to++);
  } else to = Math.min(to, PAPER_ROWS);
  if (isNew || from !== painted.from || to !== painted.to) put(box, from, to, isNew);
  stick(top);
}
function put(box, from, to, isNew) {
  const made = new Map(), folds = onPaper && to > PAPER_FOLDS;
  let widest = 0;
  if (!folds) for (let number = from; number < to; number++) {
    const one = rows[number];
    let row = isNew ? null : painted.made.get(number);
    if (!row) {
      row = one.resource ? rowOf(one, number) : section(one, number);
      row.style.top = tops[number] + 'px';
    }
    made.set(number, row);
    widest = Math.max(widest, layersOf(one.resource || one).length);
  }
  box.replaceChildren(...folds ? folded(to) : made.values());
  if (onPaper && to < rows.length) box.append(element('p', '', `${count(rows.length - to)} more rows are not printed: filter for them.`));
  Object.assign(painted, {from, to, made});
  box.style.minWidth = narrow.matches || onPaper ? '' : keyWidth + (compares ? 360 : 190) + widest * 128 + 'px';
  mark();
}
function mark() {
  const grid = byId('grid');
  const at = state.selected ? places.get(state.selected) : undefined;
  for (const [number, row] of painted.made) if (rows[number].resource) row.setAttribute('aria-selected', number === at);
  if (painted.made.has(at)) grid.setAttribute('aria-activedescendant', painted.made.get(at).id);
  else grid.removeAttribute('aria-activedescendant');
}
let stuck = null;
function stick(top) {
  const head = byId('head');
  let number = painted.from;
  while (number + 1 < rows.length && tops[number + 1] <= top) number++;
  while (number >= 0 && rows[number] && rows[number].resource) number--;
  const resource = rows[number];
  if (!resource || onPaper) { head.replaceChildren(); stuck = null; return; }
  const key = resource.number + '|' + (state.group ? state.group.key : '') + narrow.matches;
  if (stuck !== key) { head.replaceChildren(section(resource)); stuck = key; }
  let next = number + 1;
  while (next < Math.min(rows.length, painted.to) && rows[next].resource) next++;
  const push = next < rows.length && !rows[next].resource ? Math.min(0, tops[next] - top - HEAD) : 0;
  head.firstElementChild.style.transform = `translateY(${push}px)`;
  head.style.minWidth = byId('rows').style.minWidth;
}
