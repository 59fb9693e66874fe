/** A range of a page's text, in UTF-16 units. */
export type Span = { start: number; end: number }

type Divided = {
  /** Set for the rest of a block whose beginning is in the passage before. Absent in whole pages. */
  continues?: true
}

type Resuming = Divided & {
  /** Level of the heading above the last one that owns the block: text after a list of definitions. */
  resumes?: number
}

/** A heading. It begins a section. */
export type HeadingBlock = Span &
  Divided & {
    kind: 'heading'
    /** 1 to 6. */
    level: number
    /** Plain text, without Markdown. */
    text: string
    /** Fragment without `#`, or null if the page has none for it. */
    anchor: string | null
    /** Set if the heading declares the symbol that the text below it documents. */
    declares?: true
  }

/** A code block. `[codeStart, codeEnd)` is the code without its fences, exactly as its author wrote it. */
export type CodeBlock = Span & Resuming & { kind: 'code'; codeStart: number; codeEnd: number; language: string | null }

/** Kinds of blocks that hold prose. What is inside one is read by `read-block.ts`. */
export const PROSE_KINDS = ['paragraph', 'list', 'table', 'definition', 'callout', 'image'] as const
export type ProseKind = (typeof PROSE_KINDS)[number]

/** A block of a page's text. Blocks are in order, do not overlap, and cover everything except blank lines. */
export type Block = HeadingBlock | CodeBlock | (Span & Resuming & { kind: ProseKind })

/** Kinds of things that a page names. */
export const ENTRY_KINDS = [
  'member',
  'option',
  'setting',
  'command',
  'release',
  'definition',
  'endpoint',
  'schema',
  'message',
  'step',
  'question',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** A thing that a page names, with the text about it: a section, a row, a list item, a definition or a paragraph. */
export type Entry = Span & {
  kind: EntryKind
  /** The name as written, as a span of the page's text. Empty if only the title has it. */
  name: Span
  /** Hashes of the names as searched (`nameHash` of `nameKeys`), the whole name first. */
  keys: readonly number[]
}

/** A section: a heading and the text below it, up to the next heading. Non-blank text above the first heading is one too. */
export type Section = Span & {
  /** 1 to 6, or 0 for text above the first heading. */
  level: number
  /** Plain text. Empty at level 0. */
  heading: string
  anchor: string | null
  /** Start of the text below the heading. */
  body: number
  /** End of the section with all subsections: the next heading at this level or above. */
  close: number
  /** Headings above the section, outermost first. */
  path: readonly string[]
  /** Blocks below the heading, without those of subsections. */
  blocks: readonly Exclude<Block, HeadingBlock>[]
  /** Set for text that continues a section after its definitions. It has the heading and anchor of that section. */
  continues?: true
}
