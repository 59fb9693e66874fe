/** A line that opens or closes a container: `::: tip Title`, `:::note[Title]`, `:::{note} Title`, `:::`. */
const CONTAINER =
  /^[ \t]{0,20}:{3,8}(?!:)[ \t]{0,4}(?:\{\.?([\w-]{1,40})[^}\n]{0,200}\}|([a-z][\w-]{0,40})(?![\w.:(-]))?(?:[ \t]{0,4}\[([^\]\n]{1,200})\])?[ \t]{0,4}(?:\{[^}\n]{0,200}\})?([^\n]{0,300})$/gim
/** `!!! note "Title"` of MkDocs, and its folded form. */
const ADMONITION =
  /^([ \t]{0,20})(?:!!!|\?\?\?\+?)[ \t]{1,4}([a-z][\w-]{0,40})(?:[ \t]{1,4}[\w-]{1,40}){0,4}(?:[ \t]{1,4}"([^"\n]{0,200})")?[ \t]{0,20}$/gim
/** `=== "Tab"` of MkDocs. */
const TAB = /^([ \t]{0,20})===[!+]?[ \t]{1,4}"([^"\n]{1,200})"[ \t]{0,20}$/gm
/** `> [!NOTE]` of GitHub, which also takes a title in some tools. */
const ALERT = /^([ \t]{0,20}>[ \t]{0,4})\[!([a-z]{3,20})\][+-]?[ \t]{0,4}([^\n]{0,200})$/gim

/** The label of a block of code: ```` ```sh [npm] ````. */
const LABELLED =
  /^([ \t]{0,20})(?:`{3,}|~{3,})[ \t]{0,4}[\w+#.-]{0,40}[ \t]{1,4}(?:\{[^}\n]{0,100}\}[ \t]{0,4})?\[([^\]\n]{1,100})\]/

/** Kinds whose name says more than their text. */
const WARNINGS = new Set(['warning', 'caution', 'danger', 'deprecated', 'important', 'experimental'])

/** Returns true if the text may contain anything that `stripContainers` or `withLabel` changes. */
export function mayHoldContainers(text: string): boolean {
  return /:::|^[ \t]*(?:!!!|\?\?\?|===)|\[!|^[ \t]*(?:```|~~~)[^\n]{0,140}\[/m.test(text)
}

/** Replaces the marks of containers, admonitions and tabs in prose (no code) with their titles in bold. */
export function stripContainers(prose: string): string {
  const text = prose
    .replaceAll(CONTAINER, (_line, braced: string, plain: string, label: string | undefined, rest: string) =>
      titled('', (braced ?? plain ?? '').toLowerCase(), (label ?? rest).trim()),
    )
    .replaceAll(ADMONITION, (_line, indent: string, kind: string, title: string | undefined) =>
      titled(indent, kind.toLowerCase(), title ?? ''),
    )
    .replaceAll(TAB, '$1**$2**\n')
    .replaceAll(ALERT, (_line, quote: string, kind: string, title: string) =>
      titled(quote, kind.toLowerCase(), title.trim(), quote.trim()),
    )
  return text === prose ? prose : text.replaceAll(/\n(?:[ \t]*\n){2,}/g, '\n\n')
}

/** Puts the label of a block of code above it, like that of a tab. */
export function withLabel(code: string): string {
  const [, indent = '', label] = LABELLED.exec(code) ?? []
  return label === undefined ? code : `${indent}**${label}**\n\n${code}`
}

function titled(before: string, kind: string, title: string, empty = ''): string {
  const shown = title === '' && WARNINGS.has(kind) ? kind.charAt(0).toUpperCase() + kind.slice(1) : title
  return shown === '' ? empty : `${before}**${shown.replaceAll('**', '')}**\n${empty}`
}
