/** Converts inline AsciiDoc to Markdown: code, links, cross references, emphasis. Substitutes attributes. */
export function asciidocInline(text: string, attributes: ReadonlyMap<string, string>): string {
  return text
    .replace(/\{([\w-]{1,60})\}/g, (whole, name: string) => attributes.get(name) ?? whole)
    .replace(/`\+([^`\n]{1,500}?)\+`/g, '`$1`')
    .replace(/(?:link|xref|mailto):([^\s[\]]{1,1000})\[([^\]\n]{0,500})\]/g, (_, target: string, label: string) =>
      linked(target, label),
    )
    .replace(
      /(^|[\s(<])(https?:\/\/[^\s[\]<>]{1,1000})\[([^\]\n]{0,500})\]/g,
      (_, before: string, target: string, label: string) => `${before === '<' ? '' : before}${linked(target, label)}`,
    )
    .replace(/<<([^<,>\n]{1,200})(?:,\s{0,9}([^<>\n]{1,300}))?>>/g, (_, id: string, label?: string) => label ?? id)
    .replace(/(?:kbd|btn|menu|footnote|icon|image):[^\s[\]]{0,300}\[([^\]\n]{0,500})\]/g, '$1')
    .replace(/\[\[[^\]\n]{1,200}\]\]|\[#[^\]\n]{1,200}\](?=#)/g, '')
    .replace(/(^|[\s(])\*(?![\s*])([^*\n]{1,300}?)\*(?=[\s.,;:!?)]|$)/g, '$1**$2**')
    .replace(/ \+$/, '')
}

function linked(target: string, label: string): string {
  const text = label.replace(/\^$/, '').split(/,\s*(?:window|role|opts)=/)[0] ?? ''
  if (/^https?:/.test(target)) return text ? `[${text}](${target})` : target
  return text || target.replace(/^.*#/, '').replace(/\.adoc$/, '')
}
