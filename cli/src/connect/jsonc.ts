/** Reads JSON with comments and trailing commas, as editors write it, and records the position of each value. */

/** A text that is not JSON. */
export class JsoncError extends Error {
  override name = 'JsoncError'
}

export type Member = { name: string; nameAt: number; start: number; end: number; value: Node }
export type Node =
  | { kind: 'object'; start: number; end: number; members: readonly Member[] }
  | { kind: 'other'; start: number; end: number; value: unknown }

/** Levels of nesting. Configuration files have a few; more would overflow the stack. */
const DEEPEST = 200

/** Reads the one value of a text. Throws `JsoncError`. */
export function readJsonc(text: string): Node {
  const start = skipBlanks(text, 0)
  const node = readValue(text, start, 0)
  if (skipBlanks(text, node.end) !== text.length) throw new JsoncError('There is text after the end.')
  return node
}

/** The value without its places. Of members with one name, the last counts, as in JSON. */
export function valueOf(node: Node): unknown {
  if (node.kind === 'other') return node.value
  return Object.fromEntries(node.members.map(({ name, value }) => [name, valueOf(value)]))
}

/** Index of the first character that is neither white space nor in a comment. */
export function skipBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    while (at < text.length && /[\s\uFEFF]/.test(text.charAt(at))) at++
    if (text.startsWith('//', at)) at = endOf(text, '\n', at, text.length)
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2) + 2
    else return at
  }
}

function endOf(text: string, mark: string, from: number, otherwise?: number): number {
  const at = text.indexOf(mark, from)
  if (at >= 0) return at
  if (otherwise === undefined) throw new JsoncError('A comment has no end.')
  return otherwise
}

function readValue(text: string, start: number, depth: number): Node {
  if (depth > DEEPEST) throw new JsoncError('The values are nested too deeply.')
  const first = text[start]
  if (first === '{') return readObject(text, start, depth)
  if (first === '[') return readArray(text, start, depth)
  const token = first === '"' ? stringAt(text, start) : (/[\w.+-]*/y.exec(text.slice(start, start + 40))?.[0] ?? '')
  return { kind: 'other', start, end: start + token.length, value: parse(token) }
}

function readObject(text: string, start: number, depth: number): Node {
  const members: Member[] = []
  for (let at = skipBlanks(text, start + 1); ;) {
    if (text[at] === '}') return { kind: 'object', start, end: at + 1, members }
    if (text[at] !== '"') throw new JsoncError('A name in quotes is missing.')
    const quoted = stringAt(text, at)
    const colon = skipBlanks(text, at + quoted.length)
    if (text[colon] !== ':') throw new JsoncError('A colon is missing.')
    const value = readValue(text, skipBlanks(text, colon + 1), depth + 1)
    members.push({ name: String(parse(quoted)), nameAt: at, start: value.start, end: value.end, value })
    at = afterComma(text, value.end, '}')
  }
}

function readArray(text: string, start: number, depth: number): Node {
  const items: unknown[] = []
  for (let at = skipBlanks(text, start + 1); ;) {
    if (text[at] === ']') return { kind: 'other', start, end: at + 1, value: items }
    const item = readValue(text, at, depth + 1)
    items.push(valueOf(item))
    at = afterComma(text, item.end, ']')
  }
}

/** The place after the comma that follows a value, or of the closing bracket. */
function afterComma(text: string, from: number, closing: string): number {
  const at = skipBlanks(text, from)
  if (text[at] === ',') return skipBlanks(text, at + 1)
  if (text[at] !== closing) throw new JsoncError('A comma or a closing bracket is missing.')
  return at
}

/** The string at a place, with its quotes. */
function stringAt(text: string, start: number): string {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return text.slice(start, at + 1)
  }
  throw new JsoncError('A string has no end.')
}

function parse(token: string): unknown {
  try {
    return JSON.parse(token)
  } catch (cause) {
    throw new JsoncError(`“${token.slice(0, 40)}” is no value.`, { cause })
  }
}
