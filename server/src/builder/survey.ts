import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { NamedSource } from '#grammar/source-names.ts'

/** A tool of a remote MCP server. Only read-only tools can be called. */
export type RemoteTool = {
  source: string
  name: string
  isCallable: boolean
  arguments: { name: string; isRequired: boolean }[]
}

/** What the designer knows of the content: names, never sentences, because text of a source must not reach a plan. */
export type Survey = {
  pages: number
  sources: readonly NamedSource[]
  /** Languages of the code, most frequent first. */
  languages: string[]
  /** Versions in page addresses and in the titles of changelogs and migration guides. */
  versions: string[]
  /** Which kinds of page exist. */
  has: { changes: boolean; issues: boolean }
  /** Leading path segments that several pages share, such as `/helm-chart`. */
  paths: string[]
  /** Versions in addresses of pages. */
  pageVersions: string[]
  /** Words of the topic that no page has, folded. */
  unknownWords: string[]
  remoteTools: RemoteTool[]
}

/** The purpose of an argument, which decides about its inputs in trial calls. */
export type Role = 'name' | 'owner' | 'text' | 'version' | 'day' | 'page' | 'choice'

/** A draft with the roles of its arguments. */
export type Draft = { plan: CustomToolPlan; roles: Record<string, Role> }

/** A trial call: its input, and why its result does not do what the request says; or null. */
export type Trial = { input: Record<string, unknown>; problem: string | null }
