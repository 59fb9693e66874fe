import type { Examples } from '#reference/example.ts'

const input = { id: 'handbook', sourceId: 'src_1kQv7tRz' }
const made = {
  url: 'https://docs.example.com/api/hooks/dph_example',
  secret: 'dps_example',
  lastPushAt: null,
  lastPushFrom: null,
}

export const pushExamples: Examples<'pushes'> = {
  'pushes.address': {
    input,
    output: { ...made, lastPushAt: '2026-03-02T09:15:25.779Z', lastPushFrom: 'GitHub' },
  },
  'pushes.makeAddress': { input, output: made },
  'pushes.receive': { input: { token: 'dph_example' }, output: { ok: true, queued: true } },
}
