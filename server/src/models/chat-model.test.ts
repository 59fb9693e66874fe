import { expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { EVERYWHERE } from '#net/judge-address.ts'
import {
  eventsOf,
  type LanguageModel,
  type Reply,
  startLanguageModel,
} from '../../test/support/models/language-model.ts'
import { createChatModel } from './create-chat-model.ts'
import { ModelError } from './chat-model.ts'

const KEY = 'sk-very-secret-key-0123456789'
const REQUEST = { system: 'Be brief.', user: 'What is red?', maxTokens: 50 }

async function ask(
  provider: 'openai' | 'anthropic',
  replies: Reply[],
  { totalMs = 5_000, signal = undefined as AbortSignal | undefined } = {},
) {
  await using model = await startLanguageModel(...replies)
  await using net = createNetClient({ allowNetworks: EVERYWHERE, userAgent: 'test', firstByteMs: totalMs / 2 })
  const chat = createChatModel({ net, baseUrl: model.url, apiKey: KEY, model: 'm-1', provider, totalMs })
  const outcome = await chat.complete(REQUEST, signal).catch((error: unknown) => error)
  return { outcome, asked: model.asked }
}

const failure = ({ outcome }: Awaited<ReturnType<typeof ask>>): ModelError => {
  if (!(outcome instanceof ModelError)) throw new Error('It did not fail.', { cause: outcome })
  return outcome
}

const status =
  (code: number, body = '{}', headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end(body)

/** Sends the first events of an answer, then drops the connection. */
const cut: Reply = (response, asked) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(eventsOf(asked, 'Red is a colour of long waves.').slice(0, 4).join(''), () => response.destroy())
}

const endedEarly: Reply = (response, asked) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(eventsOf(asked, 'Red is a colour of long waves.').slice(0, 4).join(''))
}

test.each(['openai', 'anthropic'] as const)('%s: reads a streamed answer with its token usage', async (provider) => {
  const { outcome, asked } = await ask(provider, ['Red is a colour, as in `ärmel`.'])
  expect(outcome).toEqual({
    text: 'Red is a colour, as in `ärmel`.',
    isWhole: true,
    usage: { inputTokens: 100, outputTokens: 20 },
  })
  expect(asked[0]?.body).toMatchObject({ model: 'm-1', stream: true, max_tokens: 50 })
  const { headers, path } = asked[0] as LanguageModel['asked'][number]
  expect([path, headers['authorization'] ?? headers['x-api-key']]).toEqual(
    provider === 'openai' ? ['/chat/completions', `Bearer ${KEY}`] : ['/v1/messages', KEY],
  )
})

test.each([
  ['openai', { choices: [{ message: { content: 'Red.' }, finish_reason: 'length' }] }],
  ['anthropic', { content: [{ type: 'text', text: 'Red.' }], stop_reason: 'max_tokens' }],
] as const)('%s: reads a complete answer that is truncated and has no token usage', async (provider, body) => {
  const { outcome } = await ask(provider, [status(200, JSON.stringify(body), { 'content-type': 'application/json' })])
  expect(outcome).toEqual({ text: 'Red.', isWhole: false, usage: { inputTokens: 6, outputTokens: 1 } })
})

test.each(['openai', 'anthropic'] as const)('%s: retries a transient failure once', async (provider) => {
  for (const first of [status(500), status(429, '{}', { 'retry-after': '0' }), cut, endedEarly]) {
    const { outcome, asked } = await ask(provider, [first, 'Red.'])
    expect(outcome).toMatchObject({ text: 'Red.' })
    expect(asked).toHaveLength(2)
  }
})

test.each([
  ['status 429', status(429, '{}', { 'retry-after': '0' }), 'busy'],
  ['status 500', status(500), 'unavailable'],
  ['a dropped connection', cut, 'cut_off'],
  ['a stream that ends early', endedEarly, 'cut_off'],
  ['invalid JSON', status(200, 'data: {"choi\n\n', { 'content-type': 'text/event-stream' }), 'malformed'],
  ['unexpected JSON', status(200, 'data: {"choices": 5}\n\n', { 'content-type': 'text/event-stream' }), 'malformed'],
  ['an HTML page', status(200, '<html>hello</html>', { 'content-type': 'text/html' }), 'cut_off'],
  ['an error in the stream', status(200, 'data: {"error": {"message": "out of memory"}}\n\n'), 'unavailable'],
] as const)('fails with the right reason if two attempts end in %s', async (_, reply, expected) => {
  const answer = await ask('openai', [reply])
  expect(failure(answer).failure).toBe(expected)
  expect(answer.asked).toHaveLength(2)
})

test.each([
  ['a wrong key', status(401, `{"error": "Incorrect API key ${KEY}, header Bearer ${KEY}"}`)],
  ['a wrong model', status(404, '{"error": "no such model"}')],
  ['a redirect', status(307, '', { location: 'http://127.0.0.1:19151/' })],
])('refuses %s without a retry and redacts the key', async (_, reply) => {
  const answer = await ask('openai', [reply])
  expect(failure(answer).failure).toBe('refused')
  expect(answer.asked).toHaveLength(1)
  expect(JSON.stringify([failure(answer).message, failure(answer).stack])).not.toContain('very-secret')
})

test('does not retry if Retry-After exceeds the remaining time', async () => {
  const answer = await ask('openai', [status(429, '{}', { 'retry-after': '60' }), 'Red.'])
  expect([failure(answer).failure, failure(answer).retryAfterMs, answer.asked.length]).toEqual(['busy', 60_000, 1])
})

test('times out if the provider does not answer', async () => {
  expect(failure(await ask('openai', [() => {}], { totalMs: 400 })).failure).toBe('timeout')
})

test('stops immediately when the caller aborts', async () => {
  const answer = await ask('openai', [() => {}], { signal: AbortSignal.timeout(50) })
  expect([failure(answer).failure, answer.asked.length]).toEqual(['aborted', 1])
})

test('omits settings rejected by a model from then on', async () => {
  await using model = await startLanguageModel(
    status(400, '{"error": {"message": "Unsupported parameter: max_tokens. Use max_completion_tokens instead."}}'),
    'Red.',
  )
  await using net = createNetClient({ allowNetworks: EVERYWHERE, userAgent: 'test' })
  const chat = createChatModel({
    net,
    baseUrl: model.url,
    apiKey: null,
    model: 'm',
    provider: 'openai',
    totalMs: 5_000,
  })
  for (const _ of [1, 2]) expect(await chat.complete(REQUEST)).toMatchObject({ text: 'Red.' })
  expect(model.asked).toHaveLength(3)
  expect(model.asked.slice(1).every(({ body }) => body.max_completion_tokens === 50 && !('temperature' in body))).toBe(
    true,
  )
  expect(model.asked[0]?.headers).not.toHaveProperty('authorization')
})
