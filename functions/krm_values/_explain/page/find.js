// ---- State

const GROUPINGS = ['cause', 'resource'];
const state = {query: '', show: 'all', resource: null, group: null, cause: null, by: causes.length ? 'cause' : 'resource', selected: null, dead: []};
const narrow = matchMedia('screen and (max-width: 760px)');
let rows = [], tops = [], height = 0, places = new Map(), equals = new Map(), hits = 0, onPaper = false;
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
  state.cause = causes.find(one => one.title === query.get('cause')) || null;
  state.by = causes.length && query.get('by') !== 'resource' ? 'cause' : 'resource';
  state.selected = wanted ? targetsOf().get(wanted) || null : null;
  if (wanted && !state.selected && !state.resource) state.resource = resources.find(one => one.id === wanted) || null;
  const lost = [
    [wanted && !state.selected && !(state.resource && state.resource.id === wanted), 'value', wanted],
    [query.get('resource') && !state.resource, 'resource', query.get('resource')],
    [query.get('layer') && !state.group, 'layer', query.get('layer')],
    [query.get('cause') && !state.cause, 'cause', query.get('cause')],
    [query.get('show') && state.show !== query.get('show'), 'filter', query.get('show')],
  ];
  state.dead = lost.filter(([isLost]) => isLost).map(([, kind, name]) => ({kind, name}));
  return !!wanted;
}
function writeLink() {
  const query = new URLSearchParams();
  if (state.query) query.set('q', state.query);
  if (state.show !== 'all') query.set('show', state.show);
  if (state.resource) query.set('resource', state.resource.id);
  if (state.group) query.set('layer', state.group.key);
  if (state.cause) query.set('cause', state.cause.title);
  if (causes.length && state.by === 'resource') query.set('by', state.by);
  const behind = query.toString();
  history.replaceState(null, '', '#' + (state.selected ? linkTo(state.selected) : '') + (behind ? '?' + behind : ''));
}

// The link of the page that is most like another text: the one that shares the longest beginning and end with it.
function nearest(wanted) {
  let best = '', most = wanted.length / 2;
  for (const link of targetsOf().keys()) {
    const size = Math.min(link.length, wanted.length);
    let front = 0, back = 0;
    while (front < size && link[front] === wanted[front]) front++;
    while (back < size - front && link[link.length - 1 - back] === wanted[wanted.length - 1 - back]) back++;
    if (front + back > most && front + back > link.length / 2) [best, most] = [link, front + back];
  }
  return best;
}
function showDead() {
  const box = byId('dead');
  box.hidden = !state.dead.length;
  box.replaceChildren(...state.dead.map(({kind, name}) => {
    const item = element('p', '', `The link leads nowhere: this page has no ${kind} `), near = kind === 'value' ? nearest(name) : '';
    item.append(element('code', '', name.slice(0, LONGEST_LINK).replace(/\p{C}/gu, '\ufffd')));
    if (near) item.append('; did you mean ', button('', near, () => change({dead: [], selected: targetsOf().get(near)})), '?');
    return item;
  }));
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
  if (state.resource) found.push(value => value.resource === state.resource);
  if (state.cause) found.push(value => value.cause === state.cause.at);
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) index();
  for (const word of words) found.push(matcher(word));
  return found;
}
const isFiltered = () => !!(state.query || state.show !== 'all' || state.resource || state.group || state.cause);
function filter() {
  const wanted = tests();
  rows = []; tops = []; places = new Map(); equals = new Map(); height = hits = 0;
  const step = rowHeight();
  for (const section of state.by === 'cause' ? causes : ordered) {
    const known = new Map();
    for (const value of section.values) {
      if (!wanted.every(test => test(value))) continue;
      if (!known.size) { rows.push(section); tops.push(height); height += HEAD; }
      hits++;
      const key = section.isCause ? [value.named, value.before, value.after, value.kind].join() : value.number;
      if (known.has(key)) {
        places.set(value, places.get(known.get(key)));
        equals.get(known.get(key)).push(value);
        continue;
      }
      known.set(key, value);
      equals.set(value, [value]);
      places.set(value, rows.length);
      rows.push(value); tops.push(height); height += step;
    }
  }
  byId('hits').textContent = isFiltered() ? `${count(hits)} of ${plural(values.length, 'value')}` : '';
  byId('rows').style.height = height + 'px';
  byId('grid').setAttribute('aria-rowcount', rows.length);
  const none = byId('none'), isEmpty = !rows.length;
  none.hidden = !isEmpty;
  byId('grid').hidden = isEmpty;
  if (isEmpty) none.firstElementChild.textContent = values.length ? 'No value matches.' : compares ? 'No value differs.' : 'No function decides a value here.';
  none.lastElementChild.hidden = !values.length;
  paint(true);
}
