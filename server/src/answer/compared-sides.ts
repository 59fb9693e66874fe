import { isStopWord } from '#search/analyse/stop-words.ts'

/** The two things that a question compares. */
export type Comparison = {
  sides: [string, string]
  /** The rest of the question, such as `in Vue`. */
  context: string
}

/** Characters of a side: `the useLayoutEffect hook`. Longer ones are clauses. */
const LONGEST_SIDE = 60

const USE = String.raw`(?:use|choose|pick|prefer|take|want|need|go (?:with|for))`
const CHANGE = String.raw`(?:differ(?:ent)?|distinct|compare)`
const NOT = String.raw`(?:over|instead of|rather than|in place of)`

/** Two sides with a word between them: `between X and Y`. The first group comes before, the last one is the sides. */
const BETWEEN =
  /^(.{0,80}?)\b(?:differences?|differs?|distinctions?|distinguish|unterschiede?|différences?|diferencias?)(?: is| are)? (?:between|of|in|zwischen|entre) (.{1,200})$/i
const AND = / (?:and|und|et|y|or|vs\.?|versus|&) /i

/** Groups: what comes before, the first side, and the second side with what follows it. */
const NAMED = [
  /^(.{0,40}?)\bhow (?:do|does) (.{1,80}?) compare (?:to|with|against) (.{1,120})$/i,
  /^(.{0,40}?)\bcompar(?:e|ing|ison of) (.{1,80}?) (?:and|with|to|against) (.{1,120})$/i,
  /^(.{0,40}?)\bhow (?:do|does|is|are) (.{1,80}?) (?:differ|different|distinct) from (.{1,120})$/i,
  new RegExp(String.raw`^(.{0,40}?)\bhow (?:do|does|are|is) (.{1,60}?) and (.{1,60}?) ${CHANGE}\b.{0,60}$`, 'i'),
  /^(.{0,40}?)\bwhat (?:distinguishes|separates|sets) (.{1,60}?) (?:apart )?from (.{1,80})$/i,
  /^(.{0,40}?)\bwhat makes (.{1,60}?) (?:different|distinct|better|faster|slower)(?: than| from) (.{1,80})$/i,
  new RegExp(
    String.raw`^(.{0,40}?)\b(?:when|why|where) (?:to|(?:should|would|do|does|must|can) (?:i|we|you|one|someone|people)) ${USE} (.{1,60}?) ${NOT} (.{1,80})$`,
    'i',
  ),
  new RegExp(
    String.raw`^(.{0,40}?)\b(?:should (?:i|we|you) ${USE}|when (?:to|(?:should|do|would) (?:i|we|you)) ${USE}|which is (?:better|faster|preferred|recommended)[,:]?|which (?:one )?(?:should|do|would) (?:i|we|you) ${USE}[,:]?|what is better[,:]?|choose between|better[,:]?) (.{1,60}?),? or (.{1,80})$`,
    'i',
  ),
  /^(.{0,40}?)\b(?:is|are) (.{1,60}?) (?:the same as|different from|identical to|equivalent to) (.{1,80})$/i,
  // `ref and reactive difference`
  /^()(.{1,60}?) (?:and|or|vs\.?|versus|&) (.{1,60}?),? (?:the )?(?:differences?|comparison|compared|unterschiede?)\?*$/i,
  // `ref or reactive?`
  /^()(\S{2,60}) or (\S{2,60}?)\?*$/i,
] as const
const VERSUS = /^(.{1,120}?) (?:vs\.?|versus|compared (?:to|with)|as opposed to) (.{1,120})$/i

/** Words that end the second side: `in Vue`, `for forms?`, `, and when …`. */
const AFTER =
  /(?: (?:in|for|when|with|on|of|to|if|while|using|inside|as|within) |[?,.;:](?= |$)| and (?:when|which|how|what) )/i
/** What comes before the first side: `Vue: `, `When to use `. */
const BEFORE = /^.*(?:[?.:;,] | (?:use|using|choose|prefer|between|is|are|of) |^(?:use|using|when to use) )/i

/** The two sides of a comparison, or null. */
export function comparedSides(text: string): Comparison | null {
  const between = BETWEEN.exec(text)
  if (between) {
    const [first = '', ...rest] = (between[2] ?? '').split(AND)
    return comparison(between[1] ?? '', first, rest.join(' and '))
  }
  for (const form of NAMED) {
    const named = form.exec(text)
    if (named) return comparison(named[1] ?? '', named[2] ?? '', named[3] ?? '')
  }
  const versus = VERSUS.exec(text)
  if (!versus) return null
  const before = BEFORE.exec(versus[1] ?? '')?.[0] ?? ''
  return comparison(before, (versus[1] ?? '').slice(before.length), versus[2] ?? '')
}

function comparison(before: string, first: string, second: string): Comparison | null {
  const end = AFTER.exec(second)?.index ?? second.length
  const sides = [first, second.slice(0, end)].map(bareSide)
  const [one = '', other = ''] = sides
  if (!isSide(one) || !isSide(other) || one.toLowerCase() === other.toLowerCase()) return null
  return { sides: [one, other], context: `${before} ${second.slice(end)}` }
}

/** `not`, `report only that they differ` */
const CLAUSE = /^(?:how|what|when|where|why|not|no|without)\b|\b(?:that|they|it|you|i|we)\b/i

/** False for clauses, and for words without content. */
function isSide(side: string): boolean {
  return (
    side !== '' &&
    side.length <= LONGEST_SIDE &&
    !CLAUSE.test(side) &&
    side.split(' ').some((word) => !isStopWord(word))
  )
}

/** A side without articles, quotation marks and the nouns that introduce it: ```the command ```x```` `. */
function bareSide(side: string): string {
  return side
    .trim()
    .replace(
      /^(?:(?:the|an?|using|both|commands?|functions?|options?|methods?|directives?|modules?|tags?|der|die|das|le|la|el) )+/i,
      '',
    )
    .replaceAll(/[`"“”]/g, '')
    .trim()
}
