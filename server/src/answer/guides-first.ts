import type { Passage } from '#search/passage.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Found } from './answer.ts'

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
