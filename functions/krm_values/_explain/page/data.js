const compares = data.kind === 'compare';
const HIDDEN = -1, ABSENT = -2;
const SAME = 0, CHANGED = 1, ADDED = 2, REMOVED = 3, WINNER = 4;
const ROW = 26, NARROW_ROW = 46, HEAD = 60, SPARE = 9, PAPER_ROWS = 10000, PAPER_FOLDS = 1000, PAPER_LAYERS = 6, FEW = 12, FEW_LANES = 14, MOST = 200, LONGEST_LINK = 200;

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
// Differences by what made them, the most frequent first: sections of the page in place of resources.
const causes = [];
{
  const known = new Map();
  for (const value of values) {
    if (value.cause < 0) continue;
    if (!known.has(value.cause)) {
      const title = strings[value.cause] || 'cause unknown';
      known.set(value.cause, {title, at: value.cause, number: 'cause-' + value.cause, file: '', source: '', field: '', passes: false, columns: [], values: [], isCause: true});
    }
    known.get(value.cause).values.push(value);
  }
  causes.push(...[...known.values()].sort((a, b) => b.values.length - a.values.length));
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
