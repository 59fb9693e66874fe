import type { SourceType } from '@docent/contract/values/sources'
import type { PlaceNames } from './place-names.ts'
import type { NamedSource } from './source-names.ts'

/** Something that a phrase names. */
export type Found =
  | { of: 'source'; sourceId: string }
  | { of: 'kind'; type: SourceType; sources: string[] }
  | { of: 'path'; glob: string }
  /** Without `v`, in the form that searches compare. `written`: as in the sentence, `latest` or `old`. `globs`: its pages; `isKnown`: the server has some. */
  | { of: 'version'; version: string; written: string; globs: string[]; isKnown: boolean }
  /** Negative for older pages. */
  | { of: 'recent'; halfLifeDays: number }
  | { of: 'code'; language?: string }

/** `ownSource`: the only source that the sentence is about, or null. `places`: null if no page is indexed. */
export type Named = { sources: readonly NamedSource[]; ownSource: string | null; places?: PlaceNames | null }

/** What a run of nouns and adjectives means. `described`: it says how something is. `null`: not read as a whole, so that nothing of it may be used. */
export type Resolved = { found: Found[]; scope: string | null } | 'generic' | 'other' | 'it' | 'described' | null
