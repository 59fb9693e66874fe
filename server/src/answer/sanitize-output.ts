import { removeSpans, replaceLinks } from '#lib/text/replace-links.ts'

/**
 * Sanitizes model output for display in a client: removes images and HTML, and keeps only links to URLs found in the
 * passages. Inline code stays unchanged.
 */
export function sanitizeOutput(text: string, allowed: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : sanitizeProse(part, allowed)))
    .join('')
}

function sanitizeProse(text: string, allowed: string): string {
  const withoutPictures = replaceLinks(text, ({ label, isPicture }) => (isPicture ? label : null))
  const linked = replaceLinks(withoutPictures, ({ label, target, isPicture }) => {
    const url = /^\S+/.exec(target)?.[0]
    if (label === '' || url === undefined) return null
    return (isPicture ? '!' : '') + (allowed.includes(url) ? `[${label}](${target})` : label)
  }).replaceAll(/<(https?:[^<>\s]+)>/gi, '$1')
  return removeSpans(linked, { opening: /<\/?[a-z!]/gi, closing: '>', stop: '\n' }).replaceAll(/(\S) {2,}/g, '$1 ')
}
