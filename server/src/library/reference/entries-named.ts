import { partOfSection } from '#documents/model/sections.ts'
import type { Section } from '#documents/model/document.ts'

/** Characters of an entry. The entries of large manuals have a few paragraphs. */
const LONGEST = 2_000

/** Entries of one name in a page. Others are mentions. */
const MOST = 3

/** A paragraph that is a name: `beresp.ttl`, `PROMPT_SUBST <K>`. */
const PARAGRAPH =
  /(?<=\n\n)(?:\*\*|`)?(-{0,2}[A-Za-z_$][\w.$-]{1,80})(?:\*\*|`)?(?:[ \t][<([][^\n]{0,60})?[ \t]{0,3}\n\n(?=[^\n#])/g
/** Code of one line: `--num-callers=<number> [default: 12]`. */
const CODE =
  /(?<=\n\n)```[^\n]{0,20}\n(-{0,2}[A-Za-z_$][\w.$-]{1,80})(?=[=<[\n]|[ \t][<[])[^\n]{0,200}\n```\n\n(?=[^\n#])/g
/** The header of a table: `| message_size_limit | Use: main | Type: string |`. */
const TABLE = /(?<=\n\n)\|[ \t]{0,3}`?(-{0,2}[A-Za-z_$][\w.$-]{1,80})`?[ \t]{0,3}\|[^\n]{0,400}\n\|[-:| \t]{3,400}\n/g

/** Forms of an entry. The next entry in one of the forms ends it: a PDF prints names as paragraphs or as code. */
const FORMS = [[PARAGRAPH, CODE], [TABLE]] as const

/**
 * The entries about a name in a page that manuals print without headings, such as options, variables and settings. Each
 * ends with the next entry or with the section.
 */
export function entriesNamed(
  { markdown, sections }: { markdown: string; sections: readonly Section[] },
  name: string,
): Section[] {
  if (!markdown.includes(name)) return []
  return FORMS.flatMap((forms) => {
    const all = forms.flatMap((form) => [...markdown.matchAll(form)]).sort((a, b) => a.index - b.index)
    return all.flatMap(({ 1: own, index }, at) => {
      if (own !== name) return []
      const outer = sections.findLast(({ start }) => start <= index)
      const end = Math.min(all[at + 1]?.index ?? Infinity, outer?.end ?? markdown.length, index + LONGEST)
      return [partOfSection(outer, { start: index, end })]
    })
  }).slice(0, MOST)
}
