import type { RuleNote } from '#search/rules/active-rules.ts'

/** Describes in a sentence what a rule did in the searches of a call. */
export function describeEffect(isEnabled: boolean, notes: readonly RuleNote[]): string {
  if (!isEnabled) return 'None: the rule is disabled.'
  if (notes.length === 0) return 'None: the call searched for nothing.'
  if (!notes.some(({ applies }) => applies)) return 'None: the call does not meet the condition of the rule.'
  const sum = (of: (note: RuleNote) => number) => notes.reduce((total, note) => total + of(note), 0)
  const added = [...new Set(notes.flatMap((note) => note.added))]
  const perSource = notes.find((note) => note.perSource !== null)?.perSource ?? null
  const parts = [
    counted(
      'Moved',
      sum(({ raised }) => raised),
      'passage',
      'up',
    ),
    counted(
      'Moved',
      sum(({ lowered }) => lowered),
      'passage',
      'down',
    ),
    counted(
      'Left out',
      sum(({ sourcesLeftOut }) => sourcesLeftOut),
      'source',
    ),
    counted(
      'Left out',
      sum(({ pagesLeftOut }) => pagesLeftOut),
      'page',
    ),
    added.length > 0 ? `Also searched for: ${added.join(', ')}.` : '',
    perSource === null ? '' : `Showed at most ${perSource} passages per source.`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : 'None: no passage of the call is concerned.'
}

function counted(verb: string, count: number, noun: string, direction = ''): string {
  if (count === 0) return ''
  return `${verb} ${count} ${noun}${count === 1 ? '' : 's'}${direction && ` ${direction}`}.`
}
