// What every page is made of: its data, and elements. Everything that comes out of a package is put in by textContent, title or value:
// none of it is ever parsed as HTML. The files of a page are joined to one function, see `file.py`.
const started = performance.now();
const byId = id => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);
const {strings} = data;

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
