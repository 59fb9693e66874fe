import { isUnder } from '#documents/model/sections.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { addressInPassage, type Passage } from '#search/passage.ts'
import { isFact, isPointer, type ScoredUnit, type Section } from './sections.ts'
import { type AskedTerms, shareOf } from './asked-terms.ts'
import { EXCERPT } from './weights.ts'
import type { AnswerCitation } from './answer.ts'
import { outsideCode, removeSpans, replaceLinks } from '#lib/text/replace-links.ts'

/** Units of one section, in order. */
export type Excerpt = { section: Section; units: ScoredUnit[] }

const OPTIONS_HEADING = /^(?:options|parameters|arguments|usage|syntax|examples?)$/i

/** Quotes the best section, and a second one if it adds question terms. */
export function chooseExcerpts([best, ...others]: readonly Section[], asked: AskedTerms): Excerpt[] {
  if (!best) return []
  const needsCompany = isShort(best)
  const known = shareOf(best.covers, asked)
  // The other side of a comparison adds to the answer even if the best section mentions it.
  const isOtherSide = ({ topic }: Section) => !topic.isSubsetOf(best.topic)
  // A section about the thing that the question names is the answer, even if others have more of its words.
  const isEnough = best.isEntry || (best.topic.size > 0 && !needsCompany)
  const hasOptions = (section: Section) => isOptionsOf(best, section) || isOptionsOf(section, best)
  const candidates = isEnough ? [] : [...others.slice(0, EXCERPT.candidates), ...others.filter(hasOptions)]
  const second = [...others.filter(isOtherSide), ...candidates].find((section) => {
    const gain = shareOf(section.covers.union(best.covers), asked) - known + (hasOptions(section) ? EXCERPT.options : 0)
    const isWelcome = needsCompany && section.value >= EXCERPT.short.value * best.value
    return isOtherSide(section) || gain >= EXCERPT.gain || isWelcome
  })
  if (!second) return [excerptOf(best, EXCERPT.alone)]
  const first = excerptOf(best, EXCERPT.together - EXCERPT.second)
  const left = EXCERPT.together - lengthOf(first)
  const further = excerptOf(second, Math.min(EXCERPT.second, left))
  return lengthOf(further) <= left ? [first, further] : [first]
}

function isOptionsOf({ passage: best }: Section, { passage }: Section): boolean {
  const isBelow = passage.headings.length > best.headings.length && isUnder(best.headings, passage.headings)
  const isSamePage = withoutSection(passage.url) === withoutSection(best.url)
  return isBelow && isSamePage && OPTIONS_HEADING.test(passage.headings.at(-1) ?? '')
}

/** The best unit and those around it, as many as fit. A single unit may be longer. */
export function excerptOf(section: Section, most: number): Excerpt {
  const { units } = section
  const lengths = units.map(({ text }) => text.length + 1)
  const scoreAt = (at: number) => units[at]?.score ?? -1
  const fits = (at: number) => (lengths[at] ?? 0) <= most
  const isStronger = (at: number, best: number) => fits(at) && (!fits(best) || scoreAt(at) > scoreAt(best))
  let from = units.reduce((best, _, at) => (isStronger(at, best) ? at : best), 0)
  let to = from
  let left = most - (lengths[from] ?? 0)
  for (;;) {
    const up = (lengths[from - 1] ?? Infinity) <= left ? scoreAt(from - 1) : -1
    const down = (lengths[to + 1] ?? Infinity) <= left ? scoreAt(to + 1) : -1
    if (up < 0 && down < 0) break
    left -= (down >= up ? lengths[++to] : lengths[--from]) ?? 0
  }
  const chosen = units.slice(from, to + 1)
  const telling = chosen.filter(({ text }) => !isFact(text))
  return { section, units: withoutTail(telling.length > 0 ? telling : chosen) }
}

/** Drops paragraphs without question terms at the end, and a last sentence that only leads to what is not quoted. */
function withoutTail(units: readonly ScoredUnit[]): ScoredUnit[] {
  const last = units.findLast(({ kind, covers }) => kind !== 'sentence' || covers.size > 0)
  const kept = last ? units.filter(({ group }) => group <= last.group) : [...units]
  const best = Math.max(...kept.map(({ score }) => score))
  const end = kept.findLastIndex(
    ({ kind, text, score }) => kind !== 'sentence' || score === best || !(/[:：]$/.test(text) || isPointer(text)),
  )
  return kept.slice(0, end + 1)
}

/** True if there is so little to quote that a second section is welcome. */
export function isShort(quoted: Pick<Excerpt, 'units'>): boolean {
  return lengthOf(quoted) < EXCERPT.short.length
}

/** Characters of the units with the space between them. */
export function lengthOf({ units }: Pick<Excerpt, 'units'>): number {
  return units.reduce((sum, { text }) => sum + text.length + 1, 0)
}

export type ShownExcerpt = Excerpt & { hasHeading: boolean }

/** A part of a passage, and its offset there. */
export type Quote = { text: string; start: number }

export const NOTHING: Quote = { text: '', start: 0 }

/** Joins adjacent sentences and items of one list into runs, below the headings of the page. Each run gets one mark. */
export function writeExcerpt({ section: { passage }, units, hasHeading }: ShownExcerpt, n: number): string {
  const runs: ScoredUnit[][] = []
  for (const unit of units) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    // Sentences with a gap between them must not read as consecutive.
    const isNext = unit.kind !== 'sentence' || (before && before.index + 1 === unit.index)
    if (run && before?.group === unit.group && isNext) run.push(unit)
    else runs.push([unit])
  }
  const headings = passage.blocks.filter(({ kind }) => kind === 'heading')
  let from = hasHeading ? 0 : (units[0]?.start ?? 0)
  return runs
    .flatMap((run) => {
      const to = run[0]?.start ?? from
      const heading = headings.findLast(({ start }) => start >= from && start < to)
      from = run.at(-1)?.end ?? from
      const shown = heading && escapeMarks(passage.passage.slice(heading.start, heading.end).trim())
      return [...(shown ? [shown] : []), markRun(run, n)]
    })
    .join('\n\n')
}

/** Marks a run. After a fence or table the mark needs a separate line, which must not look like a citation. */
function markRun(run: readonly ScoredUnit[], n: number): string {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return ''
  if (first.kind === 'code') return `${first.text}\n\n(from [${n}])`
  if (first.kind === 'sentence') return `${escapeMarks(first.passage.passage.slice(first.start, last.end))} [${n}]`
  const lines = run.map(({ text }) => escapeMarks(text)).join('\n')
  return first.kind === 'table' ? `${lines}\n\n(from [${n}])` : `${lines} [${n}]`
}

/** Escapes a literal `[2]` of a page, so that it cannot pass for a citation. Our marks are never inside code. */
export function escapeMarks(text: string): string {
  return text.replaceAll(/`[^`\n]+`|\[\d+\](?![(:])/g, (found) => (found.startsWith('`') ? found : `\\${found}`))
}

/** Quotes from the first to the last unit if they are close together and have one address, else the best unit alone. */
export function quoteOf(units: readonly ScoredUnit[], passage: Passage): Quote {
  const first = units[0]
  const last = units.at(-1)
  if (!first || !last) return NOTHING
  const together = passage.passage.slice(first.start, last.end)
  const isTogether = addressInPassage(passage, first.start) === addressInPassage(passage, last.start)
  if (isTogether && together.length <= 600) return { text: together, start: first.start }
  return units.reduce((best, unit) => (unit.score > best.score ? unit : best))
}

/** Cites the place of the quote, which can be on a later page of a PDF than the start of the passage. */
export function citation(n: number, passage: Passage, quote: Quote): AnswerCitation {
  const { title, heading, sourceId, score } = passage
  return { n, title, heading, url: addressInPassage(passage, quote.start), sourceId, quote: quote.text, score }
}

/** Injected instructions are harmless in an extractive answer, but they answer nothing. */
export function withoutInjections(excerpts: readonly Excerpt[]): Excerpt[] {
  return excerpts
    .map(({ section, units }) => ({ section, units: units.filter(({ text }) => !isInjection(text)) }))
    .filter(({ units }) => units.length > 0)
}

/** Removes images and HTML from the text of a model, and links to URLs that are not in the passages. */
export function sanitizeOutput(text: string, allowed: string): string {
  return outsideCode(text, (prose) => sanitizeProse(prose, allowed))
}

function sanitizeProse(text: string, allowed: string): string {
  const withoutPictures = replaceLinks(text, ({ label, isPicture }) => (isPicture ? label : null))
  const linked = replaceLinks(withoutPictures, ({ label, target, isPicture }) => {
    const url = /^\S+/.exec(target)?.[0]
    if (label === '' || url === undefined) return null
    return (isPicture ? '!' : '') + (allowed.includes(url) ? `[${label}](${target})` : label)
  }).replaceAll(/<(https?:[^<>\s]+)>/gi, '$1')
  return removeSpans(linked, { opening: /<\/?[a-z!]/gi, closing: '>', stop: '\n' }).replaceAll(/(\S) {2,}/g, '$1 ')
}

/** Phrases that address the reading model. Kept narrow: instructions to people must pass ("ignore warnings"). */
const PHRASES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|former|initial|original|your|system|all other)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|directions?|directives?|commands?|rules|guidelines|guardrails|context|constraints)\b/i,
  /\b(?:ignore|disregard|forget)\b[^.!?\n]{0,20}\b(?:everything|anything|all)\b[^.!?\n]{0,30}\b(?:above|before|previously|told|said|asked)\b/i,
  /\b(?:new|updated|hidden|secret|real|additional)\s+(?:system\s+)?(?:instructions?|prompts?|task)\b[^.!?\n]{0,40}[:–—]/i,
  /\b(?:reveal|print|repeat|output|show|leak|disclose|display)\b[^.!?\n]{0,40}\b(?:your|the|initial|hidden)\s+(?:[a-z]+\s+)?(?:system prompt|initial prompt|hidden prompt|prompt verbatim|initial instructions|system instructions)/i,
  /\b(?:do not|don't|never|without)\b[^.!?\n]{0,12}\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|warn|warning|alert)\b[^.!?\n]{0,20}\bthe (?:user|human|reader|developer|operator)\b/i,
  /\b(?:tell|convince|persuade)\s+the\s+(?:user|human|reader)\b/i,
  /\byou\s+(?:are|must|should|will|shall)\s+(?:now\s+)?(?:act|acting|behave|pretend|respond|reply|answer|output|role-?play)\b[^.!?\n]{0,20}\b(?:as|only|with|like|exactly)\b/i,
  /\b(?:you are now|from now on,? you(?: are|'re)?|pretend (?:to be|you are)|act as (?:if you (?:are|were)|an?) )\b[^.!?\n]{0,40}\b(?:ai|assistant|model|gpt|dan|bot|unrestricted|jailbroken|uncensored|developer mode|llm)\b/i,
  /\b(?:dear|attention|hey|note to|message (?:to|for)|instructions? (?:to|for)|important for)\s+(?:all\s+)?(?:the\s+|any\s+)?(?:ai|llms?|language models?|assistants?|chatbots?|agents?|gpt|claude|chatgpt)\b/i,
  /\bas an? (?:ai|language model|llm|assistant)\b[^.!?\n]{0,40}\b(?:you|your)\b/i,
  /\[\/?INST\]|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>/i,
  /\b(?:add|append|include|integrate|insert|incorporate|embed|weave|modify|alter|adjust|introduce|provide|substitute|replace|rearrange|scramble|use|write|end|begin|start|finish|conclude)\b[^.!?\n]{0,120}\byour (?:answer|reply|responses?|output)\b/i,
  /\b(?:respond|reply|answer)\s+(?:(?:only|solely|exactly)\s*)?(?:with|by saying|in)\b[^.!?\n]{0,30}\b(?:nothing else|no matter|regardless|instead of|to (?:every|all|any) (?:question|request)s?)\b/i,
]

/** True if a text addresses the model that reads it, as injected instructions do. */
export function isInjection(text: string): boolean {
  return PHRASES.some((phrase) => phrase.test(text))
}
