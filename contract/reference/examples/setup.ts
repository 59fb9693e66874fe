import type { Examples } from '#reference/example.ts'
import { sessionExamples } from './sessions.ts'

export const setupExamples: Examples<'setup' | 'invitations'> = {
  'invitations.accept': {
    input: { token: 'dmi_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM', password: 'correct horse battery' },
    output: sessionExamples['sessions.create'].output,
  },
  'setup.get': { input: {}, output: { open: true, signUps: false, passwords: true, command: 'docent', providers: [] } },
  'setup.signUp': {
    input: { email: 'ann@example.com', password: 'correct horse battery' },
    output: {
      session: sessionExamples['sessions.create'].output.session,
      account: { ...sessionExamples['sessions.create'].output.account, plan: 'free' },
      failedSignIns: 0,
    },
  },
  'setup.claim': {
    input: {
      token: 'dsl_Yw0TtL2m9QxN4vKc7RbZpE1sHfUa3J5gWdXoB8iC',
      email: 'ann@example.com',
      password: 'correct horse battery',
    },
    output: {
      session: sessionExamples['sessions.create'].output.session,
      account: { ...sessionExamples['sessions.create'].output.account, isOperator: true },
      failedSignIns: 0,
    },
  },
}
