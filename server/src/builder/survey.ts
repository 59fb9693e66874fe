import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { NamedSource } from '#grammar/source-names.ts'

/** What the designer knows of the content: names, never sentences, because text of a source must not reach a plan. */
export type Survey = {
  pages: number
  sources: readonly NamedSource[]
  /** Languages of the code, most frequent first. */
  languages: string[]
  /** Versions in page addresses and in the titles of changelogs and migration guides. */
  versions: string[]
  /** Which kinds of page exist. */
  has: { changes: boolean; issues: boolean; guides: boolean; glossary: boolean; faq: boolean }
  /** Leading path segments that several pages share, such as `/helm-chart`. */
  paths: string[]
  /** Words of the topic that no page has. */
  unknownWords: string[]
  /** Number of words of the topic that were looked up. */
  words: number
  /** Titles and headings found for the topic that are identifiers, best first. */
  names: string[]
  /** The other titles and headings, best first. Only for trial calls. */
  headings: string[]
}

/** Result of one trial call of a plan. */
export type Trial = {
  input: Record<string, unknown>
  /** The answer speaks of the input. */
  isRelevant: boolean
  /** The refusal of the tool, or null. */
  refusal: string | null
}

/** A draft with the information that a trial needs about its arguments. */
export type Draft = { plan: CustomToolPlan; roles: Record<string, Role> }

export type Role = 'name' | 'text' | 'version' | 'day' | 'choice'
