/**
 * Builds elements. Text is only ever inserted as text, so that titles of a media server cannot become markup.
 *
 * Properties: names that begin with `on` are listeners, everything else is an attribute. Empty children are skipped.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

/** Sets attributes and listeners; null and false remove an attribute. */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value == null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : value);
  }
  return element;
}

/** Changes a node's text only if it differs, so that screen readers do not read it twice. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows texts in one line. Each is isolated: one from right to left reorders no other. The first one gives the direction. */
export function setTexts(node, texts) {
  const [first = '', ...others] = texts.filter(Boolean).map((text) => clip(text, 120));
  if (node.textContent !== [first, ...others].join(' · ')) node.replaceChildren(first, ...others.flatMap((text) => [' · ', h('bdi', {}, text)]));
}

/** Shortens a text from another device, so that layout stays fast. */
export function clip(text, length = 300) {
  if (!text) return '';
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A span for a text of unknown language and direction. */
export function span(text, className) {
  return h('span', { class: className, dir: 'auto' }, clip(text));
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Outlines on a grid of 24, drawn with a line of 1.75; `f:` paths are filled. */
const shapes = {
  play: ['f:M8 5.3v13.4a.8.8 0 0 0 1.2.7l10.6-6.7a.8.8 0 0 0 0-1.4L9.2 4.6A.8.8 0 0 0 8 5.3z'],
  pause: ['f:M7 5h3.2v14H7zM13.8 5H17v14h-3.2z'],
  stop: ['f:M6.5 6.5h11v11h-11z'],
  next: ['f:M5.5 6v12a.7.7 0 0 0 1.1.6L15 12.8V18a.6.6 0 0 0 .6.6h1.8a.6.6 0 0 0 .6-.6V6a.6.6 0 0 0-.6-.6h-1.8a.6.6 0 0 0-.6.6v5.2L6.6 5.4A.7.7 0 0 0 5.5 6z'],
  playNext: ['M4 6.5h16M4 12h8M4 17.5h8', 'M15 11l5 4-5 4z'],
  previous: ['f:M18.5 6v12a.7.7 0 0 1-1.1.6L9 12.8V18a.6.6 0 0 1-.6.6H6.6A.6.6 0 0 1 6 18V6a.6.6 0 0 1 .6-.6h1.8A.6.6 0 0 1 9 6v5.2l8.4-5.8a.7.7 0 0 1 1.1.6z'],
  shuffle: ['M3 7h3.5c4.5 0 6.5 10 11 10H21M3 17h3.5c1.7 0 3-1.4 4.1-3.2M13.4 10.2C14.5 8.4 15.8 7 17.5 7H21', 'M18.5 4.5 21 7l-2.5 2.5M18.5 14.5 21 17l-2.5 2.5'],
  repeat: ['M4 11V9.5A3.5 3.5 0 0 1 7.5 6H20M20 13v1.5a3.5 3.5 0 0 1-3.5 3.5H4', 'M17.5 3.5 20 6l-2.5 2.5M6.5 15.5 4 18l2.5 2.5'],
  volume: ['f:M4 9.3v5.4c0 .4.3.7.7.7H8l4.3 3.6a.6.6 0 0 0 1-.5v-13a.6.6 0 0 0-1-.5L8 8.6H4.7c-.4 0-.7.3-.7.7z', 'M16.3 9a4.3 4.3 0 0 1 0 6M18.8 6.5a7.8 7.8 0 0 1 0 11'],
  muted: ['f:M4 9.3v5.4c0 .4.3.7.7.7H8l4.3 3.6a.6.6 0 0 0 1-.5v-13a.6.6 0 0 0-1-.5L8 8.6H4.7c-.4 0-.7.3-.7.7z', 'M16.5 9.7l4.5 4.6M21 9.7l-4.5 4.6'],
  now: ['M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z', 'f:M10 8.8v6.4a.5.5 0 0 0 .8.4l5-3.2a.5.5 0 0 0 0-.8l-5-3.2a.5.5 0 0 0-.8.4z'],
  queue: ['M4 6.5h16M4 12h9M4 17.5h9', 'f:M16.5 12.6v6.2a.5.5 0 0 0 .8.4l4.5-3.1a.5.5 0 0 0 0-.8l-4.5-3.1a.5.5 0 0 0-.8.4z'],
  library: ['M4.5 4.5v15M9 4.5v15M13.2 5.6l4.3 14', 'M13.2 5.6l3.3-1 4.3 14-3.3 1'],
  radio: ['M8.5 8.5a5 5 0 0 0 0 7M15.5 8.5a5 5 0 0 1 0 7M5.5 5.5a9.2 9.2 0 0 0 0 13M18.5 5.5a9.2 9.2 0 0 1 0 13', 'f:M12 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z'],
  pin: ['M9 3.5h6l-.7 6 3.7 3.5v1.5H6V13l3.7-3.5zM12 14.5v6'],
  speakers: ['M7 3.5h10a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5z', 'M12 11a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6zM12 7h.01'],
  settings: ['M4 7h9M19 7h1M4 17h1M11 17h9', 'M16 4.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM8 14.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z'],
  sliders: ['M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M3.8 12h4.4M9.8 8h4.4M15.8 16h4.4'],
  alarm: ['M12 6.5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 9.8v3.9l2.6 1.6M3.5 7.5l3.2-3M20.5 7.5l-3.2-3'],
  health: ['M3 12.5h4l2.2-6.5 4.6 12.5 2.7-8 1.2 2H21'],
  more: ['f:M5.5 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM12 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM18.5 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z'],
  close: ['M6.5 6.5l11 11M17.5 6.5l-11 11'],
  handle: ['M5 9.5h14M5 14.5h14'],
  search: ['M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5'],
  album: ['M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 9.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z'],
  heart: ['M12 19.5C7 15.6 4 12.9 4 9.4A4.1 4.1 0 0 1 8.1 5.2c1.6 0 3 .9 3.9 2.3.9-1.4 2.3-2.3 3.9-2.3A4.1 4.1 0 0 1 20 9.4c0 3.5-3 6.2-8 10.1z'],
  save: ['M12 4v10.5M7.5 10.5 12 15l4.5-4.5M5 19.5h14'],
  current: ['M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3'],
  refresh: ['M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 4v4.5H15'],
  tag: ['M4.5 4.5h7l8 8-7 7-8-8zM8.5 8.5h.01'],
  clock: ['M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2'],
  folder: ['M3.5 7A1.5 1.5 0 0 1 5 5.5h4.2l2 2.3H19A1.5 1.5 0 0 1 20.5 9.3v7.7a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17z'],
  server: ['M5 4.5h14A1.5 1.5 0 0 1 20.5 6v3.5A1.5 1.5 0 0 1 19 11H5a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 5 4.5zM5 13h14a1.5 1.5 0 0 1 1.5 1.5V18a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18v-3.5A1.5 1.5 0 0 1 5 13zM7 7.8h.01M7 16.3h.01'],
  note: ['M9.5 17.5V6.3l9-2v11', 'M7 15a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM16 12.8a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z'],
  person: ['M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.6-3.6 3.5-5.5 7.5-5.5s6.9 1.9 7.5 5.5'],
  forward: ['M9.5 5.5 16 12l-6.5 6.5'],
  back: ['M14.5 5.5 8 12l6.5 6.5'],
  add: ['M12 5v14M5 12h14'],
  minus: ['M5 12h14'],
  trash: ['M4.5 7h15M9 7V4.5h6V7M6.5 7l.9 12.5h9.2L17.5 7M10.3 10.5v5.5M13.7 10.5v5.5'],
  edit: ['M4.5 19.5l1-4.2L15.8 5a1.9 1.9 0 0 1 2.7 0l.5.5a1.9 1.9 0 0 1 0 2.7L8.7 18.5z'],
  lock: ['M6.5 10.5h11A1.5 1.5 0 0 1 19 12v6.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 18.5V12a1.5 1.5 0 0 1 1.5-1.5zM8 10.5V8a4 4 0 0 1 8 0v2.5'],
  power: ['M12 3.5v8M7 6.3a7.5 7.5 0 1 0 10 0'],
  link: ['M13 5h6v6M19 5l-8.5 8.5M10 6H6.5A1.5 1.5 0 0 0 5 7.5v10A1.5 1.5 0 0 0 6.5 19h10a1.5 1.5 0 0 0 1.5-1.5V14'],
  warning: ['M12 4.2 20.8 19.5H3.2zM12 10v4.5M12 17h.01'],
  check: ['M5 12.5l4.5 4.5L19 7.5'],
  input: ['M4 12h11M11 7.5l4.5 4.5-4.5 4.5M14 4.5h4A1.5 1.5 0 0 1 19.5 6v12a1.5 1.5 0 0 1-1.5 1.5h-4'],
  undo: ['M8 5 4.5 8.5 8 12M5 8.5h9a5 5 0 0 1 0 10H8'],
  keyboard: ['M4.5 6.5h15A1.5 1.5 0 0 1 21 8v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16V8a1.5 1.5 0 0 1 1.5-1.5zM6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8'],
};

/** A decorative icon; the control around it has the name. */
export function icon(name) {
  const svg = document.createElementNS(svgNamespace, 'svg');
  set(svg, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' });
  drawIcon(svg, name);
  return svg;
}

/** Replaces the drawing of an icon. */
export function drawIcon(svg, name) {
  if (svg.dataset.name === name) return;
  svg.dataset.name = name;
  svg.replaceChildren(...shapes[name].map((shape) => {
    const path = document.createElementNS(svgNamespace, 'path');
    const filled = shape.startsWith('f:');
    set(path, { d: filled ? shape.slice(2) : shape, class: filled ? 'filled' : 'line' });
    return path;
  }));
}

/** A button with only an icon. The name is also its tooltip. */
export function iconButton(name, label, onclick, properties = {}) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...properties },
    icon(name));
}

/** A button with a text, and perhaps an icon. */
export function button(label, onclick, { kind = '', symbol, ...properties } = {}) {
  return h('button', { type: 'button', class: `button ${kind}`, onclick, ...properties },
    symbol && icon(symbol), h('span', {}, label));
}

/** A picture that the speaker serves, with a drawing in its place while it is absent. */
export function art(url, symbol = 'note', className = '') {
  const frame = h('span', { class: `art ${className}` }, icon(symbol));
  setArt(frame, url, symbol);
  return frame;
}

/** Changes the picture of a frame made by `art`. The old one stays until the new one is complete. */
export function setArt(frame, url, symbol) {
  if (symbol) drawIcon(frame.querySelector('svg'), symbol);
  const wanted = typeof url === 'string' && /^\/(?!\/)/.test(url) ? url : '';
  if (frame.dataset.url === wanted) return;
  frame.dataset.url = wanted;
  if (!wanted) {
    frame.querySelector('img')?.remove();
    frame.dispatchEvent(new CustomEvent('art', { detail: null }));
    return;
  }
  const image = h('img', { alt: '', decoding: 'async', draggable: 'false' });
  const replace = (made) => {
    if (frame.dataset.url !== wanted) return;
    frame.querySelector('img')?.remove();
    if (made) frame.append(made);
    frame.dispatchEvent(new CustomEvent('art', { detail: made }));
  };
  image.addEventListener('load', () => replace(image));
  image.addEventListener('error', () => replace(null));
  image.src = wanted;
}
