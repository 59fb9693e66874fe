import { withoutSection } from '#lib/addresses/page-address.ts'
import { askedKeys } from '#documents/model/name-key.ts'
import { withFences, type Passage } from '#search/passage.ts'
import type { Confidence, Found } from './answer.ts'
import { type AskedTerms, askedTerms, questionTerms, shareOf, termsOf } from './asked-terms.ts'
import { askedSubject, definedTerm } from './question-parts.ts'
import { chooseExcerpts, type Excerpt, lengthOf } from './excerpts.ts'
import { beginsSection, rateSections, type Section } from './sections.ts'
import { sentencesOf } from '#documents/model/read-block.ts'
import { COMPLETE, DEFINING, LEVEL, SHORT_QUESTION, SURENESS } from './weights.ts'

/** Judgement of a question from the passages found for it. */
export type Judged = {
  asked: AskedTerms
  passages: readonly Passage[]
  /** Possible sources of the answer, best first. */
  sections: readonly Section[]
  /** The answer, if it is one part. */
  excerpts: Excerpt[]
  confidence: Confidence
}

/** Rates passages as sources of the answer to `question`, a part of `whole` or about a side (`subject`) of it. */
export function judgeQuestion(question: string, found: Found, whole = question, subject: string | null = null): Judged {
  const asked = askedTerms(question, found)
  const names = [subject, askedSubject(question)].flatMap((name) => (name === null ? [] : askedKeys(name).whole))
  const passages = withFences(found.passages)
  const sections = restrictSections(whole, rateSections(passages, asked, new Set(names)))
  const excerpts = chooseExcerpts(sections, asked)
  const confidence = confidenceOf({ asked, question, agreement: found.agreement }, sections, excerpts)
  return { asked, passages, sections, excerpts, confidence }
}

/** A release: `2.1`, `v2.1.0`. */
const RELEASE = /(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w.]*\d)/g

/** Keeps the sections about a release and a product in the question, if there are any: `zsh` for `upload://zsh/…`. */
function restrictSections(question: string, sections: readonly Section[]): readonly Section[] {
  const releases = releasesIn(question)
  // A title can name the release of the whole documentation. `3.38` has the patch `3.38.1`.
  const ofRelease = orAll(sections, ({ passage: { headings, title } }) =>
    releasesIn(headings.at(-1) ?? title).some((own) => releases.some((each) => `${own}.`.startsWith(`${each}.`))),
  )
  const words = new Set(questionTerms(question))
  return orAll(ofRelease, ({ passage }) => productOf(passage.url).some((name) => words.has(name)))
}

/** Domains whose subdomains are named for projects. */
const HOSTERS = /\.(?:github\.io|gitlab\.io|readthedocs\.(?:io|org)|pages\.dev|netlify\.app|vercel\.app)$/
const CODE_HOSTS = /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)$/

/** Folders at the top of a site that are named for what they contain, not for a product. */
const PLAIN_FOLDERS = new Set(
  termsOf(`api blog changelog cookbook docs documentation examples faq features guide guides help install integrations
  learn manual news packages plugins posts products recipes reference release releases resources start support tools topics
  tutorial tutorials`),
)

/** Terms of the names of a page's product: its upload, site (`vite` for `vite.dev`) or repository, and its top folder. */
function productOf(url: string): string[] {
  const parsed = URL.parse(url)
  if (parsed === null) return []
  const { protocol, hostname, pathname } = parsed
  const [, folder = '', ...below] = pathname.split('/')
  const terms = below.length > 0 ? termsOf(folder).filter((term) => !PLAIN_FOLDERS.has(term)) : []
  if (protocol === 'upload:') return [...termsOf(hostname), ...terms]
  if (CODE_HOSTS.test(hostname)) return [...termsOf(pathname.split('/', 3).join(' ')), ...terms]
  return [...termsOf(hostname.split('.').at(HOSTERS.test(hostname) ? -3 : -2) ?? ''), ...terms]
}

function releasesIn(text: string): string[] {
  return [...text.matchAll(RELEASE)].map(([, release = '']) => release)
}

function orAll(sections: readonly Section[], test: (section: Section) => boolean): readonly Section[] {
  const kept = sections.filter(test)
  return kept.length > 0 ? kept : sections
}

/** Confidence in the excerpts as an answer from these sections, best first. */
function confidenceOf(
  { asked, question, agreement }: { asked: AskedTerms; question: string; agreement: number },
  sections: readonly Section[],
  excerpts: readonly Excerpt[],
): Confidence {
  const [best] = sections
  if (!best) return 'none'
  const coverage = Math.max(...sections.map(({ covers }) => shareOf(covers, asked)))
  const isShort = asked.weights.size <= SHORT_QUESTION.terms
  const together = new Set(sections.flatMap(({ covers }) => [...covers]))
  const sentence = Math.max(...sections.flatMap(({ units }) => units.map(({ covers }) => shareOf(covers, asked))))
  const isDescribed = sentencesOf(question).length > 1
  const isPlain = asked.forms === 'none'
  const low = isPlain ? (isDescribed ? LEVEL.low.described : LEVEL.low.plain) : LEVEL.low.other
  const sureness =
    SURENESS.section * coverage +
    SURENESS.together * shareOf(together, asked) +
    SURENESS.headings * shareOf(best.above, asked) +
    SURENESS.sentence * sentence +
    SURENESS.agreement * agreement +
    SURENESS.terms * Math.log1p(best.covers.size) +
    SURENESS.bias
  // The model was fitted on whole questions, and underrates a word or two that a section has.
  const isDefinition = definedTerm(question) !== null
  const isNamed = isHeaded(best, asked) || (isDefinition && defines(best, asked))
  const isCovered = isShort && coverage >= SHORT_QUESTION.whole && isNamed
  if (sureness < low && !isCovered) return 'none'
  if (
    (sureness < (isPlain ? LEVEL.medium.plain : LEVEL.medium.other) && !isCovered) ||
    (isShort && coverage < SHORT_QUESTION.covered)
  )
    return 'low'
  if (isDefinition && !defines(best, asked)) return 'low'
  const isSure = isShort ? isAbout(best, asked) : sureness >= LEVEL.high
  const isHigh = isSure && leadOf(best, sections) >= LEVEL.lead && isComplete(excerpts, asked)
  return isHigh ? 'high' : 'medium'
}

function isAbout({ passage, above, covers }: Section, asked: AskedTerms): boolean {
  const hasAll = shareOf(covers, asked) >= SHORT_QUESTION.whole && shareOf(above, asked) >= SHORT_QUESTION.above
  return hasAll && (passage.heading === '' || beginsSection(passage))
}

/** Whether the section is an entry for the question, or its headings have all of it and, for one term, little more. */
function isHeaded({ passage, above, topic }: Section, asked: AskedTerms): boolean {
  if (topic.size > 0) return true
  if (shareOf(above, asked) < SHORT_QUESTION.whole) return false
  if (asked.weights.size > 1) return true
  return [passage.title, ...passage.headings].some((heading) => {
    const terms = questionTerms(heading, asked.language, asked.analyse)
    return terms.length <= DEFINING.besideTerm + 1 && terms.some((term) => asked.weights.has(term))
  })
}

/** Whether a section has the term in its title or headings, or a sentence of it says what the term is. */
function defines({ above, topic, units }: Section, asked: AskedTerms): boolean {
  if (topic.size > 0 || shareOf(above, asked) >= SHORT_QUESTION.above) return true
  return units.some(
    ({ text, covers, kind }) => kind !== 'code' && shareOf(covers, asked) >= SHORT_QUESTION.whole && SAYS.test(text),
  )
}

/** What a sentence says that defines something. */
const SAYS =
  /\b(?:is|are|was|were|means?|refers? to|stands? for|denotes?|called|known as|allows?|lets?|provides?|describes?|defines?|ist|sind|war|heißt|bedeutet|bezeichnet)\b|[:：–—]|(?!\p{Script=Latin})\p{L}/iu

/** Whether the answer is most of one section, or has a sentence with most of the question. */
function isComplete([first, second]: readonly Excerpt[], asked: AskedTerms): boolean {
  // A table or code alone does not say what it is for.
  if (!first || !first.units.some(({ kind }) => kind === 'sentence' || kind === 'item')) return false
  if (!second && lengthOf(first) >= COMPLETE.quoted * lengthOf(first.section)) return true
  return first.units.some((unit) => shareOf(unit.covers, asked) >= COMPLETE.unit)
}

/** Lead of the best page's score over the best one of other pages, 0 to 1. */
function leadOf(best: Section, sections: readonly Section[]): number {
  const pageOf = ({ passage }: Section) => withoutSection(passage.url)
  const others = sections.filter((section) => pageOf(section) !== pageOf(best))
  return 1 - Math.max(0, ...others.map(({ passage }) => passage.score)) / Math.max(best.passage.score, Number.MIN_VALUE)
}
