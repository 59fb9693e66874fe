import type { Loose } from '../loose-json.ts'
import type { References } from '../references.ts'

/** An OpenAPI description with shared data for all documents. */
export type OpenApi = {
  root: Loose
  references: References
  /** Default base URL for requests, without trailing slash. */
  baseUrl: string
}
