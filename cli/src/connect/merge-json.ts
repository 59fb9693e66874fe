import { isDeepStrictEqual } from 'node:util'
import { type Node, readJsonc, skipBlanks, valueOf } from './jsonc.ts'

type ObjectNode = Extract<Node, { kind: 'object' }>
type Entry = { at: string; name: string; entry: Record<string, unknown> }

/** Sets one entry of an object in a text of JSON. All other text stays, with its comments. Throws `JsoncError`. */
export function mergeJson(given: string, { at, name, entry }: Entry): string {
  const text = skipBlanks(given, 0) === given.length ? `${given}{}\n` : given
  const root = objectOf(readJsonc(text), 'The file')
  const holder = root.members.findLast((member) => member.name === at)
  const merged = holder
    ? setMember(text, objectOf(holder.value, `“${at}”`), name, entry)
    : setMember(text, root, at, { [name]: entry })
  checkMerged(valueOf(root), valueOf(readJsonc(merged)), { at, name, entry })
  return merged
}

/** A configuration that cannot be changed by a program. The message is a sentence for users. */
export class MergeError extends Error {
  override name = 'MergeError'
}

function objectOf(node: Node, what: string): ObjectNode {
  if (node.kind !== 'object') throw new MergeError(`${what} is not an object.`)
  return node
}

function setMember(text: string, holder: ObjectNode, name: string, value: unknown): string {
  const line = indentAt(text, holder.start)
  const [first] = holder.members
  const own = first && startsLine(text, first.nameAt) ? indentAt(text, first.nameAt) : `${line}${unitOf(text)}`
  const unit = own.startsWith(line) && own.length > line.length ? own.slice(line.length) : unitOf(text)
  const written = JSON.stringify(value, null, unit).replaceAll('\n', `\n${own}`)
  const known = holder.members.findLast((member) => member.name === name)
  if (known && isDeepStrictEqual(valueOf(known.value), value)) return text
  if (known) return splice(text, known.start, known.end, written)
  const last = holder.members.at(-1)
  const member = `${JSON.stringify(name)}: ${written}`
  if (!last) return splice(text, holder.start + 1, holder.end - 1, `${inside(text, holder)}\n${own}${member}\n${line}`)
  const comma = skipBlanks(text, last.end)
  // After a trailing comma, the new member has one too.
  if (text[comma] === ',') return splice(text, comma + 1, comma + 1, `\n${own}${member},`)
  return splice(text, last.end, last.end, `,\n${own}${member}`)
}

/** Comments of an object without members. */
const inside = (text: string, { start, end }: ObjectNode): string => text.slice(start + 1, end - 1).trimEnd()

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
