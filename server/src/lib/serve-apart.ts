import { setPriority } from 'node:os'

/** Of the 20 steps below normal. With every processor busy, processes at normal priority get some nine tenths of it. */
const BACKGROUND = 10

/**
 * Answers the tasks that the process is given by who opened it (`openApartProcess`), one after the other, with a lower
 * priority than the service has. `answer` must not throw.
 */
export function serveApart(answer: (task: never) => unknown): void {
  setPriority(0, BACKGROUND)
  let turn: Promise<void> = Promise.resolve()
  process.on('message', (task) => {
    turn = turn.then(async () => {
      const given = await answer(task as never)
      await new Promise((sent) => process.send?.(given, sent))
    })
  })
}
