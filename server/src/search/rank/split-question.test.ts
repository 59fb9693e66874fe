import { expect, test } from 'vitest'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { createRanker } from './rank.ts'
import { splitQuestion } from './analyse-query.ts'

const ASKED = 'How do I renew the lease of a worker?'
const REMARK = 'We run everything in one large cluster behind a firewall of our own, as our customers demand.'
const CODE =
  '```js\nconst ordersOfCustomer = loadOrders(customer)\nfor (const order of ordersOfCustomer) print(order)\n```'
const TRACE = 'Traceback (most recent call last):\n  File "main.py", line 3, in run\nValueError: not a lease'

test.each([
  ['code after the question', `${REMARK} ${ASKED}\n\n${CODE}`, ASKED, REMARK],
  ['code before the question', `${CODE}\n\n${REMARK} ${ASKED}`, ASKED, REMARK],
  ['a stack trace', `${REMARK}\n\n${TRACE}\n\n${ASKED}`, ASKED, `${REMARK}\nValueError: not a lease`],
  ['a title', `Renew leases in time\n\n${REMARK}\n\n${CODE}`, 'Renew leases in time', REMARK],
  [
    'what somebody wants',
    `I want to renew a lease early. ${REMARK}\n\n${CODE}`,
    'I want to renew a lease early.',
    REMARK,
  ],
])('asks only the sentences that ask in a text with %s', (_, text, asked, rest) => {
  expect(splitQuestion(text)).toEqual({ asked, rest })
})

test.each([
  ['a short text', ASKED],
  ['a description without code', `${REMARK} ${REMARK} ${ASKED}`],
  ['code alone', CODE],
])('asks %s as a whole', (_, text) => {
  expect(splitQuestion(text)).toEqual({ asked: text, rest: '' })
})

test('asks all prose if the sentences that ask say nothing', () => {
  expect(splitQuestion(`${REMARK} Any ideas?\n\n${CODE}`)).toEqual({ asked: `Any ideas?\n${REMARK}`, rest: '' })
})

test('reads a text of 119 characters as one question', () => {
  const text = (length: number) => `Renew it now?\n\n\`\`\`\n${'x'.repeat(length - 19)}`
  expect(splitQuestion(text(119)).asked).toHaveLength(119)
  expect(splitQuestion(text(120)).asked).toBe('Renew it now?')
})

/** Paths of the pages found for a question, best first. */
function rank(query: string): string[] {
  const page = (path: string, text: string) => samplePage(path, 'Page', [{ heading: 'Part', text }])
  const builder = new SegmentBuilder()
  for (const each of [
    page('orders', 'The customer has orders, print each order of the customer.'),
    page('alone', 'A worker renews its lease.'),
    page('cluster', 'A worker renews its lease in a cluster of workers.'),
    page('other', 'Nothing is said about it here.'),
  ])
    builder.add(each.page, each.markdown)
  const segment = openSegment(builder.finish())
  const { chunks } = createRanker()([{ segment, sourceId: 'source', type: 'docs' }], { query }, 10)
  return chunks.map(({ page: at }) => new URL(segment.url(at)).pathname.slice(1))
}

test('finds pages by the question, and orders them by the words beside it', () => {
  expect(rank(ASKED)[0]).toBe('alone')
  expect(rank(`${CODE}\n\n${REMARK} ${ASKED}`)).toEqual(['cluster', 'alone', 'orders'])
})
