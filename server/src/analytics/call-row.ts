import { maskAddresses } from '#lib/addresses/secret-address.ts'
import type { Outcome } from '@docent/contract/values/outcomes'
import type { LoggedCitation } from '#store/calls/cited-pages.ts'
import type { LoggedRow } from '#store/calls/write-calls.ts'
import type { Redact } from './redact.ts'

/** A tool call as reported by the endpoint. */
export type FinishedCall = {
  tool: string
  /** The server has no tool of this name. The name is client text, and the account is not charged for the call. */
  isUnknown?: true
  arguments: unknown
  /** The client's own name. An unknown legacy client has only its User-Agent. */
  client: { name: string; version: string | null } | null
  outcome: Outcome
  /** Milliseconds from the parsed request to the finished result. */
  durationMs: number
  /** Why the call was refused or failed. Of another one: why the answer of a language model was not used. */
  error?: string
  citations: readonly LoggedCitation[]
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

const DAY_MS = 24 * 60 * 60 * 1000

/** The call as it is stored. Its texts are redacted and clipped: arguments can be megabytes. */
export function callRow(call: FinishedCall, { id, serverId, at }: { id: string; serverId: string; at: number }) {
  const { tool, isUnknown, client, outcome, durationMs, confidence, attribution, segments, redact } = call
  const given = redact ? redactArguments(redact, call.arguments) : call.arguments
  const error = call.error === undefined ? null : clipText(maskAddresses(redact ? redact.text(call.error) : call.error))
  const cited = call.citations.map((one) => ({ ...one, url: clipText(one.url), title: clipText(one.title) }))
  const row: LoggedRow = {
    id,
    serverId,
    at,
    day: Math.floor(at / DAY_MS),
    tool: isUnknown ? clipName(redact ? redact.text(tool) : tool) : tool,
    arguments: clipArguments(given),
    query: queryOf(given),
    clientName: client && clipName(client.name),
    clientVersion: client?.version ? clipName(client.version) : null,
    outcome,
    durationMs,
    error,
    confidence: confidence ?? null,
    segments: segments.join(' '),
    configurationId: attribution?.configurationId ?? null,
    endUserId: attribution?.endUserId ? clipText(attribution.endUserId) : null,
    cited,
  }
  if (isUnknown) row.isUnknown = isUnknown
  return row
}

/** Maximum length of one text, and of all arguments of a call together, in characters. */
const TEXT = 1_000
const ARGUMENTS = 8_000

/** Longest tool name that clients accept. Names and versions of clients get the same room. */
const NAME = 64
/** White space at an end, or other than one space between words. Most texts have none, and a replacement takes longer. */
const UNTIDY = /^\s|\s$|\s\s|[^\S ]/
const PLAIN = /^[ -~]*$/

/** Clips a text for the log and removes NUL and lone surrogates, which PostgreSQL cannot store. */
function clipText(text: string): string {
  const clean = (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed()
  return clean.length <= TEXT ? clean : `${clean.slice(0, TEXT - 1).toWellFormed()}…`
}

/** Clips a name of a client, without invisible characters. Names that differ here also differ in the database. */
function clipName(name: string): string {
  const short = name.length <= NAME ? name : `${name.slice(0, NAME - 1)}…`
  if (PLAIN.test(short)) return short
  return short.replaceAll(/\p{C}/gu, '\uFFFD')
}

/** Arguments as JSON, with long texts clipped. A note replaces those still too long, or nested too deeply. */
function clipArguments(given: unknown): string {
  try {
    // If the whole is within the limit for one text, so is each text. JSON escapes a NUL.
    const plain = JSON.stringify(given ?? {})
    if (plain.length <= TEXT && !plain.includes('\\u0000')) return maskAddresses(plain)
    const json = JSON.stringify(given, (_, value: unknown) => (typeof value === 'string' ? clipText(value) : value))
    return json.length <= ARGUMENTS ? maskAddresses(json) : JSON.stringify({ omitted: `${json.length} characters` })
  } catch (error) {
    return JSON.stringify(omittedBecauseOf(error))
  }
}

/** The question or search query among the arguments, for tools that take one. */
function queryOf(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return null
  const { question, query } = given as { question?: unknown; query?: unknown }
  const asked = typeof question === 'string' ? question : query
  if (typeof asked !== 'string') return null
  const line = UNTIDY.test(asked) ? asked.trim().replaceAll(/\s+/g, ' ') : asked
  return clipText(maskAddresses(line)) || null
}

/** The arguments without texts that must not be stored. */
function redactArguments({ value }: Redact, given: unknown): unknown {
  try {
    return value(given)
  } catch (error) {
    return omittedBecauseOf(error)
  }
}

/** `JSON.parse` has no depth limit and accepts a million brackets. */
function omittedBecauseOf(error: unknown): { omitted: string } {
  if (error instanceof RangeError) return { omitted: 'nested too deeply' }
  throw error
}
