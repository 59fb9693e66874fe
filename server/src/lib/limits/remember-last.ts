/** Memoizes a function for its last argument only. */
export function rememberLast<Result>(make: (text: string) => Result): (text: string) => Result {
  let last: { text: string; result: Result } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, result: make(text) }
    return last.result
  }
}
