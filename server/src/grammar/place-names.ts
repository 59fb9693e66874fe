/** Pages of a server that a sentence can name. Null where nothing is indexed yet. */
export type PlaceNames = {
  /** True if a page matches the glob of a rule: of this source, or of any. */
  has: (glob: string, sourceId?: string) => boolean
  /** True if a page has a version of this line in its address. */
  hasVersion: (version: string) => boolean
  /** The globs of the folders, pages or sections with this name. */
  find: (name: PlaceName) => readonly string[]
}

/**
 * A name of pages, as folded words. `section`: the heading of a section. Only pages of these globs and of this source
 * count, if they are given.
 */
export type PlaceName = {
  words: readonly string[]
  kind: 'pages' | 'section'
  within: readonly string[]
  sourceId?: string
}
