import { outsideCode } from '#lib/text/replace-links.ts'
import { codeOf, type Piece, piecesOf, sentencesOf } from '#documents/model/read-block.ts'
import type { Passage } from '#search/passage.ts'
import { isInjection, sanitizeOutput } from './injections.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { unitsOf } from './units.ts'
import { elementAt } from '#lib/arrays.ts'
import { questionTerms, termsOf } from './asked-terms.ts'

/** A verified piece of a written answer, with its supporting passages (by index, from 0). */
export type Statement = {
  text: string
  kind: Piece['kind']
  /** Statements of one paragraph or list share a group. */
  group: number
  passages: number[]
}

export type Verified = {
  statements: Statement[]
  /** Number of statements dropped for lack of support. */
  dropped: number
}

/** Verifies texts that a model writes from the same passages. The passages are read once. */
export type Verifier = (text: string) => Verified

/**
 * Verifies a model's answer against its passages, sentence by sentence. Removes citations of missing passages.
 * Reassigns a sentence to the passage that supports it, or drops it. Also drops text addressed to a model. A sentence
 * without a number takes the next number in its paragraph, as is usual in prose.
 */
export function answerVerifier(question: string, passages: readonly Passage[]): Verifier {
  const evidence = passages.map(evidenceOf)
  const asked = evidenceOf({ title: '', heading: '', passage: question, blocks: markdownBlocks(question) })
  const allowed = passages.map(({ passage }) => passage).join('\n')
  return (text) => verifyText(text, { asked, evidence, allowed })
}

type Grounds = { asked: Evidence; evidence: readonly Evidence[]; allowed: string }

function verifyText(text: string, { asked, evidence, allowed }: Grounds): Verified {
  const markdown = withMarksInside(text.replaceAll(/<think>[\s\S]*?(?:<\/think>|$)/g, ''))
  const claims = claimsOf(markdown, evidence.length).map((claim) =>
    claim.kind === 'code' ? claim : { ...claim, text: sanitizeOutput(claim.text, allowed) },
  )
  const statements = claims.flatMap((claim): Statement[] => {
    const found = judge(claim, asked, evidence)
    return found.length === 0 ? [] : [{ ...claim, passages: found }]
  })
  return { statements, dropped: claims.length - statements.length }
}

type Claim = Omit<Statement, 'passages'> & { cited: number[] }

/** Passages that support the claim; empty if it must be dropped. */
function judge({ text, kind, cited }: Claim, question: Evidence, evidence: readonly Evidence[]): number[] {
  if (isInjection(text)) return []
  const supports = (place: number) => {
    const passage = evidence[place]
    if (!passage) return false
    return kind === 'code'
      ? bearsOutCode(text.split('\n').slice(1, -1).join('\n'), passage)
      : bearsOut(text, passage, { question, isCited: cited.includes(place) })
  }
  // Code carries no citation marks, so search all passages.
  if (kind === 'code') return firstOf(evidence, supports)
  if (cited.length === 0) return []
  const kept = cited.filter(supports)
  if (kept.length > 0) return kept
  return bearsOutTogether(text, cited, question, evidence) ? cited : firstOf(evidence, supports)
}

function firstOf(evidence: readonly Evidence[], supports: (place: number) => boolean): number[] {
  const place = evidence.findIndex((_, index) => supports(index))
  return place < 0 ? [] : [place]
}

/** A sentence that cites several passages may combine them. */
function bearsOutTogether(
  text: string,
  cited: readonly number[],
  question: Evidence,
  evidence: readonly Evidence[],
): boolean {
  if (cited.length < 2) return false
  const all = cited.flatMap((place) => evidence[place] ?? [])
  const joined: Evidence = {
    terms: new Set(all.flatMap(({ terms }) => [...terms])),
    text: all.map((one) => one.text).join(' '),
    sentences: all.flatMap(({ sentences }) => sentences),
  }
  return bearsOut(text, joined, { question, isCited: true })
}

function claimsOf(markdown: string, passageCount: number): Claim[] {
  const claims: Claim[] = []
  for (const { kind, start, end, group } of piecesOf(markdown)) {
    const block = markdown.slice(start, end)
    if (kind === 'code') {
      claims.push({ text: block, kind, group, cited: [] })
      continue
    }
    const parts = kind === 'paragraph' ? sentencesOf(block).map((span) => block.slice(span.start, span.end)) : [block]
    const read = parts.map((part) => readMarks(part, passageCount))
    for (const [index, { text, cited }] of read.entries()) {
      if (!/[\p{L}\p{N}]/u.test(text)) continue
      const own = cited.length > 0 ? cited : (read.slice(index).find((later) => later.cited.length > 0)?.cited ?? [])
      // List items may inherit the citations of the line that introduces them.
      const before = kind === 'item' ? (claims.findLast((claim) => claim.cited.length > 0)?.cited ?? []) : []
      claims.push({ text, kind, group, cited: own.length > 0 ? own : before })
    }
  }
  return claims
}

/** Rewrites `[1]`, `[1, 2]`, `[^1]`, `【1】` and `[1]` after the full stop to ` [1]` before it. Leaves code unchanged. */
function withMarksInside(markdown: string): string {
  let written = ''
  let from = 0
  for (const { start, end } of codeOf(markdown)) {
    written += outsideCode(markdown.slice(from, start), normalise) + markdown.slice(start, end)
    from = end
  }
  return written + outsideCode(markdown.slice(from), normalise)
}

function normalise(text: string): string {
  return text
    .replaceAll(/【(\d{1,3})[^】\n]{0,20}】/g, '[$1]')
    .replaceAll(/\[\^?(\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})+)\](?!\()/g, (_, list: string) =>
      list
        .split(/[,;]/)
        .map((n) => `[${n.replace('^', '').trim()}]`)
        .join(' '),
    )
    .replaceAll(/\[\^(\d{1,3})\]/g, '[$1]')
    .replaceAll(/([.!?。])[ \t]*((?:\[\d{1,3}\](?!\()[ \t]*)+)/g, (_, stop: string, marks: string) => {
      const spaced = marks.endsWith(' ') ? ' ' : ''
      return ` ${marks.trim()}${stop}${spaced}`
    })
}

/** Splits a sentence into its text and its cited passages (from 0). Ignores numbers without a passage. */
function readMarks(text: string, passageCount: number): { text: string; cited: number[] } {
  const cited = new Set<number>()
  const rest = outsideCode(text, (prose) =>
    prose.replaceAll(/(?<![ \t])[ \t]*\[(\d{1,3})\](?!\()/g, (_, n: string) => {
      const place = Number(n) - 1
      if (place >= 0 && place < passageCount) cited.add(place)
      return ''
    }),
  )
  return { text: rest.trimEnd(), cited: [...cited] }
}

/** Minimum shares of a sentence's content words in the passage: of all words, and of those not in the question. */
const ALL_WORDS = 0.6
/** Threshold for a passage that the sentence does not cite. Higher, because more passages can match by chance. */
const ALL_WORDS_UNCITED = 0.85
const NEW_WORDS = 0.5
/** Minimum share of the lines of a code block found in the passage. Comments and an import may be the writer's. */
const CODE_LINES = 0.8

/** Minimum share of content words in common for two sentences to count as the same sentence. */
const SAME_SENTENCE = 0.75

const NEGATION = /\b(?:not|never|no|none|nor|neither|cannot|without)\b|n['’]t\b/i

/** Preprocessed passage for comparison. */
type Evidence = {
  terms: ReadonlySet<string>
  text: string
  sentences: { terms: ReadonlySet<string>; negated: boolean }[]
}

type Text = Pick<Passage, 'title' | 'heading' | 'passage' | 'blocks'>

function evidenceOf({ title, heading, passage, blocks }: Text): Evidence {
  const text = `${title}\n${heading}\n${passage}`
  const sentences = unitsOf(passage, blocks).map(({ start, end }) => {
    const said = passage.slice(start, end)
    return { terms: new Set(termsOf(said)), negated: NEGATION.test(said) }
  })
  return { terms: new Set(termsOf(text)), text: squeeze(text), sentences }
}

/** True if a passage has enough of a sentence's words, its facts unless the question has them, and no contradiction. */
function bearsOut(
  sentence: string,
  { terms, text, sentences }: Evidence,
  { question, isCited }: { question: Evidence; isCited: boolean },
): boolean {
  const known = (fact: string) => hasFact(text, fact) || hasFact(question.text, fact)
  if (!factsOf(sentence).every(known)) return false
  const words = questionTerms(sentence)
  const fresh = words.filter((word) => !question.terms.has(word))
  const has = (word: string) => terms.has(word)
  if (share(words, has) < (isCited ? ALL_WORDS : ALL_WORDS_UNCITED) || share(fresh, has) < NEW_WORDS) return false
  return !turnsRound(sentence, words, sentences)
}

/** True if a sentence negates, or is negated by, the sentence of a passage that it clearly paraphrases. */
function turnsRound(sentence: string, words: readonly string[], sentences: Evidence['sentences']): boolean {
  const shares = sentences.map(({ terms }) => share(words, (word) => terms.has(word)))
  const most = Math.max(...shares, 0)
  if (words.length < 2 || most < SAME_SENTENCE) return false
  const negated = NEGATION.test(sentence)
  return sentences.every((one, index) => elementAt(shares, index) < most || one.negated !== negated)
}

/** True if a passage contains a code block, compared line by line. */
function bearsOutCode(code: string, { text }: Evidence): boolean {
  const lines = code.split('\n').map(squeeze).filter(Boolean)
  return lines.length > 0 && share(lines, (line) => text.includes(line)) >= CODE_LINES
}

/** Numbers, inline code, URLs, identifiers and names: these cannot be paraphrased. */
function factsOf(sentence: string): string[] {
  const facts: string[] = []
  let rest = sentence
  for (const pattern of FACTS) {
    rest = rest.replaceAll(pattern, (found, inner?: string) => {
      facts.push(squeeze(typeof inner === 'string' ? inner : found))
      return ' '
    })
  }
  return facts.filter((fact) => /[\p{L}\p{N}]/u.test(fact))
}

const FACTS: readonly RegExp[] = [
  /`([^`\n]+)`/g,
  /https?:\/\/[^\s)\]>"']*[^\s)\]>"'.,;:!?]/gi,
  // Identifiers: joined by dots, underscores or slashes, or in mixed case.
  /(?:--?)?(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[._/][\p{L}\p{N}]+)+|(?<![\p{L}\p{N}_])\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu,
  /\p{N}+(?:[.,]\p{N}+)*/gu,
  // Names: capitalised words inside a sentence.
  /\p{Lu}(?<=[\p{L}\p{N},;:)]\s+\p{Lu})[\p{L}\p{N}]{2,}/gu,
]

/** Matches a number only as a whole, never inside a longer one. */
function hasFact(text: string, fact: string): boolean {
  if (!/^[\p{N}.,]+$/u.test(fact)) return text.includes(fact)
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    if (!/[\p{N}]/u.test(text.charAt(at - 1)) && !/\p{N}/u.test(text.charAt(at + fact.length))) return true
  }
  return false
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** Returns 1 for an empty list. */
function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 1 : all.filter(test).length / all.length
}
