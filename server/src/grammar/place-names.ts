/** Pages of a server that a sentence can name. Null where nothing is indexed yet. */
export type PlaceNames = {
  /** True if a page matches the glob of a rule. */
  has: (glob: string) => boolean
  /** The globs of the folders, pages or sections with this name, within the pages of the other globs if there are any. */
  find: (name: PlaceName) => readonly string[]
}

/** A name of pages, as folded words. `section`: the heading of a section. */
export type PlaceName = { words: readonly string[]; kind: 'pages' | 'section'; within: readonly string[] }
