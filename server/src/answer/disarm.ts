/**
 * Text of a model without what could do something in a client that shows it: no images, no HTML, and links only to
 * addresses that the passages have. Inline code stays as it is.
 */
export function disarm(text: string, allowed: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : disarmProse(part, allowed)))
    .join('')
}

function disarmProse(text: string, allowed: string): string {
  return text
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)[^)]*\)/g, (link, words: string, url: string) =>
      allowed.includes(url) ? link : words,
    )
    .replaceAll(/<(https?:[^>\s]+)>/gi, '$1')
    .replaceAll(/<\/?[a-z!][^>\n]*>/gi, '')
    .replaceAll(/(\S) {2,}/g, '$1 ')
}
