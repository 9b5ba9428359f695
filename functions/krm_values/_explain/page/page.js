'use strict';
// Everything that comes out of a package is put in by textContent, title or value: none of it is ever parsed as HTML.
(() => {
const started = performance.now();
const byId = id => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);
const {strings} = data;
const compares = data.kind === 'compare';
const HIDDEN = -1, ABSENT = -2;
const SAME = 0, CHANGED = 1, ADDED = 2, REMOVED = 3, WINNER = 4;
const ROW = 26, NARROW_ROW = 46, HEAD = 60, SPARE = 9, PAPER_ROWS = 4000, PAPER_LAYERS = 6, FEW = 12, FEW_LANES = 14, MOST = 200;

// ---- Data: rows of numbers become objects; strings stay numbers until they are shown

const steps = data.steps.map(([name, pack, field]) => ({name: strings[name], title: [strings[pack], strings[field]].filter(Boolean).join(' ')}));
const layers = data.layers.map(([name, rank, step, holder, file]) => ({name, rank, step, holder, file}));
const ways = data.ways.map(([layer, text, line, place, written, via, losers, rule]) => (
  {layer, text, line, place, written: !!written, via, losers: losers || [], rule: rule === undefined ? -1 : rule}));
const resources = data.resources.map(([title, file, source, field, passes, columns], number) => (
  {number, title: strings[title], titleAt: title, file: strings[file], source: strings[source], field: strings[field], passes: !!passes, columns, values: [], id: ''}));
const values = data.values.map(([resource, path, named, after, before, kind, way, old, cause], number) => (
  {number, resource: resources[resource], path, named, after, before, kind, way, old: old === undefined ? -1 : old, cause: cause === undefined ? -1 : cause, sources: null}));
for (const value of values) value.resource.values.push(value);
const ordered = [...resources].sort((a, b) => a.passes - b.passes || a.number - b.number);

function shown(text) {
  return text === HIDDEN ? '<hidden>' : text === ABSENT ? '' : strings[text];
}
function kindOf(resource) {
  const at = resource.title.indexOf(' ');
  return at < 0 ? [resource.title, ''] : [resource.title.slice(0, at), resource.title.slice(at + 1)];
}
function place(way) {
  const layer = layers[way.layer], file = strings[layer.file];
  if (way.line) return file + ':' + way.line;
  if (way.place !== ABSENT) return (strings[layer.holder] + ' ' + strings[way.place]).trim();
  return file || strings[layer.holder] || 'not in a file';
}
// Where a way begins, with those of what it overrode at each step: [way, whether it is part of the winner].
function* ends(number, wins = true) {
  const way = ways[number];
  if (way.written || !way.via.length) yield [way, wins];
  for (const below of way.via) yield* ends(below, wins);
  for (const below of way.losers) yield* ends(below, false);
}
// Layers as the side lists them: what a file, or an object without one, sets under one name.
const groups = [], groupOf = new Array(layers.length);
{
  const known = new Map();
  layers.forEach((layer, number) => {
    const key = strings[layer.name] + '|' + (strings[layer.file] || strings[layer.holder]);
    if (!known.has(key)) {
      known.set(key, groups.length);
      groups.push({key, name: strings[layer.name], label: strings[layer.file] || strings[layer.holder] || 'not in a file', won: 0, set: 0});
    }
    groupOf[number] = known.get(key);
  });
}
function sourcesOf(value) {
  if (!value.sources) {
    value.sources = [];
    for (const number of [value.way, value.old]) if (number >= 0) value.sources.push(...ends(number));
  }
  return value.sources;
}
for (const value of values) {
  const seen = new Map();
  for (const [way, wins] of sourcesOf(value)) seen.set(groupOf[way.layer], wins || seen.get(groupOf[way.layer]) || false);
  if (!value.resource.passes) for (const [group, wins] of seen) { groups[group].set++; if (wins) groups[group].won++; }
}
const isContested = value => sourcesOf(value).some(([, wins]) => !wins);
const KINDS = compares ? [
  ['all', 'All', () => true],
  ['changed', 'Changed', value => value.kind === CHANGED],
  ['winner', 'Other layer', value => value.kind === WINNER],
  ['added', 'Added', value => value.kind === ADDED],
  ['removed', 'Removed', value => value.kind === REMOVED],
  ['contested', 'Contested', isContested],
  ['hidden', 'Hidden', value => value.after === HIDDEN || value.before === HIDDEN],
] : [
  ['all', 'All', () => true],
  ['contested', 'Contested', isContested],
  ['changed', 'Changed', value => value.kind === CHANGED || value.kind === REMOVED],
  ['new', 'New', value => value.kind === ADDED],
  ['hidden', 'Hidden', value => value.after === HIDDEN],
];

// ---- Links: #Kind/namespace/name/path?q=&show=&resource=&layer=

let targets = null;
function idOf(value) {
  return value.resource.id + '/' + strings[value.path];
}
function numbered(taken, id) {
  let found = id;
  for (let count = 2; taken.has(found); count++) found = id + '~' + count;
  return found;
}
{
  const taken = new Set();
  for (const resource of resources) taken.add(resource.id = numbered(taken, kindOf(resource).filter(Boolean).join('/')));
}
// Values by their link, and by that with the names of list elements. Two of one path are told apart by a number.
function targetsOf() {
  if (targets) return targets;
  targets = new Map();
  for (const value of values) targets.set(value.link = numbered(targets, idOf(value)), value);
  for (const value of values) {
    const named = value.resource.id + '/' + strings[value.named];
    if (!targets.has(named)) targets.set(named, value);
  }
  return targets;
}
function linkTo(value) {
  targetsOf();
  return value.link.split('/').map(part => encodeURIComponent(part).replace(/%5B/g, '[').replace(/%5D/g, ']')).join('/');
}

// ---- State

const state = {query: '', show: 'all', resource: null, group: null, selected: null};
const narrow = matchMedia('screen and (max-width: 760px)');
let rows = [], tops = [], height = 0, places = new Map(), onPaper = false;
const rowHeight = () => narrow.matches && !onPaper ? NARROW_ROW : ROW;

function readLink() {
  const text = location.hash.slice(1), at = text.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : text.slice(at + 1));
  let wanted = '';
  try { wanted = decodeURIComponent(at < 0 ? text : text.slice(0, at)); } catch { wanted = ''; }
  state.query = (query.get('q') || '').slice(0, 1000);
  state.show = KINDS.some(([name]) => name === query.get('show')) ? query.get('show') : 'all';
  state.resource = resources.find(one => one.id === query.get('resource')) || null;
  state.group = groups.find(one => one.key === query.get('layer')) || null;
  state.selected = wanted ? targetsOf().get(wanted) || null : null;
  if (wanted && !state.selected && !state.resource) state.resource = resources.find(one => one.id === wanted) || null;
  return !!wanted;
}
function writeLink() {
  const query = new URLSearchParams();
  if (state.query) query.set('q', state.query);
  if (state.show !== 'all') query.set('show', state.show);
  if (state.resource) query.set('resource', state.resource.id);
  if (state.group) query.set('layer', state.group.key);
  const behind = query.toString();
  history.replaceState(null, '', '#' + (state.selected ? linkTo(state.selected) : '') + (behind ? '?' + behind : ''));
}

// ---- Search: each word is looked up once in the table of strings, then values are asked for the strings that they have

let lowered = null, owned = null;
function stringsOf(value) {
  const found = [value.resource.titleAt, value.path, value.named, value.after, value.before];
  for (const [way] of sourcesOf(value)) {
    const layer = layers[way.layer];
    found.push(way.text, way.place, layer.name, layer.file, layer.holder);
  }
  return found;
}
function index() {
  if (lowered) return;
  lowered = strings.map(text => text.toLowerCase());
  const flat = [], starts = [0];
  for (const value of values) {
    for (const number of stringsOf(value)) if (number >= 0) flat.push(number);
    starts.push(flat.length);
  }
  owned = {flat: Int32Array.from(flat), starts: Int32Array.from(starts)};
}
function matcher(word) {
  const has = new Uint8Array(strings.length);
  lowered.forEach((text, number) => { if (text.includes(word)) has[number] = 1; });
  const {flat, starts} = owned;
  const line = /^(.+):(\d+)$/.exec(word);
  return value => {
    for (let at = starts[value.number]; at < starts[value.number + 1]; at++) if (has[flat[at]]) return true;
    return !!line && sourcesOf(value).some(([way]) => way.line === +line[2] && lowered[layers[way.layer].file].endsWith(line[1]));
  };
}
function tests() {
  const found = [];
  const [, , fits] = KINDS.find(([name]) => name === state.show);
  if (state.show !== 'all') found.push(fits);
  if (state.group) {
    const wanted = groups.indexOf(state.group);
    found.push(value => sourcesOf(value).some(([way]) => groupOf[way.layer] === wanted));
  }
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) index();
  for (const word of words) found.push(matcher(word));
  return found;
}
function filter() {
  const wanted = tests();
  rows = []; tops = []; places = new Map(); height = 0;
  const step = rowHeight();
  for (const resource of ordered) {
    if (state.resource && state.resource !== resource) continue;
    let isFirst = true;
    for (const value of resource.values) {
      if (!wanted.every(test => test(value))) continue;
      if (isFirst) { rows.push(resource); tops.push(height); height += HEAD; isFirst = false; }
      places.set(value, rows.length);
      rows.push(value); tops.push(height); height += step;
    }
  }
  byId('rows').style.height = height + 'px';
  byId('grid').setAttribute('aria-rowcount', rows.length);
  const none = byId('none'), isEmpty = !rows.length;
  none.hidden = !isEmpty;
  byId('grid').hidden = isEmpty;
  if (isEmpty) none.firstElementChild.textContent = values.length ? 'No value matches.' : compares ? 'No value differs.' : 'No function decides a value here.';
  none.lastElementChild.hidden = !values.length;
  paint(true);
}

// ---- Elements

function element(tag, name = '', text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}
function button(name, text, act) {
  const made = element('button', name, text);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}
function drawn(tag, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
const count = number => number.toLocaleString('en');
const plural = (number, word) => count(number) + ' ' + word + (number === 1 ? '' : 's');

// ---- The matrix

const FIXED = compares ? ['before', 'after', 'because'] : ['value'];
// The keys' column is the same in all sections, so that values are below each other.
const keyWidth = (() => {
  let key = 0, name = 0;
  for (const value of values) key = Math.max(key, strings[value.named].length);
  for (const resource of resources) name = Math.max(name, kindOf(resource)[1].length);
  return Math.round(Math.min(380, Math.max(170, 36 + 8 * name, 44 + 7.3 * key)));
})();
function columnsOf(resource) {
  const size = resource.columns.length;
  if (onPaper) return size > PAPER_LAYERS ? `2.4fr repeat(${FIXED.length}, 1.6fr) 4fr` : `2.2fr repeat(${FIXED.length}, 1.6fr) repeat(${size}, minmax(0, 1.2fr))`;
  const fixed = compares ? 'minmax(90px, 150px) minmax(90px, 150px) minmax(180px, 280px)' : '190px';
  return `${keyWidth}px ${fixed} ${size ? `repeat(${size}, minmax(128px, 190px))` : ''}`;
}
function section(resource, number) {
  const row = element('div', 'row section'), [kind, name] = kindOf(resource);
  row.setAttribute('role', 'row');
  if (number !== undefined) row.setAttribute('aria-rowindex', number + 1);
  row.style.gridTemplateColumns = columnsOf(resource);
  if (onPaper && resource.columns.length > PAPER_LAYERS) row.classList.add('paper-notes');
  const title = element('div');
  title.setAttribute('role', 'columnheader');
  title.append(element('b', '', name || kind), element('small', '', [name ? kind : '', resource.source ? 'for ' + resource.source : resource.file].filter(Boolean).join(' · ')));
  title.title = [resource.title, resource.file, resource.field].filter(Boolean).join('\n');
  row.append(title);
  FIXED.forEach((word, at) => {
    const cell = element('div', 'word');
    cell.setAttribute('role', 'columnheader');
    const beside = compares ? (at < 2 ? data.sides[at] : 'what made the difference') : resource.passes ? 'what the next step reads' : 'what is applied';
    cell.append(element('b', '', word), element('small', '', beside));
    row.append(cell);
  });
  resource.columns.forEach((layer, at) => row.append(header(resource, layers[layer], layer, at)));
  return row;
}
function header(resource, layer, number, at) {
  const cell = element('div', 'layer' + (state.group && groups[groupOf[number]] === state.group ? ' on' : ''));
  cell.setAttribute('role', 'columnheader');
  const isStrongest = at > 0 && at === resource.columns.length - 1;
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
function valueCells(value) {
  if (compares) {
    const before = shownCell('before', value.before), after = shownCell('shown', value.after);
    if (value.kind === REMOVED) { before.classList.add('gone'); after.textContent = 'removed'; after.classList.add('hidden'); }
    if (value.kind === ADDED) before.textContent = '';
    if (value.kind === CHANGED && narrow.matches && !onPaper) after.prepend(element('span', 'before', shown(value.before) + ' → '));
    const why = element('div', 'why', value.cause >= 0 ? strings[value.cause] : '');
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
  return value.resource.columns.map(layer => {
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
  const cell = element('div', `cell ${name}${one.way.text === HIDDEN ? ' hidden' : ''}`, shown(one.way.text));
  if (then && now && then.way.text !== now.way.text) {
    cell.textContent = '';
    cell.append(element('span', 'before', shown(then.way.text) + ' → '), shown(now.way.text));
  }
  const words = now ? [now.won ? 'wins' : 'overridden', then && then.won !== now.won ? (then.won ? 'won before' : 'overridden before') : ''] : ['before: ' + (then.won ? 'won' : 'overridden') + '; no longer set'];
  cell.title = [cell.textContent, place(one.way), words.filter(Boolean).join(', ')].join('\n');
  return cell;
}
function noteOf(value) {
  if (value.way < 0) return value.kind === REMOVED ? 'removed' : '';
  const way = ways[value.way], first = lanesOf(value.way)[0].way, others = way.losers.map(number => strings[layers[ways[number].layer].name]);
  const overrides = !others.length ? '' : onPaper ? '  ·  overrides ' + way.losers.map(number => strings[layers[ways[number].layer].name] + ' ' + shown(ways[number].text)).join(', ') : '  ·  overrides ' + others.length;
  const cause = compares && value.cause >= 0 && !onPaper ? strings[value.cause] : '';
  return cause || strings[layers[way.layer].name] + '  ·  ' + place(first) + overrides;
}
function rowOf(value, number) {
  const row = element('div', 'row value'), before = rows[number - 1];
  row.id = 'row-' + value.number;
  row.setAttribute('role', 'row');
  row.setAttribute('aria-rowindex', number + 1);
  row.setAttribute('aria-selected', state.selected === value);
  row.dataset.number = value.number;
  row.style.gridTemplateColumns = columnsOf(value.resource);
  const stem = one => strings[one.named].split(/[.[]/, 1)[0];
  if (before && before.resource && stem(before) !== stem(value)) row.classList.add('first');
  if (onPaper && value.resource.columns.length > PAPER_LAYERS) row.classList.add('paper-notes');
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
  const made = new Map();
  let widest = 0;
  for (let number = from; number < to; number++) {
    const one = rows[number];
    let row = isNew ? null : painted.made.get(number);
    if (!row) {
      row = one.resource ? rowOf(one, number) : section(one, number);
      row.style.top = tops[number] + 'px';
    }
    made.set(number, row);
    widest = Math.max(widest, (one.resource || one).columns.length);
  }
  box.replaceChildren(...made.values());
  if (onPaper && to < rows.length) box.append(element('p', '', `${count(rows.length - to)} more rows are not printed: filter for them.`));
  Object.assign(painted, {from, to, made});
  box.style.minWidth = narrow.matches || onPaper ? '' : keyWidth + (compares ? 360 : 190) + widest * 128 + 'px';
  mark();
}
function mark() {
  const grid = byId('grid');
  for (const [number, row] of painted.made) if (rows[number].resource) row.setAttribute('aria-selected', rows[number] === state.selected);
  if (state.selected && painted.made.has(places.get(state.selected))) grid.setAttribute('aria-activedescendant', 'row-' + state.selected.number);
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

// ---- The way of a value: a lane for each place where somebody wrote something, a column for each step

// Lanes of a way, the winner's first: {way, points: [{step, layer}], stop: {step, part}, into}. A lane ends where another overrides it
// (stop.part is false), or where it becomes a part of another.
function lanesOf(number) {
  const way = ways[number], step = layers[way.layer].step, found = [];
  way.via.forEach((below, at) => {
    const lanes = lanesOf(below);
    if (at) Object.assign(lanes[0], {stop: {step, part: true}, into: found[0]});
    found.push(...lanes);
  });
  if (!found.length) found.push({way, points: [], stop: null, into: null});
  else if (way.written) found.push({way, points: [{step, layer: way.layer}], stop: {step, part: true}, into: found[0]});
  const {points} = found[0];
  if (!points.length || points[points.length - 1].step !== step) points.push({step, layer: way.layer});
  for (const loser of way.losers) {
    const lanes = lanesOf(loser);
    Object.assign(lanes[0], {stop: {step, part: false}, into: found[0]});
    found.push(...lanes);
  }
  return found;
}
function rulesOf(number, found = new Map()) {
  const way = ways[number];
  for (const below of way.via) rulesOf(below, found);
  if (way.rule >= 0 && strings[way.rule]) found.set(layers[way.layer].step, strings[way.rule]);
  return found;
}
const stepName = step => step < 0 ? 'as written' : steps[step].name;
function picture(value, number, title, all) {
  const box = element('div', 'picture'), every = lanesOf(number), lanes = all ? every : every.slice(0, FEW_LANES);
  if (title) box.append(element('h3', '', title));
  const used = [...new Set(lanes.flatMap(lane => lane.points.map(point => point.step)))].sort((a, b) => a - b);
  const small = narrow.matches && !onPaper, table = element('div', 'lanes');
  const size = small ? 44 : onPaper ? 20 : 25, wide = small ? 26 : Math.max(onPaper ? 110 : 130, ...used.map(step => 46 + (onPaper ? 5.6 : 6.6) * stepName(step).length));
  const x = step => (small ? 12 : wide * .9) + used.indexOf(step) * wide, y = at => (small ? 11 : size * 1.5) + at * size;
  const width = x(used[used.length - 1]) + (small ? 16 : 40);
  const end = small || compares || used.length > 3 ? '' : value.resource.title;
  const svg = drawn('svg', {width: width + (end ? 20 + 6.8 * end.length : 0), height: y(lanes.length - 1) + size / 2, role: 'img', 'aria-label': described(lanes, used)});
  if (!small) for (const word of ['origin', 'layer', 'value']) table.append(element('div', 'title', word));
  table.append(svg);
  svg.style.gridRow = `1 / span ${(lanes.length + (small ? 0 : 1)) * (small ? 2 : 1)}`;
  if (!small) used.forEach(step => svg.append(drawn('text', {x: x(step), y: size / 2 + 3, 'text-anchor': 'middle', class: 'step'}, (step < 0 ? '' : step + 1 + ' ') + stepName(step))));
  lanes.forEach((lane, at) => { if (lane.into && lanes.includes(lane.into)) svg.append(drawn('line', {x1: x(lane.stop.step), x2: x(lane.stop.step), y1: y(lanes.indexOf(lane.into)), y2: y(at), class: 'lane'})); });
  lanes.forEach((lane, at) => drawLane(svg, lane, at === 0, {x, y: y(at), wide, width, small, end}));
  lanes.forEach((lane, at) => table.append(...labels(lane, at === 0, small)));
  box.append(table);
  if (every.length > lanes.length) box.append(button('', `Show all ${every.length} origins`, () => box.replaceWith(picture(value, number, title, true))));
  const rules = element('ol', 'rules');
  for (const [step, text] of [...rulesOf(number)].sort((a, b) => a[0] - b[0])) {
    const item = element('li');
    item.append(element('b', '', (step < 0 ? '' : step + 1 + ' ') + stepName(step)), text);
    rules.append(item);
  }
  box.append(rules);
  return box;
}
function described(lanes, used) {
  const lost = lanes.filter(lane => lane.stop && !lane.stop.part).length;
  return `${shown(lanes[0].way.text)} from ${place(lanes[0].way)} through ${used.map(stepName).join(', ')}; overrides ${lost}`;
}
function drawLane(svg, lane, isMain, {x, y, wide, width, small, end}) {
  const {points, stop} = lane, from = x(points[0].step), start = Math.max(0, from - wide * .9);
  const last = stop ? x(stop.step) : isMain ? width - 9 : x(points[points.length - 1].step);
  if (start > 0) svg.append(drawn('line', {x1: 0, x2: start, y1: y, y2: y, class: 'leader'}));
  svg.append(drawn('line', {x1: start, x2: last, y1: y, y2: y, class: isMain ? 'lane main' : 'lane'}));
  points.forEach((point, at) => {
    if (at && !small) svg.append(drawn('text', {x: x(point.step) - 9, y: y - 5, 'text-anchor': 'end', class: 'enters'}, short(strings[layers[point.layer].name])));
    if (stop && stop.step === point.step) return;
    svg.append(drawn('circle', {cx: x(point.step), cy: y, r: isMain ? 4.5 : 4, class: isMain ? 'dot' : 'ring'}));
  });
  if (stop && stop.part) svg.append(drawn('circle', {cx: last, cy: y, r: 3.5, class: 'part'}));
  else if (stop) for (const side of [1, -1]) svg.append(drawn('line', {x1: last - 4, x2: last + 4, y1: y - 4 * side, y2: y + 4 * side, class: 'cross'}));
  if (!isMain) return;
  svg.append(drawn('path', {d: `M${width - 10} ${y - 5}l9 5l-9 5z`, class: 'dot'}));
  if (end) svg.append(drawn('text', {x: width + 7, y: y + 3.5, class: 'end'}, end));
}
const short = text => text.length > 18 ? text.slice(0, 17) + '…' : text;
function labels(lane, isMain, small) {
  const {way} = lane, file = place(way), layer = strings[layers[way.layer].name];
  const isPart = lane.stop && lane.stop.part;
  const text = element('div', `text${isMain ? ' win' : isPart ? '' : ' lost'}${way.text === HIDDEN ? ' hidden' : ''}`, shown(way.text));
  text.title = text.textContent;
  const by = element('div', 'by', small ? file + '  ' + layer : layer), at = element('div', 'file', file);
  by.title = [layer, strings[layers[way.layer].rank]].filter(Boolean).join('\n');
  at.title = [file, strings[layers[way.layer].holder]].filter(Boolean).join('\n');
  return small ? [text, by] : [at, by, text];
}
function showWay() {
  const box = byId('way'), value = state.selected;
  box.hidden = !value;
  if (!value) return;
  const name = byId('name');
  name.replaceChildren(strings[value.named] + ' = ', element('span', '', value.after === ABSENT ? 'removed' : shown(value.after)));
  const about = [value.resource.title + (value.resource.field ? ' ' + value.resource.field : '')];
  if (value.resource.source) about.push('for ' + value.resource.source);
  if (strings[value.path] !== strings[value.named]) about.push(strings[value.path]);
  if (value.kind === CHANGED) about.push(value.before === HIDDEN ? 'changed' : compares ? 'was ' + shown(value.before) : shown(value.before) + ' in the files now');
  if (value.kind === ADDED) about.push(compares ? 'added' : 'not in the files yet');
  if (value.kind === WINNER) about.push('the same value from another layer');
  if (value.cause >= 0 && strings[value.cause]) about.push('because ' + strings[value.cause]);
  if (value.after === HIDDEN) about.push('out of a Secret, hidden');
  byId('about').textContent = about.join('  ·  ');
  const pictures = byId('pictures');
  pictures.replaceChildren();
  if (value.old >= 0) pictures.append(picture(value, value.old, 'Before: ' + data.sides[0], onPaper));
  if (value.way >= 0) pictures.append(picture(value, value.way, compares ? 'After: ' + data.sides[1] : '', onPaper));
  if (value.way < 0 && value.old < 0) pictures.append(element('p', '', 'No layer is known for it.'));
}

// ---- The side: a tree of resources, and layers

function entry(title, beside, below, hint, act) {
  const made = button('', undefined, act), item = element('li');
  made.append(element('b', '', title), element('i', '', beside));
  if (below) made.append(element('small', '', below));
  made.title = hint;
  item.append(made);
  return [item, made];
}
const pressed = [];
function addHead(nav, title, beside) {
  const head = element('h2', '', title);
  head.append(element('span', '', beside));
  nav.append(head);
}
// Items of a list, the first ones at once and the others when somebody asks.
function addList(nav, items, few, word) {
  const list = element('ul');
  list.append(...items.slice(0, few).map(make => make()));
  nav.append(list);
  if (items.length <= few) return;
  const more = button('more', `Show all ${count(items.length)} ${word}`, () => {
    list.append(...items.slice(few).map(make => make()));
    more.remove();
    showState();
  });
  nav.append(more);
}
function resourceItem(resource, withFile = true) {
  const [kind, named] = kindOf(resource), cut = named.lastIndexOf('/');
  const name = named.slice(cut + 1), below = [name ? kind : '', named.slice(0, Math.max(0, cut)), withFile ? resource.file : ''];
  const [item, made] = entry(name || kind, count(resource.values.length), below.filter(Boolean).join(' · '), [resource.title, resource.file].filter(Boolean).join('\n'), () => change({resource: state.resource === resource ? null : resource}));
  pressed.push([made, () => state.resource === resource]);
  return item;
}
// Resources below what they are made for.
function branch(source, made) {
  const item = element('li', 'made'), list = element('ul');
  const head = element('span', '', source);
  head.title = source;
  list.append(...made.map(resource => resourceItem(resource, false)));
  item.append(head, list);
  return item;
}
function addResources(nav, title, chosen) {
  if (!chosen.length) return;
  addHead(nav, title, 'values');
  const bySource = new Map();
  for (const resource of chosen) {
    const key = resource.source || '\0' + resource.number;
    bySource.set(key, [...bySource.get(key) || [], resource]);
  }
  addList(nav, [...bySource.values()].map(made => () => made[0].source ? branch(made[0].source, made) : resourceItem(made[0])), MOST, 'resources');
}
function layerItem(group) {
  const [item, made] = entry(group.label, `${count(group.won)} / ${count(group.set)}`, group.name, group.label + '\n' + group.name, () => change({group: state.group === group ? null : group}));
  pressed.push([made, () => state.group === group]);
  return item;
}
function side() {
  const nav = byId('side'), pick = byId('pick');
  addResources(nav, compares ? 'Resources' : 'Results', ordered.filter(one => compares || !one.passes));
  if (!compares) addResources(nav, 'On the way', ordered.filter(one => one.passes));
  const having = groups.filter(group => group.set).sort((a, b) => b.won - a.won || b.set - a.set);
  if (having.length) {
    addHead(nav, 'Layers', compares ? 'won of named' : 'won of set');
    addList(nav, having.map(group => () => layerItem(group)), FEW, 'layers');
  }
  pick.append(new Option('All resources', ''), ...ordered.map(one => new Option(one.title, one.number)));
  pick.addEventListener('change', () => change({resource: pick.value === '' ? null : resources[+pick.value]}));
}
function showState() {
  byId('search').value = state.query;
  byId('pick').value = state.resource ? state.resource.number : '';
  for (const made of byId('kinds').children) made.setAttribute('aria-pressed', made.dataset.show === state.show);
  for (const [made, is] of pressed) made.setAttribute('aria-pressed', is());
  const chosen = byId('chosen'), chips = [];
  if (state.resource) chips.push(button('', state.resource.title, () => change({resource: null})));
  if (state.group) chips.push(button('', `${state.group.name} ${state.group.label}`, () => change({group: null})));
  for (const chip of chips) chip.setAttribute('aria-label', 'Do not filter by ' + chip.textContent);
  chosen.replaceChildren(...chips);
  chosen.hidden = !chips.length;
}

// ---- What somebody does

function change(changes) {
  Object.assign(state, changes);
  showState();
  filter();
  writeLink();
}
function clear() {
  change({query: '', show: 'all', resource: null, group: null});
}
function select(value, see = true) {
  state.selected = value;
  showWay();
  if (see) reveal(value);
  paint(false);
  mark();
  writeLink();
}
function reveal(value) {
  const at = places.get(value);
  if (at === undefined) return;
  const grid = byId('grid'), top = tops[at], size = grid.clientHeight;
  if (top < grid.scrollTop + HEAD) grid.scrollTop = top - HEAD;
  else if (top + rowHeight() > grid.scrollTop + size) grid.scrollTop = top + rowHeight() - size + 8;
}
function move(by) {
  let at = places.has(state.selected) ? places.get(state.selected) : by > 0 ? -1 : rows.length;
  let found = -1;
  for (const way = Math.sign(by); by; ) {
    at += way;
    if (at < 0 || at >= rows.length) break;
    if (rows[at].resource) { found = at; by -= way; }
  }
  if (found >= 0) select(rows[found]);
}
function jump(by) {
  let at = places.has(state.selected) ? places.get(state.selected) : 0;
  if (by < 0) while (at > 0 && rows[at].resource) at--;
  do at += by; while (rows[at] && rows[at].resource);
  if (rows[at]) select(rows[at + 1]);
}
function toggle(show) {
  if (KINDS.some(([name]) => name === show)) change({show: state.show === show ? 'all' : show});
}
function copy() {
  writeLink();
  const done = text => { byId('copy').textContent = text; setTimeout(() => { byId('copy').textContent = 'Copy link'; }, 1500); };
  if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(() => done('Copied'), () => done('See the address'));
  else done('See the address');
}
function escape() {
  if (state.query || state.show !== 'all' || state.resource || state.group) clear();
  else select(null);
}
const KEYS = new Map([
  ['/', [() => { byId('search').focus(); byId('search').select(); }, 'search; Enter or ↓ moves to the rows']],
  ['ArrowDown', [() => move(1)]], ['j', [() => move(1), 'next value', 'j ↓']],
  ['ArrowUp', [() => move(-1)]], ['k', [() => move(-1), 'previous value', 'k ↑']],
  ['PageDown', [() => move(15)]], ['PageUp', [() => move(-15), '15 values down, up', 'PageDown PageUp']],
  ['Home', [() => { const first = rows.find(one => one.resource); if (first) select(first); }]],
  ['End', [() => { if (rows.length) select(rows[rows.length - 1]); }, 'first, last value', 'Home End']],
  [']', [() => jump(1)]], ['[', [() => jump(-1), 'next, previous resource', '] [']],
  ['a', [() => change({show: 'all'}), 'all values']],
  ['c', [() => toggle('contested'), 'contested: more than one layer sets it']],
  ['d', [() => toggle('changed'), compares ? 'changed values' : 'other than in the files now']],
  ['h', [() => toggle('hidden'), 'hidden: out of a Secret']],
  ['y', [copy, 'copy the link to this value']],
  ['?', [() => byId('keys').showModal(), 'these keys']],
  ['Escape', [escape, 'clear search and filters, then close the way', 'Esc']],
]);
function pressedKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
  const {target, key} = event, search = byId('search');
  if (target === search) {
    if (key === 'Escape') { change({query: ''}); byId('grid').focus(); event.preventDefault(); }
    if (key === 'Enter' || key === 'ArrowDown') { byId('grid').focus(); move(1); event.preventDefault(); }
    return;
  }
  if (target.tagName === 'SELECT' || (target.tagName === 'BUTTON' || target.tagName === 'SUMMARY') && (key === 'Enter' || key === ' ')) return;
  const known = KEYS.get(key);
  if (known) { known[0](); event.preventDefault(); }
}
function listen() {
  const grid = byId('grid'), search = byId('search');
  let typed = 0, isScrolling = false;
  search.addEventListener('input', () => {
    cancelAnimationFrame(typed);
    typed = requestAnimationFrame(() => change({query: search.value.slice(0, 1000)}));
  });
  grid.addEventListener('scroll', () => {
    if (isScrolling) return;
    isScrolling = true;
    requestAnimationFrame(() => { isScrolling = false; paint(false); });
  });
  grid.addEventListener('click', event => {
    const row = event.target.closest('[data-number]');
    if (row) select(values[+row.dataset.number], false);
  });
  new ResizeObserver(() => paint(false)).observe(grid);
  narrow.addEventListener('change', () => { showWay(); filter(); });
  byId('copy').addEventListener('click', copy);
  byId('close').addEventListener('click', () => select(null));
  byId('help').addEventListener('click', () => byId('keys').showModal());
  byId('none').lastElementChild.addEventListener('click', clear);
  addEventListener('hashchange', () => { readLink(); showState(); filter(); select(state.selected); });
  addEventListener('keydown', pressedKey);
  addEventListener('beforeprint', () => paper(true));
  addEventListener('afterprint', () => paper(false));
  matchMedia('print').addEventListener('change', event => paper(event.matches));
}
// For print the way comes first, then all rows, not only those that would be seen.
function paper(isOn) {
  if (onPaper === isOn) return;
  onPaper = isOn;
  if (isOn) byId('side').before(byId('way'));
  else document.querySelector('main').after(byId('way'));
  showWay();
  filter();
}

// ---- Start

function heads() {
  document.title = data.title + ': ' + (compares ? 'what has changed' : 'where values come from');
  byId('title').textContent = data.title;
  const files = new Set();
  for (const value of values) for (const [way] of sourcesOf(value)) if (layers[way.layer].file !== undefined && strings[layers[way.layer].file]) files.add(layers[way.layer].file);
  const where = ` in ${plural(resources.length, 'resource')}`, from = `, out of ${plural(files.size, 'file')}, through ${plural(steps.length, 'step')}`;
  byId('summary').textContent = compares ? `${plural(values.length, 'value')}${where} differ${values.length === 1 ? 's' : ''} between ${data.sides[0]} and ${data.sides[1]}` : plural(values.length, 'value') + where + from;
  for (const [name, label, fits] of KINDS) {
    const number = values.filter(fits).length;
    if (name !== 'all' && !number || name === 'new' && number === values.length) continue;
    const made = button('', `${label} ${count(number)}`, () => change({show: name}));
    made.dataset.show = name;
    byId('kinds').append(made);
  }
  const list = byId('findings'), found = data.findings;
  list.hidden = !found.length;
  list.firstElementChild.textContent = plural(found.length, 'finding') + ' of the run';
  list.lastElementChild.append(...found.slice(0, MOST).map(([severity, message]) => {
    const item = element('li');
    item.append(element('span', severity === 'error' ? 'error' : 'warning', severity), ': ' + message);
    return item;
  }));
  const keys = document.querySelector('#keys dl');
  for (const [key, [, text, label]] of KEYS) if (text) keys.append(element('dt', '', label || key), element('dd', '', text));
}
// The result for which most layers competed, in any step; of those the one whose way has most steps. What a value is put together from
// does not compete for it.
const losersOf = value => sourcesOf(value).filter(([, wins]) => !wins).length;
function stepsOf(number, found = new Set()) {
  const way = ways[number];
  found.add(layers[way.layer].step);
  for (const below of [...way.via, ...way.losers]) stepsOf(below, found);
  return found;
}
function mostContested() {
  let best = null, most = [-1, 0];
  for (const value of values) {
    const losers = losersOf(value);
    if (value.resource.passes || losers < most[0]) continue;
    const steps = value.way < 0 ? 0 : stepsOf(value.way).size;
    if (losers > most[0] || steps > most[1]) [best, most] = [value, [losers, steps]];
  }
  return best || values[0] || null;
}
heads();
side();
const isLinked = readLink();
if (!isLinked && !location.hash) state.selected = mostContested();
showState();
showWay();
filter();
listen();
if (state.selected) requestAnimationFrame(() => { reveal(state.selected); paint(false); });
if (typeof requestIdleCallback === 'function') requestIdleCallback(index); else setTimeout(index, 300);
document.documentElement.dataset.ready = (performance.now() - started).toFixed(1);
})();
