import { itemsOf } from '../model/read-block.ts'
import { markdownBlocks } from '../model/markdown-blocks.ts'
import { sectionsOf } from '../model/sections.ts'

/** Parts that notes on a release can have. */
export const RELEASE_PARTS = ['breaking', 'deprecated', 'removed', 'added', 'fixed', 'security'] as const
export type ReleasePart = (typeof RELEASE_PARTS)[number]

const TITLES: Record<ReleasePart, RegExp> = {
  breaking: /\bbreaking\b|\bbackwards?[- ]incompatib|\bincompatible\b|💥|\bupgrad(?:e|ing)\b|\bmigrat/i,
  deprecated: /\bdeprecat/i,
  removed: /\bremov(?:ed|als?)\b|\bdropped\b/i,
  added: /\badded\b|\badditions?\b|\bnew\b|\bfeatures?\b|\benhancements?\b|✨/i,
  fixed: /\bfix(?:es|ed)?\b|\bbug/i,
  security: /\bsecurity\b|\bcve-/i,
}

/** Characters of an item in which its label is: `**Breaking:** …`, `Removed: …`, `[BREAKING] …`. */
const LABEL = 40

/**
 * The part of the notes on a release: the sections with its heading, and the items with its label elsewhere. Empty if
 * the notes have none.
 */
export function partOfRelease(text: string, part: ReleasePart): string {
  const isPart = (title: string) => TITLES[part].test(title)
  const sections = sectionsOf(markdownBlocks(text), text.length)
  const kept: string[] = []
  let end = 0
  for (const section of sections) {
    if (section.start < end) continue
    if (section.level > 0 && isPart(section.heading)) {
      kept.push(text.slice(section.start, section.close).trim())
      end = section.close
      continue
    }
    const items = section.blocks.flatMap((block): { start: number; end: number; body: number }[] => {
      if (block.kind === 'list') return itemsOf(text, block)
      return block.kind === 'paragraph' ? [{ start: block.start, end: block.end, body: block.start }] : []
    })
    const labelled = items.filter(({ body, end: stop }) =>
      isPart(labelOf(text.slice(body, Math.min(stop, body + LABEL)))),
    )
    kept.push(...labelled.map(({ start, end: stop }) => text.slice(start, stop).trimEnd()))
  }
  return kept.join('\n')
}

/** The label at the start of an item, or its first word. */
function labelOf(beginning: string): string {
  const at = beginning.search(/[:\]]|\*\*(?=\s)/)
  return at > 0 ? beginning.slice(0, at) : (/^\W*\w+/.exec(beginning)?.[0] ?? '')
}
