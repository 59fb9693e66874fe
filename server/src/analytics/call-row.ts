import { writeCitations, type LoggedRow } from '#store/calls/write-calls.ts'
import { clipArguments, clipName, clipText, queryOf, redactArguments } from './clip.ts'
import type { Redact } from './redact.ts'

/** A tool call as reported by the endpoint. */
export type FinishedCall = {
  tool: string
  /** The server has no tool of this name. The name is client text, and the account is not charged for the call. */
  isUnknown?: true
  arguments: unknown
  client: { name: string; version: string | null } | null
  status: 'ok' | 'error'
  durationMs: number
  error?: string
  citations: readonly { sourceId: string; url: string; title: string; rank: number; score: number }[]
  confidence?: string
  /** The widget that asked. Absent for MCP clients. */
  attribution?: Attribution
  /** Ids of the searched segments. */
  segments: readonly string[]
  /** Removes texts that the server's owner does not want to store. */
  redact?: Redact | null
}

export type Attribution = {
  /** The widget configuration that asked. */
  configurationId: string
  /** The developer's id of the user, if an attribution token named one. */
  endUserId: string | null
  /** Id of the call, which the widget knows already. */
  callId: string
}

/** The tool that answers with passages and no confidence. */
const SEARCH = 'search_docs'

const DAY_MS = 24 * 60 * 60 * 1000

/** The call as it is stored. Its texts are redacted and clipped: arguments can be megabytes. */
export function callRow(call: FinishedCall, { id, serverId, at }: { id: string; serverId: string; at: number }) {
  const { tool, isUnknown, client, status, durationMs, confidence, attribution, segments, redact } = call
  const given = redact ? redactArguments(redact, call.arguments) : call.arguments
  const error = call.error === undefined ? null : clipText(redact ? redact.text(call.error) : call.error)
  const cited = call.citations.map(({ sourceId, url, title, rank, score }) => ({
    sourceId,
    url: clipText(url),
    title: clipText(title),
    rank,
    score,
  }))
  const query = queryOf(given)
  const row: LoggedRow = {
    id,
    serverId,
    at,
    day: Math.floor(at / DAY_MS),
    tool: isUnknown ? clipName(redact ? redact.text(tool) : tool) : tool,
    arguments: clipArguments(given),
    query,
    clientName: client && clipName(client.name),
    clientVersion: client?.version ? clipName(client.version) : null,
    status,
    durationMs,
    error,
    confidence: confidence ?? null,
    segments: segments.join(' '),
    citations: writeCitations(cited),
    configurationId: attribution?.configurationId ?? null,
    endUserId: attribution?.endUserId ? clipText(attribution.endUserId) : null,
    unanswered: query !== null && isUnanswered(call) ? 1 : 0,
    cited,
  }
  if (isUnknown) row.isUnknown = isUnknown
  return row
}

/** Answers with low confidence or none, and searches without a result. */
function isUnanswered({ tool, status, confidence, citations }: FinishedCall): boolean {
  if (status === 'error') return false
  return confidence === 'low' || confidence === 'none' || (tool === SEARCH && citations.length === 0)
}
