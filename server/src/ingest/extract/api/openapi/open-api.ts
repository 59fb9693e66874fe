import type { Loose } from '../loose-json.ts'
import type { References } from '../references.ts'

/** A description with what all its documents need. */
export type OpenApi = {
  root: Loose
  references: References
  /** Where requests go that say nothing else; no slash at the end. */
  baseUrl: string
}
