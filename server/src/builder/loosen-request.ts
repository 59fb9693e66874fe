import type { Request } from './read-request.ts'

/**
 * Looser readings of a request whose entries the content lacks: releases without the part, a term as a question, and
 * passages about its words. Comparisons and releases have no passages instead: one side is no comparison, and releases
 * are in changelogs only.
 */
export function looserThan(request: Request): Request[] {
  const { purpose, part, thing, asked, owner, sides } = request
  const isTerm = purpose === 'look_up' && thing === 'term'
  const questions = asked.map((each) => ({ ...each, thing: null, isText: true }))
  return [
    ...(purpose === 'changes' && part !== null ? [{ ...request, part: null }] : []),
    // `All settings of the desk`: what is no entry is what they speak of.
    ...(purpose === 'list' && owner !== '' ? [{ ...request, owner: '', subject: owner }] : []),
    // `The roles Guard and Curator`, `EPUB output`
    ...(purpose === 'compare' && sides.some((side) => side.includes(' '))
      ? [-1, 0].map((at) => ({ ...request, sides: sides.map((side) => side.split(' ').at(at) ?? side) }))
      : []),
    ...(isTerm ? [{ ...request, purpose: 'answer' as const, thing: null, asked: questions }] : []),
    ...(PASSAGES.has(purpose) ? [{ ...request, purpose: 'pages' as const }] : []),
  ]
}

/** Purposes that passages serve too. */
const PASSAGES: ReadonlySet<Request['purpose']> = new Set(['examples', 'summary', 'explain', 'steps', 'checklist'])
