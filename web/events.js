/** Server-sent events (HTML Living Standard §9.2), as far as the speaker sends them. */

/** Reads the events of a stream from its text, which arrives in pieces of any size. */
export class EventReader {
  #rest = '';

  /** The complete events that end with this piece: `{name, data}`. Comments are skipped. */
  read(text) {
    const blocks = (this.#rest + text).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop();
    return blocks.map(event).filter(({ data }) => data);
  }
}

function event(block) {
  let name = 'message';
  const data = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5));
  }
  return { name, data: data.join('\n') };
}
