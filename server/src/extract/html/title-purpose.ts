import type { Rendered } from './render-markdown.ts'

/** Number of first blocks searched for the purpose line: one or two headings, then the line. */
const HEAD_BLOCKS = 4
const LONGEST_PURPOSE = 160
const SECTION = /(?<!\s)\s*\(\d\w{0,4}\)$/

/**
 * Appends the purpose line of a reference page to its title. Manual and DocBook pages have such a line below `NAME`
 * (`git-log - Show commit logs`): `git-log(1)` becomes `git-log(1) — Show commit logs`. Returns any other title
 * unchanged.
 */
export function withPurpose(title: string, { markdown, blocks }: Rendered): string {
  const name = title.replace(SECTION, '')
  if (name === '' || /\s[–—-]\s/.test(title)) return title
  for (const { kind, start, end } of blocks.slice(0, HEAD_BLOCKS)) {
    if (kind === 'heading') continue
    if (kind !== 'text' || end - start > 2 * LONGEST_PURPOSE) return title
    const line = markdown.slice(start, end).replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ')
    // A page can have several names: `SELECT, TABLE, WITH — retrieve rows`.
    const [, names = '', purpose = ''] = /^(.{1,200}?)\s[–—-]\s(.+)$/.exec(line) ?? []
    const isNamed = names.toLowerCase().split(/,\s*/).includes(name.toLowerCase())
    return isNamed && purpose.length <= LONGEST_PURPOSE ? `${title} — ${purpose}` : title
  }
  return title
}
