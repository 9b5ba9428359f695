// A fleet: rows and columns are parts of the names of packages; what is near the visible part is in the document.
const ROW = 24, CELL = 22, HEAD = 96, SPARE = 2, MOST = 200, FEW = 30;
const MARKS = {changed: '●', same: '', skipped: '–', failed: '✕', error: '!', crashed: '†', timeout: '◷', stale: '~'};
const bad = new Set(data.bad);
const packages = data.packages.map(([name, row, column, status, changed, findings, count, page], number) => (
  {number, name: strings[name], row, column, status: data.statuses[status], changed, findings, count, page, words: ''}));
for (const one of packages) {
  one.words = [one.name, one.status, ...one.findings.map(([, message]) => strings[message])].join('\n').toLowerCase();
  one.isBad = bad.has(one.status);
}
const byName = new Map(packages.map(one => [one.name, one]));
const columns = sortedBy('column'), lines = sortedBy('row');

// The values of a part of the names, those with failures first.
function sortedBy(part) {
  const found = new Map();
  for (const one of packages) {
    if (!found.has(one[part])) found.set(one[part], {key: one[part], name: strings[one[part]], bad: 0, all: []});
    const entry = found.get(one[part]);
    entry.all.push(one);
    if (one.isBad) entry.bad++;
  }
  return [...found.values()].sort((a, b) => !!b.bad - !!a.bad || a.name.localeCompare(b.name, 'en', {numeric: true}));
}

// ---- State, which is in the link: #PACKAGE?q=&show=&column=

const state = {query: '', show: 'all', column: null, selected: null};
let rows = [], hits = [], at = new Map(), shownColumns = [];
function readLink() {
  const text = location.hash.slice(1), cut = text.indexOf('?'), query = new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1));
  let wanted = '';
  try { wanted = decodeURIComponent(cut < 0 ? text : text.slice(0, cut)); } catch { wanted = ''; }
  state.query = (query.get('q') || '').slice(0, 1000);
  state.show = query.get('show') === 'bad' || data.statuses.includes(query.get('show')) ? query.get('show') : 'all';
  state.column = columns.find(one => one.name === query.get('column')) || null;
  state.selected = byName.get(wanted) || null;
}
function writeLink() {
  const query = new URLSearchParams();
  if (state.query) query.set('q', state.query);
  if (state.show !== 'all') query.set('show', state.show);
  if (state.column) query.set('column', state.column.name);
  const behind = query.toString();
  history.replaceState(null, '', '#' + (state.selected ? state.selected.name.split('/').map(encodeURIComponent).join('/') : '') + (behind ? '?' + behind : ''));
}
const isFiltered = () => !!(state.query || state.show !== 'all' || state.column);
function fits(one, words) {
  if (state.show !== 'all' && (state.show === 'bad' ? !one.isBad : one.status !== state.show)) return false;
  return (!state.column || one.column === state.column.key) && words.every(word => one.words.includes(word));
}
let whole = null;
function filter() {
  if (isFiltered() || !whole) fit();
  else ({rows, hits, at, shownColumns} = whole);
  whole ??= isFiltered() ? null : {rows, hits, at, shownColumns};
  const widest = rows.reduce((most, row) => Math.max(most, row.cells[row.cells.length - 1][0]), 0);
  byId('rows').style.height = rows.length * ROW + 'px';
  byId('rows').style.minWidth = byId('head').style.minWidth = labelWidth() + (widest + 1) * CELL + 'px';
  byId('grid').setAttribute('aria-rowcount', rows.length);
  byId('grid').hidden = !rows.length;
  byId('none').hidden = !!rows.length;
  byId('hits').textContent = isFiltered() ? `${count(hits.length)} of ${plural(packages.length, 'package')}` : '';
  paint();
}
function fit() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean), used = new Set();
  rows = []; hits = []; at = new Map();
  for (const line of lines) {
    const found = line.all.filter(one => fits(one, words));
    if (!found.length) continue;
    for (const one of found) used.add(one.column);
    rows.push({line, found});
  }
  shownColumns = columns.filter(one => used.has(one.key));
  const order = new Map(shownColumns.map((one, number) => [one.key, number]));
  rows.forEach((row, number) => {
    row.cells = row.found.map(one => [order.get(one.column), one]).sort((a, b) => a[0] - b[0] || a[1].number - b[1].number);
    // Several packages of one row and column stand beside each other, behind the last column.
    let last = -1;
    for (const cell of row.cells) { cell[0] = last = Math.max(last + 1, cell[0]); at.set(cell[1], [number, cell[0]]); hits.push(cell[1]); }
    row.places = row.cells.map(([column, one]) => column + ' ' + one.number).join();
  });
}

// ---- The matrix

const labelWidth = () => innerWidth > 760 ? 190 : 120;
let isOnPaper = false;
const painted = new Map();
// Lines stay as they are in the document, where a filter hides them: to lay out thousands of cells once more takes longer than a filter may.
function paint() {
  const grid = byId('grid'), label = labelWidth(), top = grid.scrollTop, left = grid.scrollLeft;
  const from = isOnPaper ? 0 : Math.max(0, Math.floor(top / ROW) - SPARE), to = isOnPaper ? rows.length : Math.ceil((top + grid.clientHeight) / ROW) + SPARE;
  const first = isOnPaper ? 0 : Math.floor(left / CELL) - SPARE, last = isOnPaper ? Infinity : (left + grid.clientWidth) / CELL + SPARE;
  const wanted = new Set();
  let before = null;
  rows.slice(from, to).forEach((row, number) => {
    const key = [first, last, label, isOnPaper, row.places].join();
    let entry = painted.get(row.line);
    if (!entry || entry.key !== key) {
      if (entry) entry.made.remove();
      painted.set(row.line, entry = {key, made: lineOf(row, first, last, label), isWhole: !isFiltered()});
    }
    const made = entry.made;
    if (!before) { if (!made.parentNode) byId('rows').prepend(made); }
    else if (!(before.compareDocumentPosition(made) & Node.DOCUMENT_POSITION_FOLLOWING) || !made.parentNode) before.after(made);
    before = made;
    made.setAttribute('aria-rowindex', from + number + 1);
    made.removeAttribute('aria-hidden');
    if (!isOnPaper) made.style.top = (from + number) * ROW + 'px';
    wanted.add(row.line);
  });
  for (const [line, entry] of painted) {
    if (wanted.has(line)) continue;
    if (isFiltered() && entry.isWhole && !isOnPaper) entry.made.setAttribute('aria-hidden', true);
    else { entry.made.remove(); painted.delete(line); }
  }
  byId('head').replaceChildren(...shownColumns.map((column, number) => [column, number]).filter(([, number]) => number >= first && number <= last).map(([column, number]) => {
    const made = element('div', '', column.name);
    made.title = column.name;
    made.style.left = label + number * CELL + 'px';
    return made;
  }));
  mark();
}
function lineOf(row, first, last, before) {
  const made = element('div', 'line'), label = element('div', 'label', row.line.name);
  made.setAttribute('role', 'row');
  label.setAttribute('role', 'rowheader');
  label.title = row.line.name;
  made.append(label);
  for (const [column, one] of row.cells) {
    if (column < first || column > last) continue;
    const cell = cellOf(one.status).cloneNode(true);
    cell.setAttribute('aria-label', `${one.name}: ${one.status}`);
    cell.id = 'package-' + one.number;
    cell.style.left = before + column * CELL + 'px';
    made.append(cell);
  }
  return made;
}
// Of each status one, which is copied: thousands are made at once.
const kinds = new Map();
function cellOf(status) {
  if (!kinds.has(status)) {
    const cell = element('div', `package ${status}${bad.has(status) ? ' bad' : ''}`, MARKS[status]);
    cell.setAttribute('role', 'gridcell');
    kinds.set(status, cell);
  }
  return kinds.get(status);
}
const packageOf = event => {
  const cell = event.target.closest('.package');
  return cell && packages[+cell.id.slice('package-'.length)];
};
function mark() {
  const grid = byId('grid'), chosen = at.has(state.selected) && byId('package-' + state.selected.number);
  for (const cell of grid.querySelectorAll('[aria-selected=true]')) cell.removeAttribute('aria-selected');
  if (chosen) { chosen.setAttribute('aria-selected', 'true'); grid.setAttribute('aria-activedescendant', chosen.id); }
  else grid.removeAttribute('aria-activedescendant');
}
function reveal(one) {
  if (!at.has(one)) return;
  const grid = byId('grid'), [row, column] = at.get(one), left = labelWidth() + column * CELL;
  if (row * ROW < grid.scrollTop) grid.scrollTop = row * ROW;
  else if (HEAD + (row + 1) * ROW > grid.scrollTop + grid.clientHeight) grid.scrollTop = HEAD + (row + 1) * ROW - grid.clientHeight + 4;
  if (left - labelWidth() < grid.scrollLeft) grid.scrollLeft = left - labelWidth();
  else if (left + CELL > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = left + CELL - grid.clientWidth + 4;
}

// ---- The selected package, and the side

function show() {
  const box = byId('way'), one = state.selected;
  box.hidden = !one;
  if (!one) return;
  byId('name').textContent = one.name;
  byId('about').textContent = [one.status, one.changed.length ? plural(one.changed.length, 'file') + ' changed' : ''].filter(Boolean).join('  ·  ');
  const list = element('ul');
  list.append(...one.findings.map(([severity, message]) => finding(severity, strings[message])));
  if (one.count > one.findings.length) list.append(element('li', '', `${count(one.count - one.findings.length)} more findings`));
  list.append(...one.changed.slice(0, MOST).map(file => element('li', '', strings[file])));
  const told = byId('told');
  told.replaceChildren(list);
  if (one.page) {
    const link = element('a', '', 'Where its values come from');
    link.href = one.page;
    told.append(link);
  }
}
function finding(severity, message, before) {
  const item = element('li');
  if (before) item.append(before, ' ');
  item.append(element('span', severity === 'error' ? 'error' : 'warning', severity), ': ' + message);
  return item;
}
const pressed = [];
function side() {
  const nav = byId('side'), head = element('h2', '', 'Columns'), list = element('ul');
  head.append(element('span', '', 'failed of all'));
  const items = columns.map(column => () => {
    const made = button('', undefined, () => change({column: state.column === column ? null : column})), item = element('li');
    made.append(element('b', '', column.name), element('i', '', `${count(column.bad)} / ${count(column.all.length)}`));
    made.title = column.name;
    pressed.push([made, () => state.column === column]);
    item.append(made);
    return item;
  });
  list.append(...items.slice(0, FEW).map(make => make()));
  nav.append(head, list);
  if (items.length > FEW) {
    const more = button('more', `Show all ${count(items.length)} columns`, () => { list.append(...items.slice(FEW).map(make => make())); more.remove(); });
    nav.append(more);
  }
}
function showState() {
  byId('search').value = state.query;
  for (const made of byId('kinds').children) made.setAttribute('aria-pressed', made.dataset.show === state.show);
  for (const [made, is] of pressed) made.setAttribute('aria-pressed', is());
  const chosen = byId('chosen');
  chosen.hidden = !state.column;
  chosen.replaceChildren(...state.column ? [button('', state.column.name, () => change({column: null}))] : []);
}

// ---- What somebody does

function change(changes) {
  Object.assign(state, changes);
  showState();
  filter();
  writeLink();
}
function select(one) {
  state.selected = one;
  show();
  if (one) reveal(one);
  paint();
  writeLink();
}
function clear() { change({query: '', show: 'all', column: null}); }
function move(by) {
  const now = hits.indexOf(state.selected);
  const next = now < 0 ? 0 : Math.min(hits.length - 1, Math.max(0, now + by));
  if (hits[next]) select(hits[next]);
}
function moveRow(by) {
  if (!state.selected || !at.has(state.selected)) return move(1);
  const [row, column] = at.get(state.selected), next = rows[row + by];
  if (next) select((next.cells.find(cell => cell[0] >= column) || next.cells[next.cells.length - 1])[1]);
}
const KEYS = new Map([['ArrowRight', () => move(1)], ['ArrowLeft', () => move(-1)], ['ArrowDown', () => moveRow(1)], ['ArrowUp', () => moveRow(-1)],
  ['/', () => { byId('search').focus(); byId('search').select(); }], ['Escape', () => isFiltered() ? clear() : select(null)]]);
function listen() {
  const grid = byId('grid'), search = byId('search');
  search.addEventListener('input', () => change({query: search.value.slice(0, 1000)}));
  let isWaiting = false;
  grid.addEventListener('scroll', () => {
    if (!isWaiting) requestAnimationFrame(() => { isWaiting = false; paint(); });
    isWaiting = true;
  });
  grid.addEventListener('click', event => {
    const one = packageOf(event);
    if (one) select(one);
  });
  grid.addEventListener('mouseover', event => {
    const one = packageOf(event);
    if (one) event.target.title = one.name + '\n' + one.status;
  });
  new ResizeObserver(() => paint()).observe(grid);
  byId('close').addEventListener('click', () => select(null));
  byId('none').lastElementChild.addEventListener('click', clear);
  addEventListener('hashchange', () => { readLink(); showState(); filter(); select(state.selected); });
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search && event.key !== 'Escape') return;
    if (['BUTTON', 'SUMMARY', 'A'].includes(event.target.tagName) && (event.key === 'Enter' || event.key === ' ')) return;
    if (KEYS.has(event.key)) { KEYS.get(event.key)(); event.preventDefault(); }
  });
  const paper = isOn => { isOnPaper = isOn; paint(); };
  addEventListener('beforeprint', () => paper(true));
  addEventListener('afterprint', () => paper(false));
  matchMedia('print').addEventListener('change', event => paper(event.matches));
}

// ---- Start

function heads() {
  document.title = data.title + ': a fleet';
  byId('title').textContent = data.title;
  byId('summary').textContent = plural(packages.length, 'package') + (data.lacking ? `, ${count(data.lacking)} not begun` : '');
  const failed = packages.filter(one => one.isBad);
  const kinds = [['all', 'All', packages.length], ['bad', 'Not rendered', failed.length]];
  for (const status of data.statuses) kinds.push([status, status[0].toUpperCase() + status.slice(1), packages.filter(one => one.status === status).length]);
  for (const [name, label, number] of kinds) {
    if (name !== 'all' && !number) continue;
    const made = button('', `${label} ${count(number)}`, () => change({show: name}));
    made.dataset.show = name;
    byId('kinds').append(made);
  }
  const list = byId('findings');
  list.hidden = !failed.length;
  list.firstElementChild.textContent = plural(failed.length, 'package') + ' not rendered';
  list.lastElementChild.append(...failed.slice(0, MOST).map(one => {
    const [severity, message] = one.findings.find(([kind]) => kind === 'error') || ['error', -1];
    return finding(severity, message < 0 ? one.status : strings[message], button('', one.name, () => select(one)));
  }));
}
heads();
side();
readLink();
showState();
filter();
show();
listen();
if (state.selected) reveal(state.selected);
document.documentElement.dataset.ready = (performance.now() - started).toFixed(1);
