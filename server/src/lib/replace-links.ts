/** A link or picture of Markdown: `[label](target)`, with `!` in front of a picture. */
export type InlineLink = { label: string; target: string; isPicture: boolean }

/**
 * Replaces links and pictures. `label` goes to the first `]`, `target` to the first `)` behind it. `replace` gives null
 * for one that stays; what is inside of it is looked at then. Linear time: each position of a bracket is found once.
 */
export function replaceLinks(text: string, replace: (link: InlineLink) => string | null): string {
  const closeLabel = createFinder(text, ']')
  const closeTarget = createFinder(text, ')')
  let result = ''
  let copied = 0
  for (let open = text.indexOf('['); open >= 0;) {
    const label = closeLabel(open + 1)
    if (label < 0) break
    let next = open + 1
    if (text[label + 1] === '(') {
      const end = closeTarget(label + 2)
      if (end < 0) break
      const isPicture = open > copied && text[open - 1] === '!'
      const replacement = replace({ label: text.slice(open + 1, label), target: text.slice(label + 2, end), isPicture })
      if (replacement !== null) {
        result += text.slice(copied, isPicture ? open - 1 : open) + replacement
        copied = end + 1
        next = copied
      }
    } else {
      next = label + 1
    }
    open = text.indexOf('[', next)
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** Text with its links and pictures reduced to their labels. */
export function linkLabels(text: string): string {
  return text.includes('](') ? replaceLinks(text, ({ label }) => label) : text
}

/** Where `mark` next occurs, for positions that only grow; -1 if nowhere. */
function createFinder(text: string, mark: string): (from: number) => number {
  let known = -2
  return (from) => {
    if (known === -2 || (known >= 0 && known < from)) known = text.indexOf(mark, from)
    return known
  }
}
