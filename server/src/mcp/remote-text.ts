import type { RemoteResult } from '#upstream/remote-session.ts'
import type { RemoteBlock } from '#upstream/remote-shapes.ts'

/**
 * Text of a remote tool's answer, followed by the kinds of its other blocks in our own fixed words. Structured content
 * is used only without text, because servers repeat it there.
 */
export function remoteText({ blocks, structured }: Omit<RemoteResult, 'isError'>): { text: string; leftOut: string[] } {
  const parts = blocks.map(textOf)
  const texts = parts.flatMap(({ text }) => (text === null || text.trim() === '' ? [] : [text]))
  if (texts.length === 0 && structured !== undefined) texts.push(JSON.stringify(structured, null, 2))
  return { text: texts.join('\n\n'), leftOut: parts.flatMap(({ leftOut }) => leftOut ?? []) }
}

const BLOCKS: ReadonlySet<string> = new Set(['image', 'audio', 'resource'])

function textOf({ type, text, uri, name, mimeType, resource }: RemoteBlock): {
  text: string | null
  leftOut: string | null
} {
  if (type === 'text') return { text, leftOut: null }
  if (type === 'resource_link') return { text: [name, uri].filter(Boolean).join(': '), leftOut: null }
  if (type === 'resource' && typeof resource?.text === 'string') return { text: resource.text, leftOut: null }
  return { text: null, leftOut: kindOf(mimeType ?? resource?.mimeType ?? type) }
}

/** A media type, or the protocol's name for a block. Any other value could be an injected sentence. */
function kindOf(given: string): string {
  return /^(image|audio|video|text|font|model|application)\/[\w.+-]{1,60}$/.test(given) || BLOCKS.has(given)
    ? given
    : 'something else'
}
