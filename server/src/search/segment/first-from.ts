/** First index from `low` to `high` with a number of at least `least`, or `high`. Binary search in ascending numbers. */
export function firstFrom(numbers: Uint32Array, least: number, low = 0, high = numbers.length): number {
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < least) low = middle + 1
    else high = middle
  }
  return low
}
