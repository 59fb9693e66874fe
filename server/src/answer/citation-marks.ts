const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/

/** Rewrites `[1]`, `[1, 2]`, `[^1]`, `【1】` and `[1]` after the full stop to ` [1]` before it. Leaves code unchanged. */
export function withMarksInside(markdown: string): string {
  return markdown
    .split(CODE)
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
export function readMarks(text: string, passageCount: number): { text: string; cited: number[] } {
  const cited = new Set<number>()
  const rest = text
    .split(CODE)
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
