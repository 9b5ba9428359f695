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
  const text = element('div', `text${isMain ? ' win' : isPart ? '' : ' lost'}${way.text === HIDDEN ? ' hidden' : ''}`);
  text.append(isMain || isPart ? shown(way.text) : struck(shown(way.text)));
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
  const same = byId('same'), others = (equals.get(rows[places.get(value)]) || []).filter(one => one !== value);
  same.hidden = !others.length;
  same.firstElementChild.textContent = `The same change in ${plural(others.length, 'other resource')}`;
  same.lastElementChild.replaceChildren(...others.slice(0, MOST).map(one => {
    const item = element('li');
    item.append(button('', one.resource.title, () => select(one)));
    return item;
  }));
  const pictures = byId('pictures');
  pictures.replaceChildren();
  if (value.old >= 0) pictures.append(picture(value, value.old, 'Before: ' + data.sides[0], onPaper));
  if (value.way >= 0) pictures.append(picture(value, value.way, compares ? 'After: ' + data.sides[1] : '', onPaper));
  if (value.way < 0 && value.old < 0) pictures.append(element('p', '', 'No layer is known for it.'));
}
