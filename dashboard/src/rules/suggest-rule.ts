/** The effect of a rule on a page. */
export type Wish = 'first' | 'less' | 'never'

/** A sentence for a rule, and the only source that it is about. */
export type DraftedRule = { sentence: string; sourceId: string | null }

/** A passage as a search ranked it. */
export type Ranked = { url: string; sourceId: string; score: number }
type Sources = { sources: readonly { id: string; url: string; label: string | null }[] }
type Context = {
  server: Sources
  /** Words of the question that the rule is for; without any, it applies to every question. */
  words: readonly string[]
  /** All passages of the search, best first. Without them, the usual strength is used. */
  ranked?: readonly Ranked[]
}

/** Words of strengths with their factors (`RULE_WEIGHTS` in the contract), the mildest first. */
const RAISING = [
  ['higher', 1.5],
  ['first', 2.5],
] as const
const LOWERING = [
  ['slightly lower', 0.85],
  ['lower', 0.6],
  ['last', 0.3],
] as const
const STRONGEST = { first: 'first', less: 'last' }
/** Default ratio of the rival's score to the page's, if no search gives it. It selects the words of medium strength. */
const USUAL = { first: 1.2, less: 0.7 }
/** A factor has to change the order with this margin, because scores of other questions differ. */
const MARGIN = 1.05
/** Longest sentence of a rule. */
const MOST = 600
/** Words of a condition. More would make the rule apply to almost every question. */
const MOST_WORDS = 2
/** A word on more pages than this says nothing about a question. */
const MOST_SHARE = 0.5
/** Characters that end a path in a sentence. `*` stands for any. */
const BREAKS = /[\s,;!?()[\]{}"“”„«»「」『』`'‘’，。！？；：、・]+/g

/**
 * The wish about a page as a sentence that compiles to it, with the mildest words that change the order. Null if no
 * rule
 * can tell the page from all others.
 */
export function suggestRule(wish: Wish, place: Ranked, context: Context): DraftedRule | null {
  const { server, words, ranked = [] } = context
  const others = ranked.filter(({ url }) => pageOf(url) !== pageOf(place.url))
  const subject = subjectOf(place, server, others)
  if (subject === null) return null
  const { text, isSource, covers } = subject
  // A path can be on several sites.
  const sourceId = isSource || server.sources.length < 2 ? null : place.sourceId
  // Without the page, the others below its path would be missing too.
  if (wish === 'never' && !isSource && others.some(covers)) return null
  if (wish === 'never') return { sentence: isSource ? `Never use ${text}.` : `Leave out ${text}.`, sourceId }
  const rival = others.find((other) => !covers(other))
  const ratio = rival ? Math.max(0, rival.score) / Math.max(0.001, place.score) : USUAL[wish]
  const how = wordFor(wish, ratio)
  if (how === null && rival) {
    const sentence = bothOf(text, subjectOf(rival, server, [place])?.text, words)
    if (sentence) return { sentence, sourceId: rival.sourceId === place.sourceId ? sourceId : null }
  }
  return { sentence: rank(text, how ?? STRONGEST[wish], words), sourceId }
}

/** The mildest word that changes the order. Null if none is strong enough. */
function wordFor(wish: 'first' | 'less', ratio: number): string | null {
  if (wish === 'less') return LOWERING.find(([, factor]) => factor * MARGIN < ratio)?.[0] ?? STRONGEST.less
  return RAISING.find(([, factor]) => factor > ratio * MARGIN)?.[0] ?? null
}

/** A sentence that prefers one page and moves the best one down. Null if it is too long for a rule. */
function bothOf(text: string, other: string | undefined, words: readonly string[]): string | null {
  if (other === undefined) return null
  const sentence = `${rank(text, STRONGEST.first, words)} ${rank(other, STRONGEST.less, words)}`
  return sentence.length <= MOST ? sentence : null
}

function rank(what: string, how: string, words: readonly string[]): string {
  const asked = words.map((word) => `“${word}”`).join(' or ')
  return asked === '' ? `Rank ${what} ${how}.` : `When asked about ${asked}, rank ${what} ${how}.`
}

export const pageOf = (url: string): string => url.split('#')[0] ?? url

type Subject = { text: string; isSource: boolean; covers: (other: Ranked) => boolean }

/** The page by its path, or else its source. Null if both also contain every other page of the search. */
function subjectOf({ url, sourceId }: Ranked, { sources }: Sources, others: readonly Ranked[]): Subject | null {
  const tellsApart = ({ covers }: Subject) => others.length === 0 || !others.every(covers)
  const path = pathOf(url)
  if (path !== null) {
    const covers = (other: Ranked) => other.sourceId === sourceId && isUnder(other.url, path)
    const below = { text: `pages under ${path}`, isSource: false, covers }
    if (tellsApart(below)) return below
  }
  const source = sources.find(({ id }) => id === sourceId)
  if (!source || sources.length < 2) return null
  const text = `“${(source.label ?? source.url).replace(/["“”]/g, '')}”`
  const whole = { text, isSource: true, covers: (other: Ranked) => other.sourceId === sourceId }
  return tellsApart(whole) ? whole : null
}

/** True for the page at a path and all below it. */
function isUnder(url: string, path: string): boolean {
  const other = pathOf(url)
  return other !== null && (other === path || other.startsWith(path.endsWith('/') ? path : `${path}/`))
}

function pathOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const path = new URL(url).pathname.replace(BREAKS, '*')
  return /^\/[^/*]/.test(path) ? path : null
}

/** The words that distinguish a question from others, spelled as in the question. Those of the search are stems. */
export function tellingWords(question: string, searched: readonly { word: string; share: number }[]): string[] {
  const own = question.match(/[\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? []
  const rare = searched.filter(({ share }) => share <= MOST_SHARE)
  const chosen = (rare.length > 0 ? rare : searched).toSorted((a, b) => a.share - b.share).slice(0, MOST_WORDS)
  return [...new Set(chosen.map(({ word }) => own.find((one) => isForm(one, word)) ?? word))]
}

/** Endings differ: `oiling` has the stem `oil`, and `copies` the stem `copi`. */
function isForm(word: string, stem: string): boolean {
  return word.toLowerCase().startsWith(stem.toLowerCase().slice(0, Math.max(3, stem.length - 1)))
}
