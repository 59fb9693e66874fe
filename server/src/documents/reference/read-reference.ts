import { oneLine } from '#lib/text/one-line.ts'
import { type BlockText, parametersIn, proseLines, readParameters, readSignature } from './read-parameters.ts'
import { declaredName } from '../model/name-key.ts'
import type { Block, Section } from '../model/document.ts'
import { definitionsOf, itemsOf, codeIn } from '../model/read-block.ts'

const PARAMETERS =
  /^(?:(?:path|query|header|request|input) )?(?:parameters?|params|arguments?|args|options?|props|properties|fields|attributes|flags)\b|^request body\b|^(?:reference|details) .*parameters$/i
const RETURNS = /^(?:returns?|return (?:value|type)|result|output|responses?|success)\b/i
const ERRORS = /^(?:errors?|throws?|raises?|panics?|exceptions?|error (?:codes?|responses?))\b/i
const EXAMPLE = /^(?:examples?|usage|sample(?: request)?|basic (?:usage|example)|how to use)\b/i
const STATUS = /^([45](?:\d\d|XX)|default)\b/i

/** Maximum characters above a title, and above a signature. */
const MOST_ABOVE = 400

/** A longer block is an example, not a signature. */
const SIGNATURE_LINES = 15

/** The text of a page, and the sections about a name. The first one begins with its heading. */
type Part = { markdown: string; sections: readonly Section[] }

/**
 * Reads the reference of a function, endpoint, option or type from the sections about it. Missing parts are null or
 * empty. `name` is the last part of the requested name, which the signature contains.
 */
export function readReference({ markdown, sections }: Part, name: string) {
  const [first, second] = sections
  // A line or two above the title are about the parent of the page.
  const isBelow = first?.level === 0 && second?.level === 1 && first.end < MOST_ABOVE
  const [top, ...inside] = isBelow ? sections.slice(1) : sections
  const below = inside.filter((section) => !section.continues)
  const lead = { text: markdown, blocks: top?.blocks ?? [] }
  const under = (pattern: RegExp) => below.filter(({ heading }) => pattern.test(heading))
  const whole = (section: Section) => markdown.slice(section.body, section.close).trim()
  const { terms, rest } = readTerms(lead)
  const termed = (pattern: RegExp) => terms.flatMap(({ term, items }) => (pattern.test(term) ? items : []))
  const signature = signatureOf(lead, top, name)
  const signed = signature === null ? null : readSignature(signature)
  const [returns] = under(RETURNS)
  return {
    signature,
    description: firstParagraph(lead),
    parameters: firstFilled(
      [
        ...under(PARAMETERS).flatMap((section) => readParameters(textOf(markdown, section, sections))),
        ...termed(PARAMETERS).flatMap((item) => parametersIn([`- ${item}`])),
      ],
      readParameters({ text: markdown, blocks: rest }).filter(({ name: own }) => !TAG.test(own)),
      signed?.parameters ?? [],
    ),
    returns: returns
      ? successOf(markdown, below, returns)
      : (tagged(lead, /^(?:returns?|return value)$/i)[0] ?? termed(RETURNS)[0] ?? signed?.returns ?? null),
    errors: [
      ...under(ERRORS).map(whole),
      ...below.filter(({ heading }) => STATUS.test(heading)).map((section) => section.heading),
      ...tagged(lead, /^(?:throws?|raises?)$/i),
      ...termed(ERRORS),
    ],
    example: exampleOf({ markdown, sections }, below, signature),
  }
}

/** The blocks of a section with its subsections. */
function textOf(text: string, { start, close }: Section, sections: readonly Section[]): BlockText {
  const inside = sections.filter((section) => section.start >= start && section.start < close)
  return { text, blocks: inside.flatMap(({ blocks }): readonly Block[] => blocks) }
}

function firstFilled<T>(...lists: T[][]): T[] {
  return lists.find((list) => list.length > 0) ?? []
}

function successOf(markdown: string, below: readonly Section[], returns: Section): string {
  const inside = below.filter(({ start }) => start > returns.start && start < returns.close)
  const success = inside.find(({ heading }) => /^(?:2(?:\d\d|XX))\b/i.test(heading)) ?? null
  if (success) return `${success.heading}\n\n${markdown.slice(success.body, success.close).trim()}`
  return markdown.slice(returns.body, returns.close).trim()
}

/** Tags of doc comments, which lists have among the parameters. */
const TAG = /^(?:returns?|throws?|raises?)$/i

/** Values of `- returns: …` and `**Returns:** …`, the Markdown form of doc comment tags. */
function tagged(lead: BlockText, tag: RegExp): string[] {
  return proseLines(lead).flatMap((line) => {
    const [, word = '', rest = ''] =
      /^\s*(?:[-*+]\s+)?\*{0,2}@?(\w+(?: value)?)\*{0,2}:\*{0,2}\s*([^*\s].*|\*+[^*\s].*)$/.exec(line) ?? []
    return tag.test(word) ? [rest.trim()] : []
  })
}

function signatureOf({ text, blocks }: BlockText, top: Section | undefined, name: string): string | null {
  const { heading = '', body = 0 } = top ?? {}
  if (declaredName(heading) !== null) return heading
  const [first] = codeIn(text, blocks)
  const before = text
    .slice(body, first?.start ?? body)
    .replace(/\s+/g, ' ')
    .trim().length
  const isShort = first && before < MOST_ABOVE && first.text.split('\n').length <= SIGNATURE_LINES
  if (isShort && first.text.toLowerCase().includes(name.toLowerCase())) return first.text.trim()
  const call = proseLines({ text, blocks }).flatMap((line) => /^`([A-Z]+ \S+)`$/.exec(line)?.[1] ?? [])[0]
  return call ?? (isCall(heading) ? heading : null)
}

/** Matches `name(…)` with any content in the parentheses. */
function isCall(heading: string): boolean {
  const open = /\w\s*\(/.exec(heading)
  return open !== null && heading.includes(')', open.index + open[0].length)
}

function exampleOf({ markdown, sections }: Part, below: readonly Section[], signature: string | null) {
  const all = sections.flatMap(({ blocks }) => codeIn(markdown, blocks))
  const inExample = all.find(({ start }) =>
    below.some((section) => EXAMPLE.test(section.heading) && section.start < start && start < section.close),
  )
  const introduced = all.find(({ start }) =>
    /\b(?:example|usage)\b[^\n]{0,80}\n+$/i.test(markdown.slice(Math.max(0, start - 120), start)),
  )
  const found = inExample ?? introduced ?? all.findLast(({ text }) => text.trim() !== signature)
  return found ? { language: found.language, text: found.text } : null
}

/** Facts about an operation, and marked text. */
const NO_DESCRIPTION = /^(?:(?:Operation|Tags): |[#|`>*+-]|\d+\.\s|!\[)/

function firstParagraph({ text, blocks }: BlockText): string {
  const prose = blocks.filter(({ kind }) => kind === 'paragraph' || kind === 'definition')
  const texts = prose.map(({ start, end }) => text.slice(start, end).trim())
  return texts.find((own) => !NO_DESCRIPTION.test(own) && /\p{L}{2}/u.test(own)) ?? ''
}

/** A bold term with its entries, the Markdown form of a definition list. */
type Term = { term: string; items: string[] }

const TERM = /^\*\*([^*\n]{1,60}?):?\*\*[ \t]*$/

/** Bold terms of a text, each with its definitions or list items, and the other blocks. */
export function readTerms({ text, blocks }: BlockText): { terms: Term[]; rest: Block[] } {
  const terms: Term[] = []
  const rest: Block[] = []
  let open: string | undefined
  for (const block of blocks) {
    const isProse = block.kind === 'paragraph' || block.kind === 'definition'
    const items = block.kind === 'list' && open !== undefined ? itemsOf(text, block) : []
    const listed = items.map(({ body, end }) => oneLine(text.slice(body, end)))
    const defined = isProse ? definedTerms(text, block) : []
    terms.push(...(listed.length > 0 ? [{ term: open ?? '', items: listed }] : defined))
    open = isProse ? termOf(text.slice(text.lastIndexOf('\n', block.end - 1) + 1, block.end)) : undefined
    if (listed.length === 0 && defined.length === 0 && open === undefined) rest.push(block)
  }
  return { terms, rest }
}

function termOf(line: string): string | undefined {
  return TERM.exec(line.trim())?.[1]
}

function definedTerms(text: string, block: Block): Term[] {
  return definitionsOf(text, block).flatMap(({ term, body }) => {
    const name = termOf(text.slice(term.start, term.end))
    const items = text.slice(body.start, body.end).split(/\n[ \t]*: ?/)
    return name === undefined ? [] : [{ term: name, items: items.map(oneLine) }]
  })
}
