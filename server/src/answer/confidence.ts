import { isStopWord } from '#search/analyse/stop-words.ts'
import { sentencesOf } from '#documents/model/read-block.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { type Passage, withFences } from '#search/passage.ts'
import { countWord } from '#search/words-as-written.ts'
import type { Confidence, Found } from './answer.ts'
import { type AskedTerms, askedTerms, coveredTerms, shareOf } from './asked-terms.ts'
import { ANSWERED, COMPLETE } from './weights.ts'

/** A passage with the terms of the question that it has. */
export type Section = {
  passage: Passage
  /** In the page title and the headings. */
  above: ReadonlySet<string>
  /** In the section, its headings and the page title. */
  covers: ReadonlySet<string>
}

/** A question with the sections found for it, in the order of the search. */
export type Judged = {
  asked: AskedTerms
  sections: readonly Section[]
  confidence: Confidence
}

/** Sections that an answer shows. */
export const SHOWN = 3

/** Reads the sections found for a question, and judges how surely the first ones answer it. */
export function judgeQuestion(given: string, found: Found): Judged {
  const question = corrected(given, found.repaired ?? [])
  const asked = askedTerms(question, found)
  const sections = withFences(guidesFirst(question, found)).map((passage) => sectionOf(passage, asked))
  return { asked, sections, confidence: confidenceOf(question, sections, { asked, found }) }
}

/** Reads the terms when they are needed: most answers need those of the shown sections. */
function sectionOf(passage: Passage, asked: AskedTerms): Section {
  let covers: ReadonlySet<string> | undefined
  const above = coveredTerms(`${passage.title} ${passage.heading}`, asked)
  return {
    passage,
    above,
    get covers() {
      return (covers ??= coveredTerms(passage.passage, asked).union(above))
    },
  }
}

/** The question with the spelling that the search used. */
function corrected(question: string, repaired: readonly (readonly [string, string])[]): string {
  return repaired.reduce((text, [given, used]) => text.replaceAll(given, () => used), question)
}

function confidenceOf(
  question: string,
  sections: readonly Section[],
  { asked, found }: { asked: AskedTerms; found: Found },
): Confidence {
  const [best] = sections
  if (!best) return 'none'
  const signs = signsOf(question, sections, { asked, found })
  const { none, low } = ANSWERED.level
  const answered = weigh(ANSWERED.weights, signs) + ANSWERED.bias
  if (answered < none) return 'none'
  const isScattered = signs.sentence < SCATTERED * signs.section && lacksObject(question, sections)
  if (answered < low || isScattered || lacksName(question, sections, { asked, found })) return 'low'
  const isComplete = weigh(COMPLETE.weights, signs) + COMPLETE.bias >= COMPLETE.high
  return isComplete && !lacksProperty(question, sections, asked) ? 'high' : 'medium'
}

/** What tells whether the shown sections answer the question. */
export function signsOf(
  question: string,
  sections: readonly Section[],
  { asked, found }: { asked: AskedTerms; found: Found },
) {
  const [best] = sections
  const shown = sections.slice(0, SHOWN)
  const share = (terms: ReadonlySet<string>) => shareOf(terms, asked)
  return {
    section: Math.max(0, ...shown.map(({ covers }) => share(covers))),
    sentence: best ? sentenceShare(best, asked) : 0,
    agreement: found.agreement,
    terms: Math.log1p(best?.covers.size ?? 0),
    foreign: asked.forms === 'none' ? 0 : 1,
    described: sentencesOf(question).length > 1 ? 1 : 0,
    first: share(best?.covers ?? new Set()),
    lead: leadOf(sections),
  }
}

function weigh<S extends string>(
  weights: Readonly<Record<S, number>>,
  signs: Readonly<Record<NoInfer<S>, number>>,
): number {
  return (Object.keys(weights) as S[]).reduce((sum, sign) => sum + weights[sign] * signs[sign], 0)
}

/** Characters of a section read for its best sentence. */
const MOST_READ = 3_000

/** Largest share of the question in a sentence of a section, together with the headings above it. */
function sentenceShare({ passage: { passage }, above }: Section, asked: AskedTerms): number {
  const text = passage.slice(0, MOST_READ)
  const sentences = sentencesOf(text).map(({ start, end }) => coveredTerms(text.slice(start, end), asked))
  return Math.max(0, ...sentences.map((terms) => shareOf(terms.union(above), asked)))
}

/** Lead of the first page's score over the best one of other pages, 0 to 1. 0 if there is no other page to compare with. */
function leadOf([best, ...others]: readonly Section[]): number {
  const pageOf = ({ passage }: Section) => withoutSection(passage.url)
  const next = others.find((section) => best && pageOf(section) !== pageOf(best))
  return best && next ? 1 - next.passage.score / Math.max(best.passage.score, Number.MIN_VALUE) : 0
}

/** Capitalised words, and words with digits or underscores. */
const NAME = /^\p{Lu}|[\d_]/u
/** Name of the product that all pages are about: this share of the pages has it. */
const COMMON = 0.1

/**
 * True if a name in the question is in no section that an answer shows. Languages other than English capitalise other
 * words too, and a question of several sentences names things beside the matter.
 */
export function lacksName(
  question: string,
  sections: readonly Section[],
  { asked, found }: { asked: AskedTerms; found: Found },
): boolean {
  if (asked.forms !== 'none' || sentencesOf(question).length > 1) return false
  const common = new Set(
    found.words.flatMap(({ word, share, isUnknown }) => (share >= COMMON && !isUnknown ? [word.toLowerCase()] : [])),
  )
  const names = namesIn(question).map((words) => words.filter((word) => !common.has(word)))
  if (names.every((words) => words.length === 0)) return false
  const texts = sections.slice(0, SHOWN).map(({ passage: { title, heading, passage, url } }) => {
    return `${title} ${heading} ${url} ${passage}`.toLowerCase()
  })
  return names.some((words) => !texts.some((text) => words.every((word) => hasWord(text, word))))
}

/** Below this part of the share that a section has of the question, its words are in no sentence together. */
const SCATTERED = 0.6
/** `A text message`, in English */
const OBJECT = /\ban? ([a-z]{3,}) ([a-z]{3,})(?= |[?.!,]|$)/

/** `A different version` is any version. */
const GENERAL = /^(?:new|old|different|certain|bad|good|specific|given|single|simple|big|large|small|other|get)$/

/** True if a thing that a question names by two words is in no sentence of a shown section. */
function lacksObject(question: string, sections: readonly Section[]): boolean {
  const [, ...words] = OBJECT.exec(question) ?? []
  if (words.length === 0 || words.some((word) => isStopWord(word) || GENERAL.test(word))) return false
  return !sections.slice(0, SHOWN).some(({ passage: { title, heading, passage } }) => {
    const text = passage.slice(0, MOST_READ)
    const sentences = sentencesOf(text).map(({ start, end }) => text.slice(start, end))
    return [`${title} ${heading}`, ...sentences].some((part) =>
      words.every((word) => hasWord(part.toLowerCase(), word)),
    )
  })
}

/** `What is the price of a contract?` asks for the price. */
const PROPERTY = /^what(?:'s| is| are) the (?:[a-z-]+ ){0,3}([a-z-]{3,}) (?:of|for)\b/i

/** True if no shown section has the property of a thing that a question asks for. */
function lacksProperty(question: string, sections: readonly Section[], asked: AskedTerms): boolean {
  const terms = coveredTerms(PROPERTY.exec(question)?.[1] ?? '', asked)
  return terms.size > 0 && sections.slice(0, SHOWN).every(({ covers }) => covers.isDisjointFrom(terms))
}

/** The names in a question, each with its words: a name of several is one thing. The first word has a capital anyway. */
function namesIn(question: string): string[][] {
  const names: string[][] = [[]]
  for (const word of question.split(/\s+/).slice(1)) {
    const bare = bareName(word)
    if (NAME.test(word) && !isStopWord(bare)) names.at(-1)?.push(bare)
    if (!NAME.test(word) || /[?!,;:]$/.test(word)) names.push([])
  }
  return names
}

/** True if a text has a word, or its plural. */
function hasWord(text: string, word: string): boolean {
  return countWord(text, word) + countWord(text, `${word}s`) > 0
}

/** A name in lower case, without punctuation and the ending of the genitive. */
function bareName(name: string): string {
  const [bare = ''] = name
    .toLowerCase()
    .replaceAll(/[`"()]/g, '')
    .split(/[?!,;:]|\.$|['’]s$/)
  return bare
}

/** Asks for steps, and names nothing of an API. */
const ASKS_HOW = /^(?!.*(?:\w_\w|\w\.\w|\w\(|\p{Ll}\p{Lu}))\s{0,20}[Hh]ow (?:do|can|to|should|would|could)\b/u
/** `Task.track_started`, `send_event(type, retry=True)`, `aws_region = None`. */
const SIGNATURE = /^(?:class |def |async )?([\w$][\w.$:]*)( ?\(.*| = .*)?$/
/** A section that says what its page is about. */
const INTRODUCTION =
  /^[\d.\s]{0,8}(?:the )?(?:abstract|background|goals?|intention|introduction|motivation|overview|purpose|summary)$/i
/** Title of a manual page about a function. */
const MANUAL = /^\S+\([23]\w*\) [-–—]/
/** Factor of the score of a member of an API. */
const MEMBER = 0.8

/**
 * The found passages, best first. Members of an API lose to guides if a question asks how and names no member: their
 * descriptions repeat its words, and do not say what to do.
 */
export function guidesFirst(question: string, { passages, named = 0 }: Found): readonly Passage[] {
  if (named > 0 || !ASKS_HOW.test(question)) return passages
  const scoreOf = (passage: Passage) => passage.score * (isMember(passage) ? MEMBER : 1)
  const sorted = passages.toSorted((a, b) => scoreOf(b) - scoreOf(a))
  const [first] = sorted
  const isStep = ({ url, blocks }: Passage) =>
    first !== undefined &&
    withoutSection(url) === withoutSection(first.url) &&
    blocks.some(({ kind }) => kind === 'code')
  const steps = INTRODUCTION.test(first?.headings.at(-1) ?? '') ? sorted.find(isStep) : undefined
  return steps === undefined ? sorted : [steps, ...sorted.filter((passage) => passage !== steps)]
}

function isMember({ title, headings, blocks }: Passage): boolean {
  return (
    MANUAL.test(title) ||
    isSignature(headings.at(-1) ?? '') ||
    blocks.some((block) => block.kind === 'heading' && block.declares === true)
  )
}

/** A name alone is one if it has several parts. */
function isSignature(heading: string): boolean {
  const [, name, rest] = SIGNATURE.exec(heading) ?? []
  return name !== undefined && (rest !== undefined || /[\w$][.:_][\w.$:]/.test(name))
}
