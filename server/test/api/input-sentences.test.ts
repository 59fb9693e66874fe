import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { takesBody } from '@docent/contract/takes-body'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleOf } from '../support/lib/sample-of.ts'
import { exampleInput } from '../support/service/example-input.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

/** Wording of the validation library that must not reach callers. */
const VALIDATOR =
  /\binvalid (?:input|option|string|number|key|value|element|date|url|iso|uuid|e-?mail)|\btoo (?:big|small)|\bexpected\b|\breceived\b|\bunrecognized\b|\bmultiple of\b|to have [<>]|undefined|\bNaN\b|\bzod\b/i
/** Invalid values to send in place of valid ones. */
const ODD: readonly unknown[] = [7, -1, 1.5, 1e300, true, false, null, '', 'x', 'x'.repeat(5_000), [], [5], [[]], {}]
const ODD_TEXTS = ['', 'x', '-1', '1.5', '1e300', 'NaN', 'true', 'x'.repeat(3_000)]

/** In how many parts `npm test` divides them: each place gets one. */
const PARTS = 5

type Path = (string | number)[]

let docent: Docent
let server: { serverId: string; sourceId: string }
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  const body = { name: 'A', sources: [{ url: 'http://127.0.0.1:19151/' }] }
  const { serverId, slug } = (await docent.request('POST', '/api/mcp/create', body)).body
  server = { serverId, sourceId: (await docent.untilDone(slug)).sources[0].id }
})
afterAll(() => docent[Symbol.asyncDispose]())

/** All paths in a value, outer ones first. */
function placesIn(value: unknown, at: Path = []): Path[] {
  const here = at.length > 0 ? [at] : []
  if (typeof value !== 'object' || value === null) return here
  return [...here, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...at, name]))]
}

function withValue(value: any, [name, ...rest]: Path, odd: unknown): any {
  if (name === undefined) return odd
  const copy = Array.isArray(value) ? [...value] : { ...value }
  if (rest.length === 0 && odd === undefined) delete copy[name]
  else copy[name] = withValue(copy[name], rest, odd)
  return copy
}

/** Requests that are invalid in one place each. */
function wrongRequests(operation: Operation): { path: string; body?: unknown }[] {
  const input: Record<string, any> = { ...exampleInput(operation), id: server.serverId, serverId: server.serverId }
  if ('sourceId' in input) input['sourceId'] = server.sourceId
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === 'host' ? 'github.com' : encodeURIComponent(String(input[name]))
    delete input[name]
    return value
  })
  delete input['id']
  if (takesBody(operation)) {
    return placesIn(input).flatMap((place, at) =>
      sampleOf([...ODD, undefined], at, PARTS).map((odd) => ({ path, body: withValue(input, place, odd) })),
    )
  }
  const query = Object.entries(input).filter(([, value]) => typeof value !== 'object')
  return query.flatMap(([name], at) =>
    sampleOf(ODD_TEXTS, at, PARTS).map((odd) => ({
      path: `${path}?${new URLSearchParams({ ...Object.fromEntries(query.map(([key, value]) => [key, String(value)])), [name]: odd })}`,
    })),
  )
}

const asked = Object.entries<Operation>(operations).filter(
  ([, operation]) => operation.produces !== 'text/event-stream' && operation.consumes === undefined,
)

test.each(asked)('refuses wrong values of %s with the specified sentence', async (_, operation) => {
  const told = new Set<string>()
  for (const { path, body } of wrongRequests(operation)) {
    const answer = await docent.request(operation.method, path, body)
    expect({ path, body, status: answer.status }).not.toMatchObject({ status: 500 })
    if (answer.status !== 400) continue
    const { error, message } = answer.body
    if (error === 'invalid_input') {
      told.add(message)
      expect(message).toMatch(/^[A-Za-z][\w.[\]]* (?:must|is) .*\.$/)
    }
    expect(`${error} ${message ?? ''}`).not.toMatch(VALIDATOR)
  }
  for (const message of told) expect(message.length).toBeLessThan(400)
})

test.each<[string, string, unknown, string]>([
  ['GET', '/api/mcp/{id}/pages?page=x', undefined, 'page must be a number.'],
  ['GET', '/api/mcp/{id}/pages?page=0', undefined, 'page must be at least 1.'],
  ['GET', '/api/mcp/{id}/pages?state=lost', undefined, 'state must be one of indexed, skipped, failed, waiting.'],
  ['POST', '/api/sessions', { password: 'x' }, 'email is missing.'],
  ['PATCH', '/api/mcp/{id}', { description: 5 }, 'description must be text.'],
  [
    'POST',
    '/api/mcp/create',
    { name: 'x', sources: [{ url: 'https://a.test', label: 'x'.repeat(101) }] },
    'sources[0].label must have at most 100 characters.',
  ],
  ['POST', '/api/keys', { name: 'x', serverIds: [] }, 'serverIds must have at least 1 item.'],
  ['PATCH', '/api/mcp/{id}/tools', { add: 5 }, 'add must be a list of names, or text with commas between them.'],
])('explains what is wrong with the input: %s %s', async (method, path, body, message) => {
  const answer = await docent.request(method, path.replace('{id}', server.serverId), body)
  expect([answer.status, answer.body]).toEqual([400, { error: 'invalid_input', message }])
})
