// ---- What somebody does

function change(changes) {
  Object.assign(state, {dead: []}, changes);
  showState();
  filter();
  showWay();
  if ('selected' in changes) reveal(state.selected);
  writeLink();
}
function clear() {
  change({query: '', show: 'all', resource: null, group: null, cause: null});
}
function regroup() {
  if (causes.length) change({by: GROUPINGS[1 - GROUPINGS.indexOf(state.by)]});
}
function select(value) {
  Object.assign(state, {selected: value, dead: []});
  showDead();
  follow(value);
  writeLink();
}
// Show what a link leads to, and leave the link as it is.
function follow(value) {
  showWay();
  if (value) reveal(value);
  paint(false);
  mark();
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
  if (isFiltered()) clear();
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
  ...causes.length ? [['g', [regroup, 'group by cause, or by resource']]] : [],
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
    if (row) select(values[+row.dataset.number]);
  });
  new ResizeObserver(() => paint(false)).observe(grid);
  narrow.addEventListener('change', () => { showWay(); filter(); if (state.selected) reveal(state.selected); });
  byId('by').addEventListener('click', regroup);
  byId('copy').addEventListener('click', copy);
  byId('close').addEventListener('click', () => select(null));
  byId('help').addEventListener('click', () => byId('keys').showModal());
  byId('none').lastElementChild.addEventListener('click', clear);
  addEventListener('hashchange', () => { readLink(); showState(); filter(); follow(state.selected); });
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
  byId('summary').textContent = compares ? `${plural(values.length, 'value')}${where} differ${values.length === 1 ? 's' : ''} between ${data.sides[0]} and ${data.sides[1]}${causes.length ? ', by ' + plural(causes.length, 'cause') : ''}` : plural(values.length, 'value') + where + from;
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
filter();
showWay();
listen();
if (state.selected) requestAnimationFrame(() => { reveal(state.selected); paint(false); });
if (typeof requestIdleCallback === 'function') requestIdleCallback(index); else setTimeout(index, 300);
document.documentElement.dataset.ready = (performance.now() - started).toFixed(1);
