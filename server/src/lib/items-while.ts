/** Yields what a task pushes while it runs. Returns the result of the task, or throws its error. */
export async function* itemsWhile<T, R>(run: (push: (item: T) => void) => Promise<R>): AsyncGenerator<T, R> {
  const waiting: T[] = []
  let isOver = false
  let news = Promise.withResolvers<void>()
  const result = run((item) => {
    waiting.push(item)
    news.resolve()
  })
  const over = result.then(
    () => void (isOver = true),
    () => void (isOver = true),
  )
  for (;;) {
    await Promise.race([over, news.promise])
    news = Promise.withResolvers()
    yield* waiting.splice(0)
    if (isOver && waiting.length === 0) return await result
  }
}
