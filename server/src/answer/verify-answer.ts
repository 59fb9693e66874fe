import { codeOf } from '#documents/model/text-parts.ts'
import type { Passage } from '#search/passage.ts'
import { isInjection } from './detect-injection.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { type Piece, piecesOf } from '#documents/model/pieces.ts'
import { bearsOut, bearsOutCode, type Evidence, evidenceOf } from './claim-support.ts'
import { sanitizeOutput } from './sanitize-output.ts'
import { sentencesOf } from './units.ts'

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
      ? bearsOutCode(withoutFence(text), passage)
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

function withoutFence(block: string): string {
  return block.split('\n').slice(1, -1).join('\n')
}

/** Rewrites `[1]`, `[1, 2]`, `[^1]`, `【1】` and `[1]` after the full stop to ` [1]` before it. Leaves code unchanged. */
function withMarksInside(markdown: string): string {
  let written = ''
  let from = 0
  for (const { start, end } of codeOf(markdown)) {
    written += withMarksInProse(markdown.slice(from, start)) + markdown.slice(start, end)
    from = end
  }
  return written + withMarksInProse(markdown.slice(from))
}

function withMarksInProse(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : normalise(part)))
    .join('')
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
  const rest = text
    .split(/(`[^`\n]+`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/(?<![ \t])[ \t]*\[(\d{1,3})\](?!\()/g, (_, n: string) => {
            const place = Number(n) - 1
            if (place >= 0 && place < passageCount) cited.add(place)
            return ''
          }),
    )
    .join('')
  return { text: rest.trimEnd(), cited: [...cited] }
}
