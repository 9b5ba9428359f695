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
function causeItem(cause) {
  const about = [...new Set(cause.values.map(value => value.resource.title))];
  const [item, made] = entry(cause.title, count(cause.values.length), plural(about.length, 'resource'), cause.title, () => change({cause: state.cause === cause ? null : cause}));
  pressed.push([made, () => state.cause === cause]);
  return item;
}
function side() {
  const nav = byId('side'), pick = byId('pick');
  if (causes.length) {
    addHead(nav, 'Causes', 'differences');
    addList(nav, causes.map(cause => () => causeItem(cause)), FEW, 'causes');
  }
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
  if (state.cause) chips.push(button('', state.cause.title, () => change({cause: null})));
  for (const chip of chips) chip.setAttribute('aria-label', 'Do not filter by ' + chip.textContent);
  chosen.replaceChildren(...chips);
  chosen.hidden = !chips.length;
  byId('by').hidden = !causes.length;
  byId('by').setAttribute('aria-pressed', state.by === 'cause');
  showDead();
}
