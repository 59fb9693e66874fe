import type { Examples } from '#reference/example.ts'

const ID = 'acme-mailer'
const QUESTION = 'How long are failed messages retried?'

const where = {
  title: 'Retries',
  heading: 'Schedule of retries',
  url: 'https://mailer.example.com/guide/retries.html#schedule',
}
const section = { ...where, sourceId: 'src_uJqzxda1rmpJNq5nww2n9U' }

const pin: Examples<'pins'>['pins.create']['output']['pin'] = {
  id: 'pin_Vd3kQm8YwT5xRz1LbN7cHs',
  effect: 'first',
  questions: [QUESTION],
  ...section,
  isStale: false,
  createdAt: '2026-03-02T09:15:25.000Z',
}

export const pinExamples: Examples<'pins'> = {
  'pins.list': { input: { id: ID }, output: { pins: [pin], limit: 200 } },
  'pins.create': { input: { id: ID, questions: [QUESTION], url: where.url }, output: { pin } },
  'pins.preview': {
    input: { id: ID, questions: [QUESTION], url: where.url },
    output: {
      section,
      answers: [
        {
          question: QUESTION,
          tool: 'ask_question',
          callId: null,
          changes: true,
          before: {
            text: 'Failed messages were retried once. [1]',
            confidence: 'medium',
            cited: [
              {
                title: 'Retries in version 1',
                heading: '',
                url: 'https://mailer.example.com/guide/legacy/retries.html',
              },
            ],
          },
          after: {
            text: '## Schedule of retries\n\nFailed messages are retried for three days.\n\n(from [1])',
            confidence: 'medium',
            cited: [where],
          },
        },
      ],
      past: [],
      complete: true,
    },
  },
  'pins.sections': {
    input: { id: ID, question: QUESTION },
    output: {
      sections: [{ ...section, text: '## Schedule of retries\n\nFailed messages are retried for three days.' }],
      missing: [],
      remark: null,
    },
  },
  'pins.delete': { input: { id: ID, pinId: pin.id }, output: { ok: true } },
}
