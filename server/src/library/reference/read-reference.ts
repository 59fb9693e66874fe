import { declaredName } from '#documents/model/declared-name.ts'
import { type Code as Fence, codeOf, sectionsIn, withoutCode } from '#documents/model/text-parts.ts'
import type { Section } from '#documents/model/document.ts'
import { linesOf } from '../text-lines.ts'
import { type Parameter, readDocumentParameters } from './read-parameters.ts'
import { readSignature } from './read-signature.ts'

/** A bold term with its entries, the Markdown form of a definition list. */
type Term = { term: string; items: string[] }

const TERM = /^\*\*([^*\n]{1,60}?):?\*\*[ \t]*$/

/** Reference entry of a function, endpoint, option or type. Missing parts are null or empty. */
export type Reference = {
  signature: string | null
  /** First paragraph of the entry. */
  description: string
  parameters: Parameter[]
  returns: string | null
  errors: string[]
  example: { language: string | null; text: string } | null
}

const PARAMETERS =
  /^(?:(?:path|query|header|request|input) )?(?:parameters?|params|arguments?|args|options?|props|properties|fields|attributes|flags)\b|^request body\b|^(?:reference|details) .*parameters$/i
const RETURNS = /^(?:returns?|return (?:value|type)|result|output|responses?|success)\b/i
const ERRORS = /^(?:errors?|throws?|raises?|panics?|exceptions?|error (?:codes?|responses?))\b/i
const EXAMPLE = /^(?:examples?|usage|sample(?: request)?|basic (?:usage|example)|how to use)\b/i
const STATUS = /^([45](?:\d\d|XX)|default)\b/i

/** Maximum characters above a title. */
const MOST_ABOVE = 400

/** A longer block is an example, not a signature. */
const SIGNATURE_LINES = 15

/**
 * Parses the section about a name, starting at its heading. `name` is the last part of the requested name, which the
 * signature contains.
 */
export function readReference(markdown: string, name: string): Reference {
  const sections = sectionsIn(markdown)
  const [top, ...below] = startsAbove(sections) ? sections.slice(1) : sections
  const lead = top ? markdown.slice(top.body, top.end) : markdown
  const under = (pattern: RegExp) => below.filter(({ heading }) => pattern.test(heading))
  const whole = (section: Section) => markdown.slice(section.body, section.close).trim()
  const fences = codeOf(markdown)
  const signature = signatureOf({ fences: codeOf(lead), lead, heading: top?.heading ?? '', name })
  const terms = readTerms(lead)
  const termed = (pattern: RegExp) => terms.flatMap(({ term, items }) => (pattern.test(term) ? items : []))
  const told = [
    ...under(PARAMETERS).flatMap((section) => readDocumentParameters(whole(section))),
    ...termed(PARAMETERS).flatMap((item) => readDocumentParameters(`- ${item}`)),
  ]
  const [returns] = under(RETURNS)
  const signed = signature === null ? null : readSignature(signature)
  return {
    signature,
    description: firstParagraph(lead),
    parameters: firstFilled(
      told,
      readDocumentParameters(withoutTerms(lead).replace(/^[ \t]*[-*+] (?:returns?|throws?|raises?)\b.*$/gim, '')),
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
    example: exampleOf({ markdown, fences, sections: below, signature }),
  }
}

/** True if the text above the page title is only a line or two about its parent. */
function startsAbove([first, second]: readonly Section[]): boolean {
  return first?.level === 0 && second?.level === 1 && first.end < MOST_ABOVE
}

function firstFilled<T>(...lists: T[][]): T[] {
  return lists.find((list) => list.length > 0) ?? []
}

/** Removes definitions and lists below bold terms, because the term already labels them. */
function withoutTerms(lead: string): string {
  return lead.replaceAll(/^\*\*[^*\n]{1,60}\*\*[ \t]*\n(?:(?:: ?|[-*+] |[ \t]+).*\n?)+/gm, '')
}

/** The first success response. */
function successOf(markdown: string, below: readonly Section[], returns: Section): string {
  const inside = below.filter(({ start }) => start > returns.start && start < returns.close)
  const success = inside.find(({ heading }) => /^(?:2(?:\d\d|XX))\b/i.test(heading)) ?? null
  if (success) return `${success.heading}\n\n${markdown.slice(success.body, success.close).trim()}`
  return markdown.slice(returns.body, returns.close).trim()
}

/** Values of `- returns: …` and `**Returns:** …`, the Markdown form of doc comment tags. */
function tagged(text: string, tag: RegExp): string[] {
  return linesOf(text).flatMap((line) => {
    const [, word = '', rest = ''] =
      /^\s*(?:[-*+]\s+)?\*{0,2}@?(\w+(?: value)?)\*{0,2}:\*{0,2}\s*([^*\s].*|\*+[^*\s].*)$/.exec(line) ?? []
    return tag.test(word) ? [rest.trim()] : []
  })
}

type Signed = { fences: readonly Fence[]; lead: string; heading: string; name: string }

function signatureOf({ fences, lead, heading, name }: Signed): string | null {
  if (declaredName(heading) !== null) return heading
  const last = name.toLowerCase()
  const declares = ({ text }: Fence) => text.split('\n').length <= SIGNATURE_LINES && text.toLowerCase().includes(last)
  const [first] = fences
  const before = first ? lead.slice(0, first.start).replace(/\s+/g, ' ').trim().length : 0
  if (first && before < 400 && declares(first)) return first.text.trim()
  const call = /^`([A-Z]+ \S+)`$/m.exec(lead)
  if (call) return call[1] ?? null
  return isCall(heading) ? heading : null
}

/** Matches `name(…)` with any content in the parentheses. */
function isCall(heading: string): boolean {
  const open = /\w\s*\(/.exec(heading)
  return open !== null && heading.includes(')', open.index + open[0].length)
}

type Shown = { markdown: string; fences: readonly Fence[]; sections: readonly Section[]; signature: string | null }

function exampleOf({ markdown, fences, sections, signature }: Shown): Reference['example'] {
  const inExample = fences.find(({ start }) =>
    sections.some((section) => EXAMPLE.test(section.heading) && section.start < start && start < section.close),
  )
  const introduced = fences.find(({ start }) =>
    /\b(?:example|usage)\b[^\n]{0,80}\n+$/i.test(markdown.slice(Math.max(0, start - 120), start)),
  )
  const other = fences.findLast(({ text }) => text.trim() !== signature)
  const fence = inExample ?? introduced ?? other
  return fence ? { language: fence.language, text: fence.text } : null
}

function firstParagraph(lead: string): string {
  const blocks = withoutCode(lead).split(/\n{2,}/)
  return (
    blocks
      .map((block) => block.trim())
      .find((block) => /^(?!(?:Operation|Tags): |[#|`>*+-]|\d+\.\s|!\[)[\s\S]*\p{L}{2}/u.test(block)) ?? ''
  )
}

/** Terms of a text, each with its definitions or list items. Joins continuation lines. */
export function readTerms(markdown: string): Term[] {
  const terms: Term[] = []
  let open: Term | null = null
  for (const line of linesOf(markdown)) {
    const term = TERM.exec(line)?.[1]
    if (term !== undefined) {
      open = { term, items: [] }
      terms.push(open)
      continue
    }
    const item = /^(?:: ?|[-*+] )(.*)$/.exec(line)?.[1]
    if (open === null || line.trim() === '') continue
    if (item !== undefined) open.items.push(item.trim())
    else if (/^\s/.test(line) && open.items.length > 0) open.items.push(`${open.items.pop()} ${line.trim()}`)
    else open = null
  }
  return terms.filter(({ items }) => items.length > 0)
}
