import { isDeepStrictEqual } from 'node:util'
import { createScanner, type Node, parse, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

type Entry = { at: string; name: string; entry: Record<string, unknown> }

/**
 * Sets one entry of an object in a text of JSON with comments and trailing commas. All other text stays as written,
 * which `modify` of jsonc-parser does not promise: it formats the neighbours of a change. Throws `MergeError`.
 */
export function mergeJson(given: string, { at, name, entry }: Entry): string {
  const text = nextToken(given, 0) === given.length ? `${given}{}\n` : given
  const root = readObject(readJsonc(text), 'The file')
  const holder = memberOf(root, at)
  const merged = holder
    ? setMember(text, readObject(holder, `“${at}”`), name, entry)
    : setMember(text, root, at, { [name]: entry })
  checkMerged(valueOf(text, root), valueOf(merged, readJsonc(merged)), { at, name, entry })
  return merged
}

/** A configuration that cannot be changed by a program. The message is a sentence for users. */
export class MergeError extends Error {
  override name = 'MergeError'
}

/** The one value of a text of JSON with comments and trailing commas. Throws `MergeError`. */
function readJsonc(text: string): Node {
  const errors: ParseError[] = []
  const root = parseOrRefuse(text, errors)
  const [first] = errors
  if (root && !first) return root
  const line = text.slice(0, first?.offset ?? 0).split('\n').length
  throw new MergeError(`Line ${line} is not JSON (${first ? printParseErrorCode(first.error) : 'no value'}).`)
}

function parseOrRefuse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (cause) {
    // The parser recurses.
    if (cause instanceof RangeError) throw new MergeError('The values are nested too deeply.', { cause })
    throw cause
  }
}

function readObject(node: Node, what: string): Node {
  if (node.type !== 'object') throw new MergeError(`${what} is not an object.`)
  return node
}

/** Of members with one name, the last counts, as in JSON. */
const memberOf = (holder: Node, name: string): Node | undefined =>
  holder.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]

const valueOf = (text: string, node: Node): unknown =>
  parse(text.slice(node.offset, endOf(node)), [], { allowTrailingComma: true })

const endOf = ({ offset, length }: Node): number => offset + length

/** Offset of the next token from a place on, or the end of the text. */
function nextToken(text: string, from: number): number {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  return scanner.getTokenOffset()
}

function setMember(text: string, holder: Node, name: string, value: unknown): string {
  const line = indentAt(text, holder.offset)
  const first = holder.children?.[0]
  const own = first && startsLine(text, first.offset) ? indentAt(text, first.offset) : `${line}${unitOf(text)}`
  const unit = own.startsWith(line) && own.length > line.length ? own.slice(line.length) : unitOf(text)
  const written = JSON.stringify(value, null, unit).replaceAll('\n', `\n${own}`)
  const known = memberOf(holder, name)
  if (known && isDeepStrictEqual(valueOf(text, known), value)) return text
  if (known) return splice(text, known.offset, endOf(known), written)
  const last = holder.children?.at(-1)
  const member = `${JSON.stringify(name)}: ${written}`
  if (!last) {
    const comments = text.slice(holder.offset + 1, endOf(holder) - 1).trimEnd()
    return splice(text, holder.offset + 1, endOf(holder) - 1, `${comments}\n${own}${member}\n${line}`)
  }
  const comma = nextToken(text, endOf(last))
  // After a trailing comma, the new member has one too.
  if (text[comma] === ',') return splice(text, comma + 1, comma + 1, `\n${own}${member},`)
  return splice(text, endOf(last), endOf(last), `,\n${own}${member}`)
}

const splice = (text: string, start: number, end: number, part: string): string =>
  text.slice(0, start) + part + text.slice(end)

/** White space at the beginning of the line. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

const startsLine = (text: string, at: number): boolean =>
  text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''

/** Indentation of a level: that of the first indented line. */
const unitOf = (text: string): string => /\n(\t| {1,8})\S/.exec(text)?.[1] ?? '  '

/** The file must say the same as before, with the entry. */
function checkMerged(before: unknown, after: unknown, { at, name, entry }: Entry): void {
  const old = before as Record<string, Record<string, unknown>>
  const wanted = { ...old, [at]: { ...old[at], [name]: entry } }
  if (!isDeepStrictEqual(after, wanted)) throw new MergeError('It has a form that a program cannot change safely.')
}
