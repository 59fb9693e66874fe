/**
 * Converts inline reStructuredText to Markdown: literals, links and roles. The text is one line or paragraph. Literals
 * have priority, and nothing inside them changes.
 */
export function rstInline(text: string): string {
  return text
    .split(/(``[^`](?:[^`]|`(?!`))*``)/)
    .map((part, index) => (index % 2 === 1 ? `\`${part.slice(2, -2)}\`` : prose(part)))
    .join('')
}

function prose(text: string): string {
  if (!text.includes('`') && !text.includes('|') && !text.includes('_')) return text
  return (
    text
      // :role:`text <target>` and :role:`~package.name`
      .replace(/:(?:[\w+-]+:){1,3}`([^`<\n]{1,300}?)\s{0,9}<[^`\n]{1,500}>`/g, (_, label: string) => label.trim())
      .replace(/:(?:ref|doc|term|numref|abbr|guilabel|menuselection):`([^`\n]{1,300})`/g, '$1')
      .replace(/:(?:[\w+-]+:){1,3}`~(?:[^`\n]*\.)?([^`.\n]{1,300})`/g, '`$1`')
      .replace(/:(?:[\w+-]+:){1,3}`!?([^`\n]{1,500})`/g, '`$1`')
      // `text <address>`_
      .replace(/`([^`<\n]{1,500}?)\s{0,9}<(https?:[^`>\s]{1,1000})>`__?/g, '[$1]($2)')
      .replace(/`([^`<\n]{1,500}?)\s{0,9}<[^`>\n]{1,500}>`__?/g, '$1')
      .replace(/`([^`\n]{1,300})`__?/g, '$1')
      .replace(/\|([\w][\w .-]{0,60})\|_{0,2}/g, '$1')
      .replace(/(^|[\s(])([A-Za-z][\w-]{1,60})__?(?=[\s.,;:)]|$)/g, '$1$2')
  )
}
