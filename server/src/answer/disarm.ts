import { removeSpans } from '#lib/remove-spans.ts'
import { replaceLinks } from '#lib/replace-links.ts'

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
  const withoutPictures = replaceLinks(text, ({ label, isPicture }) => (isPicture ? label : null))
  const linked = replaceLinks(withoutPictures, ({ label, target, isPicture }) => {
    const url = /^\S+/.exec(target)?.[0]
    if (label === '' || url === undefined) return null
    return (isPicture ? '!' : '') + (allowed.includes(url) ? `[${label}](${target})` : label)
  }).replaceAll(/<(https?:[^<>\s]+)>/gi, '$1')
  return removeSpans(linked, { opening: /<\/?[a-z!]/gi, closing: '>', stop: '\n' }).replaceAll(/(\S) {2,}/g, '$1 ')
}
