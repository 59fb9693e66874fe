import { elementAt } from '#lib/arrays.ts'
import { isOfApi } from '../library-page.ts'
import type { Section } from '../model/document.ts'
import type { NamedText } from './read-named.ts'

/** Match on the whole name, on its last part only, or on a similar name. */
export type Match = 'exact' | 'part' | 'similar'

/** Score bonus of an `operationId`, which is unique in its description, over headings with the same name. */
const OPERATION = 4
/** Score bonus of the program that an option is for. Many programs have the same options. */
const PROGRAM = 2
/** Score bonus of a heading that says the kind of the name, above a heading that is the name. */
const KIND = 2.5
const KINDS = new Set(
  'command directive function macro method option pragma property statement type variable'.split(' '),
)
/** Characters at the start of a section in which its code declares the name. */
const HEAD = 1_500

const REFERENCE =
  /(?:^|[/._-])(?:api|apis|reference|references|ref|sdk|docs?-api|config|options|cli|commands)(?:$|[/._-])/i
const PROSE =
  /(?:^|[/._-])(?:blog|news|tutorials?\d*|changelog|releases?|migrat\w*|upgrad\w*|faq|issues|pull|examples?|4x|3x|legacy)(?:$|[/._-])/i

/** Worth of a section as the description of a name. */
export function scoreOf(place: NamedText & { match: Match }, name: string): number {
  const { page, section, match, isOperation } = place
  const heading = section.level === 0 ? page.title : section.heading
  const last = name.split(/\.|::|#|->|\s/).at(-1) ?? name
  const similarity = match === 'similar' ? nameSimilarity(heading.toLowerCase(), name.toLowerCase()) : 0
  // A section whose code says `c.json` describes it under any heading.
  const isSaid = match === 'part' && page.markdown.slice(section.start, section.close).includes(name)
  return (
    { exact: 3, part: 1, similar: similarity }[match] +
    worthIf(isOperation, OPERATION) +
    worthIf(section.start === 0, 0.5) +
    ofPage(place, name) +
    ofHeading(heading, name, last) +
    ofText(place, last) +
    (match === 'part' ? membership(section, name) : 0) +
    worthIf(isSaid, 1)
  )
}

function worthIf(fits: boolean | undefined, worth: number): number {
  return fits ? worth : 0
}

function ofPage({ page, section }: NamedText, name: string): number {
  const path = page.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  // `vite` of `vite --host`, `imfile` of `imfile PollingInterval`.
  const program = /^([\w.-]{2,60})\s/.exec(name)?.[1]?.toLowerCase() ?? ''
  const words = `${page.url} ${page.title} ${section.path.join(' ')}`.toLowerCase().split(/[^\w-]+/)
  return (
    worthIf(isOfApi(page), 2) +
    worthIf(REFERENCE.test(path), 1) -
    worthIf(PROSE.test(path), 1.5) +
    worthIf(program !== '' && words.includes(program), PROGRAM)
  )
}

function ofHeading(heading: string, name: string, last: string): number {
  const lower = heading.toLowerCase()
  // `Vec::drain` and `vec::Drain` differ only in case.
  const spelling = heading.includes(last) ? 1 : lower.includes(last.toLowerCase()) ? -1 : 0
  const open = heading.indexOf('(')
  // `AllowOverride Directive` heads the reference, and `AllowOverride` alone can be a part of a guide.
  const words = lower.replaceAll('`', '').split(' ')
  const isOfKind = words.length === 2 && words[0] === last.toLowerCase() && KINDS.has(words[1] ?? '')
  return (
    worthIf(heading.includes(name), 0.5) +
    spelling +
    worthIf(lower.replace(/^[a-z]+: | \([^()]*\)$/g, '') === name.toLowerCase(), 1.5) +
    worthIf(open >= 0 && heading.includes(')', open), 0.4) +
    worthIf(isOfKind, KIND)
  )
}

/** Favours sections that begin with code about the name. */
function ofText({ page: { markdown }, section: { start, close }, sections }: NamedText, last: string): number {
  const blocks = sections.flatMap((each) => each.blocks).filter((block) => block.end <= close)
  const code = blocks.find(({ kind }) => kind === 'code')
  const isDeclared =
    code !== undefined && code.start < start + HEAD && markdown.slice(code.start, code.start + 600).includes(last)
  return worthIf(isDeclared, 1)
}

/** For `dict.get`: favours a `get` below a heading about `dict` over `Cookie.get`. */
function membership({ heading, path }: Section, name: string): number {
  const owner = /(?<![\w$])([\w$]+)(?:\.|::|#|->)[\w$]+$/.exec(name)?.[1]?.toLowerCase()
  if (owner === undefined) return 0
  const own = /(?<![\w$])([\w$]+)(?:\.|::|#|->)[\w$]+/.exec(heading)?.[1]?.toLowerCase()
  if (own !== undefined) return own === owner ? 1 : -1
  return worthIf(
    path.some((above) =>
      above
        .toLowerCase()
        .split(/[^\w$]+/)
        .includes(owner),
    ),
    1,
  )
}

/** Minimum similarity of suggested names: two of eight letters may differ. */
export const SIMILAR = 0.75

/** Similarity of two texts, 0 to 1: one minus Levenshtein distance divided by the longer length. */
export function nameSimilarity(a: string, b: string): number {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (long.length === 0) return 1
  if (long.length > 60 || short.length < long.length * SIMILAR) return 0
  let before = Array.from({ length: short.length + 1 }, (_, index) => index)
  for (let i = 1; i <= long.length; i++) {
    const row = [i]
    for (let j = 1; j <= short.length; j++) {
      const change = elementAt(before, j - 1) + (long[i - 1] === short[j - 1] ? 0 : 1)
      row.push(Math.min(change, elementAt(before, j) + 1, elementAt(row, j - 1) + 1))
    }
    before = row
  }
  return 1 - elementAt(before, short.length) / long.length
}
