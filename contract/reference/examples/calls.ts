import type { Examples } from '#reference/example.ts'

export const recordedCitation = {
  sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
  url: 'https://mailer.example.com/guide/retries.html#schedule',
  title: 'Retries',
  rank: 1,
  score: 1.7868,
}

export const callExamples: Examples<'calls'> = {
  'calls.trace': {
    input: {
      id: 'acme-mailer',
      callId: 'call_0mwrrwmchDUU9mIAccYoMZvvP1Ks9',
    },
    output: {
      callId: 'call_0mwrrwmchDUU9mIAccYoMZvvP1Ks9',
      at: '2026-03-02T09:15:23.201Z',
      tool: 'search_docs',
      arguments: {
        query: 'how long are failed messages retried',
      },
      outcome: 'answered',
      confidence: null,
      version: 'same',
      complete: true,
      remark: null,
      rules: [],
      searches: [
        {
          query: 'how long are failed messages retried',
          filters: {
            limit: 5,
            offset: 0,
            budget: 4800,
          },
          words: [
            {
              word: 'long',
              share: 0.0625,
            },
            {
              word: 'failed',
              share: 0.3125,
            },
            {
              word: 'messages',
              share: 0.5625,
            },
            {
              word: 'retried',
              share: 0.1875,
            },
          ],
          repaired: [],
          agreement: 0.9259,
          embeddings: 'off',
          sources: [
            {
              sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
              type: 'website',
              passages: 16,
            },
          ],
          rules: [],
          pins: [],
          candidates: [
            {
              place: 1,
              title: 'Retries',
              heading: 'Schedule of retries',
              url: 'https://mailer.example.com/guide/retries.html#schedule',
              sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
              score: 1.7881,
              ruleFactor: 1,
              features: {
                page: 1,
                decay: 1,
                titlePrecision: 1,
                latent: 0,
                feedback: 0,
                chunk: 0.8518,
                headingPrecision: 0.0625,
                wordOrder: 0.3635,
              },
              outcome: 'shown',
            },
          ],
        },
      ],
      recorded: [recordedCitation],
    },
    note: 'Shortened: `candidates` and `recorded` have one entry here.',
  },
}
