import type { PageLink } from '#extract/extracted-page.ts'

/** The text of a link, with its target. */
export type LinkText = [url: string, text: string]

/** Longer link texts describe the linking page, or hold a whole card. */
const MAX_TEXT = 80
/** Links kept per page; a page with more is a list of everything. */
const MAX_LINKS = 200
/** Characters of the kept URLs: 160 each. */
const MAX_CHARACTERS = 32_000

/** Generic link texts, which do not describe their target. */
const GENERIC =
  /^(?:click )?(?:here|this|that|it|link|links?|(?:this|the|that|next|previous|prev|home|main|same) (?:page|one|section|article|link|document|guide)|(?:read|learn|see|show|view|find out|load)? ?more(?: (?:about (?:this|it)|here|info(?:rmation)?|details))?|details?|info|next|prev(?:ious)?|back|forward|continue|home(?: ?page)?|index|top|up|down|skip(?: to .*)?|(?:edit|improve|suggest|report|view|fork|star|open|see|source|history)(?: .*)?\b(?:page|github|gitlab|source|changes|issue|an edit)|edit|source|\[?src\]?|permalink|anchor|link to this .*|(?:table of )?contents|on this page|back to .*|menu|search|log ?in|sign (?:in|up)|docs|documentation|hier|ici|aqu[ií]|mehr|weiter|zur[üu]ck|siguiente|suivant|anterior)$/iu

/** Normalizes a link text, or returns null if it does not describe its target. */
export function tellingText(text: string): string | null {
  const line = text.replace(/^[\s«‹←→›»¶#]+|(?<![\s«‹←→›»¶#])[\s«‹←→›»¶#]+$/gu, '')
  if (line.length > MAX_TEXT || !/\p{L}.*[\p{L}\p{N}]|\p{Script=Han}/u.test(line)) return null
  return GENERIC.test(line.replace(/(?<![.…»›→:])[.…»›→:]+$/u, '')) || /^(?:https?:\/\/|www\.)\S+$/i.test(line)
    ? null
    : line
}

/** Collects descriptive link texts from the content of a page. `links` have normalized URLs. */
export function contentTexts(links: Iterable<PageLink>, page: string): LinkText[] {
  const texts: LinkText[] = []
  let characters = 0
  for (const { url, text, inContent } of links) {
    const telling = inContent && url !== page ? tellingText(text) : null
    if (telling === null) continue
    characters += url.length
    if (texts.length >= MAX_LINKS || characters > MAX_CHARACTERS) break
    texts.push([url, telling])
  }
  return texts
}
