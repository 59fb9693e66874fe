const NOISE_LINES = new Set([
  'copy',
  'copied',
  'copied!',
  'copy code',
  // Title that some renderers of VitePress Markdown give to a group of tabs.
  'code-group',
  'copy page',
  'copy link',
  'copy to clipboard',
  'copy as markdown',
  'on this page',
  'in this article',
  'table of contents',
  'contents',
  'skip to content',
  'skip to main content',
  'edit this page',
  'edit this page on github',
  'edit on github',
  'view source',
  'back to top',
  'return to top',
  'was this page helpful?',
  'was this helpful?',
  'advertisement',
  'advertising',
  'loading...',
  'loading…',
  'previous',
  'next',
  'previous page',
  'next page',
  'share',
  'print',
  'tweet',
  'yes no',
])

/** Doxygen's references to source locations. */
const DEFINED_AT =
  /^Definition at line \S+ of file \S+$|^The documentation for this \w+ was generated from the following files?:$/

/** Returns true if the line is a label of the user interface between the text. */
export function isNoiseLine(line: string): boolean {
  if (line.startsWith('Definition at ') || line.startsWith('The documentation for ')) return DEFINED_AT.test(line)
  return (
    line.length <= 30 &&
    NOISE_LINES.has(line.toLowerCase().replace(/^[\s#*[\]¶►▶▸▼▾-]+|(?<![\s#*[\]¶-])[\s#*[\]¶-]+$/g, ''))
  )
}
